import { expect } from 'chai'
import { createDatabaseClock } from '../../../core/platform/database-clock.ts'

const hourMs = 3_600_000

describe("the database's clock", () => {
  const databaseStartMs = Date.UTC(2027, 4, 6, 12)
  /** A process whose machine is so far ahead of the database, while both advance. */
  const start = (aheadMs: number) => {
    let passedMs = 0
    let systemAheadMs = aheadMs
    let databaseAheadMs = 0
    const { clock, learn } = createDatabaseClock({
      nowMs: () => 1_000 + passedMs,
      system: { now: () => new Date(databaseStartMs + passedMs + systemAheadMs) },
    })
    return {
      clock,
      pass: (ms: number) => void (passedMs += ms),
      setSystem: (ms: number) => void (systemAheadMs = ms),
      setDatabase: (ms: number) => void (databaseAheadMs = ms),
      /** Asks the database; its answer is made so many milliseconds after the question, and comes after so many more. */
      ask: (thereMs: number, backMs: number) => {
        const sentMs = 1_000 + passedMs
        passedMs += thereMs
        const databaseMs = databaseStartMs + passedMs + databaseAheadMs
        passedMs += backMs
        learn({ sentMs, receivedMs: 1_000 + passedMs, databaseMs })
      },
      errorMs: () => clock.now().getTime() - (databaseStartMs + passedMs + databaseAheadMs),
    }
  }

  it('is shown even if the machine’s clock is wrong, and continues without a query', () => {
    for (const aheadMs of [-400 * 24 * hourMs, -3 * hourMs, 0, 3 * hourMs]) {
      const process = start(aheadMs)
      process.ask(1, 1)
      expect(process.errorMs()).to.equal(0)
      process.pass(hourMs)
      expect(process.errorMs()).to.equal(0)
      expect(process.clock.skewSeconds()).to.equal(aheadMs / 1_000)
    }
  })

  it('is unknown until the database has answered quickly once', () => {
    const process = start(3 * hourMs)
    expect(process.clock.state()).to.equal('unknown')
    expect(process.clock.skewSeconds()).to.equal(undefined)
    process.ask(0, 2_001)
    expect(process.clock.state()).to.equal('unknown')
    process.ask(1, 1)
    expect(process.clock.state()).to.equal('off')
  })

  it('is known to within half a round trip, and never becomes less exact', () => {
    const process = start(0)
    process.ask(0, 100)
    expect(process.errorMs()).to.equal(-50)
    process.ask(3, 1)
    expect(process.errorMs()).to.equal(1)
    process.ask(400, 0)
    expect(process.errorMs(), 'a worse answer changes nothing').to.equal(1)
    process.pass(hourMs)
    process.ask(0, 400)
    expect(process.errorMs(), 'after an hour of drift it is the better one').to.equal(-200)
  })

  it('is followed immediately when it is changed, even if the answer is slow', () => {
    const process = start(0)
    process.ask(1, 1)
    for (const ms of [-hourMs, hourMs]) {
      process.setDatabase(ms)
      process.ask(0, 200)
      expect(process.errorMs()).to.equal(-100)
    }
  })

  it('shows that the machine’s clock is off when it differs by more than five seconds, as soon as it does', () => {
    const process = start(0)
    process.ask(1, 1)
    for (const [aheadMs, state] of [
      [5_000, 'ok'],
      [5_001, 'off'],
      [-5_000, 'ok'],
      [-5_001, 'off'],
      [0, 'ok'],
    ] as const) {
      process.setSystem(aheadMs)
      expect(process.clock.state(), String(aheadMs)).to.equal(state)
    }
  })
})
