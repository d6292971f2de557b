import { expect } from 'chai'
import { createCompareClocks } from '../../../core/platform/compare-clocks.ts'
import { createDatabaseClock } from '../../../core/platform/database-clock.ts'
import { createLogger } from '../../../core/platform/logger.ts'

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

  it('notices a changed clock of the machine without asking, and lets no loop run', async () => {
    let offsetMs = 0
    const { clock, learn } = createDatabaseClock({
      system: { now: () => new Date(Date.now() + offsetMs) },
    })
    const clocks = createCompareClocks({
      databaseClock: clock,
      pingDatabase: () => {
        learn({ sentMs: performance.now(), receivedMs: performance.now(), databaseMs: Date.now() })
        return Promise.resolve()
      },
      log: createLogger('test', 'silent'),
      nowMs: () => 0,
    })
    const loop = clocks.guard(() => Promise.resolve(7))
    expect(await loop()).to.equal(7)
    offsetMs = 60_000
    expect(await loop()).to.equal(0)
    offsetMs = 0
    expect(await loop()).to.equal(7)
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
