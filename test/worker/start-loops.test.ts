import { expect } from 'chai'
import { readConfig } from '../../core/platform/config.ts'
import { createWorkerDeps } from '../../worker/deps.ts'
import { createHeartbeats } from '../../worker/heartbeats.ts'
import { createLoops } from '../../worker/loops.ts'
import { startLoops } from '../../worker/start-loops.ts'
import { startLines } from '../../worker/workers.ts'
import { atEndOfTest } from '../support/at-end.ts'
import { createTestEnv } from '../support/config.ts'
import { eventually } from '../support/eventually.ts'
import { createWorkFactory, makeAllDue } from '../support/work.ts'

const hour = 3_600_000

describe('a worker whose loops rest for an hour', () => {
  const atEnd = atEndOfTest()

  it('acts on events, due work and lines all the same', async () => {
    const { deps, close } = createWorkerDeps(readConfig(await createTestEnv('postgres')))
    atEnd(close)
    const lines = startLines(deps)
    atEnd(() => lines.stop())
    const turns = new Map<string, number>()
    const resting = createLoops(deps, lines, () => undefined).flatMap(({ rest, ...loop }) => {
      if (rest === undefined) return []
      const runOnce = () => {
        turns.set(loop.name, (turns.get(loop.name) ?? 0) + 1)
        return Promise.resolve(0)
      }
      return [{ ...loop, runOnce, rest: { ...rest, afterMs: 0, ms: hour } }]
    })
    expect(resting.map(({ name }) => name)).to.have.members(['relay-outbox', 'fan-out-events', 'serve-lines'])
    for (const loop of startLoops(deps, resting, createHeartbeats())) atEnd(() => loop.stop())
    const turnsOf = (name: string) => turns.get(name) ?? 0
    const turnsAgain = async (name: string, cause: () => Promise<unknown>) => {
      const before = turnsOf(name)
      await cause()
      await eventually(`${name} turns again`, () => turnsOf(name) > before)
    }
    await eventually('the first look wakes the fan-out', () => turnsOf('fan-out-events') > 1)
    const { cashbacks } = createWorkFactory(deps.database, deps.config)
    await turnsAgain('fan-out-events', () => cashbacks(1))
    expect(turnsOf('relay-outbox'), 'nothing is due').to.equal(1)
    expect(turnsOf('serve-lines'), 'nothing waits in a line').to.equal(1)
    await turnsAgain('relay-outbox', () => makeAllDue(deps.database))
    await turnsAgain('serve-lines', () => deps.database.$executeRaw`UPDATE outbox SET line = 'webhook a b'`)
  })
})
