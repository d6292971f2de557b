import { expect } from 'chai'
import { readConfig } from '../../../core/platform/config.ts'
import type { Database } from '../../../core/platform/database.ts'
import { createWorkerDeps } from '../../../worker/deps.ts'
import type { WorkerDeps } from '../../../worker/deps.ts'
import { createLoops } from '../../../worker/loops.ts'
import { createWatchForWork } from '../../../worker/maintenance/watch-for-work.ts'
import { startLines } from '../../../worker/workers.ts'
import { atEndOfTest } from '../../support/at-end.ts'
import { createTestEnv } from '../../support/config.ts'
import { watchDatabase } from '../../support/watched-database.ts'
import { createWorkFactory, makeAllDue } from '../../support/work.ts'

describe('the loops that rest in a worker', () => {
  let deps: WorkerDeps
  let requestCashbacks: (count: number) => Promise<unknown>

  const atEnd = atEndOfTest()
  beforeEach(async () => {
    const created = createWorkerDeps(readConfig(await createTestEnv('postgres')))
    ;({ deps } = created)
    atEnd(created.close)
    requestCashbacks = createWorkFactory(deps.database, deps.config).cashbacks
  })

  /** Watches for those of a worker's loops that rest; `look` gives the names of the loops that it woke. */
  const watch = (
    database: Database,
    resting: readonly string[] = ['relay-outbox', 'fan-out-events', 'serve-lines'],
  ) => {
    let woken: string[] = []
    const lines = startLines(deps)
    atEnd(() => lines.stop())
    const resters = createLoops(deps, lines, () => undefined).flatMap(({ name, rest }) =>
      rest === undefined
        ? []
        : [
            {
              isOver: rest.isOver,
              isResting: () => resting.includes(name),
              wake: () => void woken.push(name),
            },
          ],
    )
    const runOnce = createWatchForWork(database, resters)
    return async () => {
      woken = []
      await runOnce()
      return woken
    }
  }

  it('are woken for work of their own, and otherwise rest', async () => {
    const look = watch(deps.database)
    expect(await look(), 'events may have come before').to.deep.equal(['fan-out-events'])
    expect(await look(), 'nothing to do').to.deep.equal([])
    await requestCashbacks(1)
    expect(await look(), 'an event, and work that was just handed over').to.deep.equal(['fan-out-events'])
    expect(await look(), 'the same event').to.deep.equal([])
    await makeAllDue(deps.database)
    expect(await look(), 'work that nobody has handed over').to.deep.equal(['relay-outbox'])
    await deps.database
      .$executeRaw`UPDATE outbox SET due_at = now() + interval '1 hour', line = 'webhook a b'`
    expect(await look(), 'work in a line').to.deep.equal(['serve-lines'])
    await deps.database.$executeRaw`UPDATE outbox SET line = NULL`
    expect(await look(), 'work for later').to.deep.equal([])
  })

  it('are woken for an event that came while they did not rest: their last turn may have missed it', async () => {
    const resting: string[] = []
    const look = watch(deps.database, resting)
    resting.push('fan-out-events')
    await look()
    resting.splice(0, 1, 'relay-outbox')
    await requestCashbacks(1)
    expect(await look()).to.deep.equal([])
    resting.splice(0, 1, 'fan-out-events')
    expect(await look()).to.deep.equal(['fan-out-events'])
    expect(await look()).to.deep.equal([])
  })

  it('are left alone while they do not rest, and cost nothing if none does', async () => {
    let statements = 0
    const database = watchDatabase(deps.database, { before: () => void (statements += 1) })
    await requestCashbacks(1)
    await makeAllDue(deps.database)
    expect(await watch(database, ['relay-outbox'])()).to.deep.equal(['relay-outbox'])
    expect(statements).to.equal(1)
    expect(await watch(database, [])()).to.deep.equal([])
    expect(statements).to.equal(1)
  })
})
