import { expect } from 'chai'
import { createCompareClocks } from '../../../core/platform/compare-clocks.ts'
import { createDatabaseClock } from '../../../core/platform/database-clock.ts'
import { createLogger } from '../../../core/platform/logger.ts'
import type { Logger } from '../../../core/platform/logger.ts'

describe('comparing the clocks', () => {
  it('asks the database once for all loops that begin within a second, and again for the next', async () => {
    const { clock, learn } = createDatabaseClock()
    let asked = 0
    let nowMs = 0
    const clocks = createCompareClocks({
      databaseClock: clock,
      pingDatabase: async () => {
        asked++
        await Promise.resolve()
        learn({ sentMs: performance.now(), receivedMs: performance.now(), databaseMs: Date.now() })
      },
      log: createLogger('test', 'silent'),
      nowMs: () => nowMs,
    })
    const loop = clocks.guard(() => Promise.resolve(7))
    expect(await Promise.all([loop(), loop(), loop()])).to.deep.equal([7, 7, 7])
    expect(asked).to.equal(1)
    nowMs += 1_000
    expect(await loop()).to.equal(7)
    expect(asked).to.equal(1)
    nowMs += 1
    await loop()
    expect(asked).to.equal(2)
  })

  it('asks again, and lets no loop run, while the clock of the machine is off, and says so once', async () => {
    let offsetMs = 0
    let asked = 0
    const lines: unknown[] = []
    const { clock, learn } = createDatabaseClock({
      system: { now: () => new Date(Date.now() + offsetMs) },
    })
    const keep = (_fields: unknown, message: string) => lines.push(message)
    const clocks = createCompareClocks({
      databaseClock: clock,
      pingDatabase: () => {
        asked++
        learn({ sentMs: performance.now(), receivedMs: performance.now(), databaseMs: Date.now() })
        return Promise.resolve()
      },
      log: { error: keep, info: keep } as unknown as Logger,
      nowMs: () => 0,
    })
    const loop = clocks.guard(() => Promise.resolve(7))
    expect([await loop(), await loop(), asked]).to.deep.equal([7, 7, 1])
    offsetMs = 60_000
    expect([await loop(), await loop(), asked]).to.deep.equal([0, 0, 3])
    offsetMs = 0
    await clocks.runOnce()
    expect(await loop()).to.equal(7)
    expect(lines).to.deep.equal([
      "this machine's clock is off the database's; nothing irrevocable is done here",
      "this machine's clock is right again",
    ])
  })

  it('asks again after the database did not answer, and lets no loop run until it has', async () => {
    const { clock, learn } = createDatabaseClock()
    let isAway = true
    const clocks = createCompareClocks({
      databaseClock: clock,
      pingDatabase: () => {
        if (isAway) return Promise.reject(new Error('away'))
        learn({ sentMs: performance.now(), receivedMs: performance.now(), databaseMs: Date.now() })
        return Promise.resolve()
      },
      log: createLogger('test', 'silent'),
    })
    let runs = 0
    const loop = clocks.guard(() => Promise.resolve(++runs))
    const results = await Promise.allSettled([loop(), loop()])
    expect(results.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected'])
    expect(runs).to.equal(0)
    isAway = false
    expect(await loop()).to.equal(1)
  })
})
