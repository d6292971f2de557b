/** Where the time comes from. Passed in, so that tests can say what time it is. */
export interface Clock {
  now(): Date
}

/** What the machine believes. Nothing is decided by it: a process goes by the database's clock (database-clock.ts). */
export const systemClock: Clock = { now: () => new Date() }

/** How far the clocks of our machines may be apart. */
export const clockDifferenceMaxMs = 5 * 60_000

/** Milliseconds that only ever grow, for measuring durations. */
export function monotonicMs(): number {
  return performance.now()
}
