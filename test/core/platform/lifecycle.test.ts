import { execFile } from 'node:child_process'
import { pathToFileURL } from 'node:url'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { startLoop } from '../../../core/platform/lifecycle.ts'
import { createLogger } from '../../../core/platform/logger.ts'
import { atEndOfTest } from '../../support/at-end.ts'
import { eventually } from '../../support/eventually.ts'

const platform = pathToFileURL(`${import.meta.dirname}/../../../core/platform/`).href

/** A process whose only thread for writing is busy while it logs and stops. */
const script = `
  import { pbkdf2 } from 'node:crypto'
  import { stopOnSignals } from '${platform}lifecycle.ts'
  import { createLogger } from '${platform}logger.ts'
  import { watchSignals } from '${platform}signals.ts'
  const log = createLogger('test', 'info')
  const stop = () => Promise.resolve()
  const { stopNow } = stopOnSignals({ signals: watchSignals(), log, stop, timeoutMs: 30_000 })
  pbkdf2('', '', 300_000, 64, 'sha512', () => undefined)
  log.info('working')
  stopNow(0)`

describe('a loop', () => {
  const atEnd = atEndOfTest()
  const hour = 3_600_000

  /** A loop whose clock stands still, and that finds `work` so many times. */
  const start = (pauses: { idleMs: number; restMs: number }) => {
    const state = { now: 0, work: 0, turns: 0, isFailing: false }
    const loop = startLoop({
      name: 'test',
      idleMs: pauses.idleMs,
      rest: { afterMs: 1_000, ms: pauses.restMs },
      log: createLogger('test', 'silent'),
      nowMs: () => state.now,
      runOnce: async () => {
        state.turns += 1
        if (state.isFailing) throw new Error('an outage')
        return await Promise.resolve(state.work-- > 0 ? 1 : 0)
      },
    })
    atEnd(() => loop.stop())
    const turnsAgain = () => {
      const before = state.turns
      return eventually('it turns', () => state.turns > before + 3)
    }
    const pausesLong = () =>
      eventually('it pauses', async () => {
        const before = state.turns
        await setTimeout(50)
        return state.turns === before
      })
    return { loop, state, turnsAgain, pausesLong }
  }

  it('rests once there has been no work for a while, until it is woken', async () => {
    const { loop, state, turnsAgain, pausesLong } = start({ idleMs: 1, restMs: hour })
    await turnsAgain()
    state.now += 1_000
    await pausesLong()
    expect(loop.isResting()).to.equal(true)
    loop.wake()
    await turnsAgain()
    expect(loop.isResting()).to.equal(false)
  })

  it('rests no longer when it finds work, or fails', async () => {
    for (const why of ['work', 'failure']) {
      const { state, turnsAgain, pausesLong } = start({ idleMs: hour, restMs: 1 })
      state.now += 1_000
      await turnsAgain()
      if (why === 'work') state.work = 1
      else state.isFailing = true
      await pausesLong()
    }
  })
})

describe('stopping a process', () => {
  it('ends it when all lines of its log are written, in order', async () => {
    const env = { PATH: process.env['PATH'], UV_THREADPOOL_SIZE: '1' }
    const args = ['--import', 'tsx', '--input-type=module', '--eval', script]
    const { stdout } = await promisify(execFile)(process.execPath, args, { env })
    const messages = stdout
      .trimEnd()
      .split('\n')
      .map((line) => /"msg":"(.*?)"/.exec(line)?.[1])
    expect(messages).to.deep.equal(['working', 'stopped'])
  })
})
