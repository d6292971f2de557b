/** The source of time. Passed in, so that tests can set it. */
export interface Clock {
  now(): Date
}

/** The machine's time. No decision uses it: processes use the database's clock (database-clock.ts). */
export const systemClock: Clock = { now: () => new Date() }

/** The maximum difference between the clocks of our machines. */
export const clockDifferenceMaxMs = 5 * 60_000

/** Monotonic milliseconds, for measuring durations. */
export function monotonicMs(): number {
  return performance.now()
}
