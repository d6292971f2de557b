import { expect } from 'chai'
import { readConfig } from '../../core/platform/config.ts'
import { createLogger } from '../../core/platform/logger.ts'
import { createWorkerDeps } from '../../worker/deps.ts'
import { createHeartbeats } from '../../worker/heartbeats.ts'
import { createLoops } from '../../worker/loops.ts'
import { loopNames } from '../../worker/loop-names.ts'
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

describe('the loops of a worker', () => {
  const atEnd = atEndOfTest()

  async function createDeps() {
    const env = await createTestEnv('postgres', { ARCHIVE_AFTER_DAYS: '500' })
    const { deps, close } = createWorkerDeps(readConfig(env))
    atEnd(close)
    const lines = startLines(deps)
    atEnd(() => lines.stop())
    return { deps, loops: createLoops(deps, lines, () => undefined) }
  }

  it('are all counted, and turn often enough for the alert on failures, which needs three in ten minutes', async () => {
    const { loops } = await createDeps()
    expect([...loops.map(({ name }) => name), 'watch-for-work']).to.have.members([...loopNames])
    for (const { name, idleMs, rest } of loops) {
      expect(Math.max(idleMs, rest?.ms ?? 0), name).to.be.at.most(60_000)
    }
  })

  it('have their failures counted, and the time of their last success', async () => {
    const { deps } = await createDeps()
    let isFailing = true
    const runOnce = () => (isFailing ? Promise.reject(new Error('test')) : Promise.resolve(0))
    const loops = [{ name: 'chain-audit', idleMs: 5, runOnce } as const]
    for (const loop of startLoops(
      { ...deps, log: createLogger('test', 'silent') },
      loops,
      createHeartbeats(),
    ))
      atEnd(() => loop.stop())
    const valueOf = async (series: string) => {
      const text = await deps.metrics.registry.metrics()
      const line = text.split('\n').find((each) => each.startsWith(`${series}{loop="chain-audit"} `))
      return line === undefined ? undefined : Number(line.split(' ')[1])
    }
    const failures = () => valueOf('rewards_loop_failures_total')
    const lastSuccess = () => valueOf('rewards_loop_last_success_timestamp_seconds')
    await eventually('it has failed twice', async () => ((await failures()) ?? 0) >= 2)
    expect(await lastSuccess()).to.equal(undefined)
    isFailing = false
    const succeeded = await eventually('it has succeeded', lastSuccess)
    expect(succeeded).to.be.closeTo(Date.now() / 1_000, 60)
    const failed = await failures()
    await eventually('it has succeeded again', async () => ((await lastSuccess()) ?? 0) > succeeded)
    expect(await failures()).to.equal(failed)
  })
})
