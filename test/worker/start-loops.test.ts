import { expect } from 'chai'
import { readConfig } from '../../core/platform/config.ts'
import { createCompareClocks } from '../../core/platform/compare-clocks.ts'
import { createDatabaseClock } from '../../core/platform/database-clock.ts'
import { createLogger } from '../../core/platform/logger.ts'
import { createWorkerDeps } from '../../worker/deps.ts'
import type { WorkerDeps } from '../../worker/deps.ts'
import { createHeartbeats } from '../../worker/heartbeats.ts'
import { createLoops } from '../../worker/loops.ts'
import type { Loop } from '../../worker/loops.ts'
import { loopNames } from '../../worker/loop-names.ts'
import type { LoopName } from '../../worker/loop-names.ts'
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
    const failures = () => valueOf(deps, 'rewards_loop_failures_total', 'chain-audit')
    const lastSuccess = () => valueOf(deps, 'rewards_loop_last_success_timestamp_seconds', 'chain-audit')
    await eventually('it has failed twice', async () => ((await failures()) ?? 0) >= 2)
    expect(await lastSuccess()).to.equal(undefined)
    isFailing = false
    const succeeded = await eventually('it has succeeded', lastSuccess)
    expect(succeeded).to.be.closeTo(Date.now() / 1_000, 60)
    const failed = await failures()
    await eventually('it has succeeded again', async () => ((await lastSuccess()) ?? 0) > succeeded)
    expect(await failures()).to.equal(failed)
  })

  it('have no success while the machine’s clock is off and holds them back, but failures if the database is away', async () => {
    const { deps, loops } = await createDeps()
    const guarded = loops.filter(({ guard }) => guard !== undefined)
    expect(guarded.map(({ name }) => name)).to.include.members(['expire-prizes', 'archive-prizes'])
    const { clock, learn } = createDatabaseClock()
    let aheadMs = 60_000
    let isAway = false
    const { guard } = createCompareClocks({
      databaseClock: clock,
      pingDatabase: () => {
        if (isAway) return Promise.reject(new Error('away'))
        learn({
          sentMs: performance.now(),
          receivedMs: performance.now(),
          databaseMs: Date.now() - aheadMs,
        })
        return Promise.resolve()
      },
      log: createLogger('test', 'silent'),
    })
    let turns = 0
    let runs = 0
    const loop = {
      name: 'expire-prizes',
      idleMs: 5,
      guard: (runOnce: Loop['runOnce']) => {
        const turn = guard(runOnce)
        return () => {
          turns += 1
          return turn()
        }
      },
      runOnce: () => {
        runs += 1
        return Promise.resolve(0)
      },
    } as const
    const quiet = { ...deps, log: createLogger('test', 'silent') }
    for (const running of startLoops(quiet, [loop], createHeartbeats())) atEnd(() => running.stop())
    const lastSuccess = () => valueOf(deps, 'rewards_loop_last_success_timestamp_seconds', 'expire-prizes')
    await eventually('some turns are over', () => turns > 3)
    expect([runs, await lastSuccess()]).to.deep.equal([0, undefined])
    aheadMs = 0
    await eventually('it has succeeded', lastSuccess)
    isAway = true
    await eventually(
      'it has failed',
      async () => ((await valueOf(deps, 'rewards_loop_failures_total', 'expire-prizes')) ?? 0) > 0,
    )
  })
})

/** The value of a loop's metric; undefined if it has none. */
async function valueOf({ metrics }: WorkerDeps, series: string, loop: LoopName): Promise<number | undefined> {
  const text = await metrics.registry.metrics()
  const line = text.split('\n').find((each) => each.startsWith(`${series}{loop="${loop}"} `))
  return line === undefined ? undefined : Number(line.split(' ')[1])
}
