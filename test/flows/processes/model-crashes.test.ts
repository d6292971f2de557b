import { atEndOfSuite } from '../../support/at-end.ts'
import { queueBackends } from '../../support/environment.ts'
import { readModelOptions } from '../../support/model/options.ts'
import { startProcesses } from '../../support/model/processes.ts'
import type { Processes } from '../../support/model/processes.ts'
import { createModelRuns } from '../../support/model/run-model.ts'
import { runs } from '../../support/runs.ts'

/** As in model.test.ts, with an API and workers that are processes of their own, and are killed at any moment. */
describe('any sequence of operations and crashes', function () {
  const options = readModelOptions({ runs: runs(1), seed: 20261121, commands: 25 })
  this.timeout(options.timeoutMs + 90_000)
  const [backend = 'postgres'] = queueBackends
  let machine: Processes

  const atEnd = atEndOfSuite()
  before(async () => {
    machine = await startProcesses(backend)
    atEnd(() => machine.stop())
  })

  it(`gives each prize one fate, balances the books and finishes all work (${backend})`, async () => {
    const model = createModelRuns(machine, options)
    atEnd(() => model.whenIdle())
    await model.assert()
  })
})
