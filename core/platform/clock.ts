/** Where the time comes from. Passed in, so that tests can say what time it is. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

/** Milliseconds that only ever grow, for measuring durations. */
export function monotonicMs(): number {
  return performance.now()
}
