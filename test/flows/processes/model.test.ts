import { atEndOfSuite } from '../../support/at-end.ts'
import { queueBackends } from '../../support/environment.ts'
import { startMachine } from '../../support/model/in-process.ts'
import type { InProcess } from '../../support/model/in-process.ts'
import { readModelOptions } from '../../support/model/options.ts'
import { createModelRuns } from '../../support/model/run-model.ts'
import { runs } from '../../support/runs.ts'

/**
 * Players, operators, partners and time act in any order, while workers come and go: the invariants hold after each
 * command, and in the end everything is done, once. docs/contribute/tests.md says how to read and repeat a failure.
 */
describe('any sequence of operations', function () {
  const options = readModelOptions({ runs: runs(3, 1), seed: 20261120, commands: 40 })
  this.timeout(options.timeoutMs)
  const [backend = 'postgres'] = queueBackends
  let machine: InProcess

  const atEnd = atEndOfSuite()
  before(async () => {
    machine = await startMachine(backend)
    atEnd(() => machine.stop())
  })

  it(`gives each prize one fate, balances the books and finishes all work (${backend})`, async () => {
    const model = createModelRuns(machine, options)
    atEnd(() => model.whenIdle())
    await model.assert()
  })
})
