import { monotonicMs, systemClock } from './clock.ts'
import type { Clock } from './clock.ts'

/**
 * How far the machine's clock may be from the database's. NTP keeps clocks within milliseconds, and a smeared leap second
 * moves one by half a second, so this is a clock that nobody keeps. It is longer than the greatest error of a
 * measurement, and shorter than any wait that matters.
 */
const skewMaxMs = 5_000
/** A longer round trip says too little about when in it the server looked at its clock. */
const roundTripMaxMs = 2_000
/** Clocks that are being corrected run up to 0.5 ‰ fast or slow, the server's and ours. */
const driftRate = 0.001

/** The database's time, sent for and received at these times of the process's monotonic clock. */
export interface ClockReading {
  sentMs: number
  receivedMs: number
  databaseMs: number
}

/** `unknown` until the database has told its time, `off` while the machine's clock is more than five seconds from it. */
export type ClockState = 'ok' | 'off' | 'unknown'

/**
 * The database's clock, as this process sees it: what it last told, and what has passed since by a clock that nobody can
 * set. Processes whose own clocks are hours apart agree by it within the time of a round trip, without one for each look.
 */
export interface DatabaseClock extends Clock {
  /** By how many seconds the machine's clock is ahead of the database's, now; undefined when `unknown`. */
  skewSeconds(): number | undefined
  state(): ClockState
}

/**
 * The best reading counts: a new one replaces it when it is as exact, or when both cannot be true because the database's
 * clock was set. Before the first reading it shows the machine's time.
 */
export function createDatabaseClock({ nowMs = monotonicMs, system = systemClock } = {}): {
  clock: DatabaseClock
  learn: (reading: ClockReading) => void
} {
  /** What to add to the monotonic clock, by how much that may be wrong, and since when. */
  let best: { offsetMs: number; errorMs: number; atMs: number } | undefined

  const skewMs = () => (best === undefined ? undefined : system.now().getTime() - (nowMs() + best.offsetMs))

  return {
    clock: {
      now: () => (best === undefined ? system.now() : new Date(nowMs() + best.offsetMs)),
      skewSeconds: () => {
        const ms = skewMs()
        return ms === undefined ? undefined : ms / 1_000
      },
      state: () => {
        const ms = skewMs()
        if (ms === undefined) return 'unknown'
        return Math.abs(ms) > skewMaxMs ? 'off' : 'ok'
      },
    },
    learn: ({ sentMs, receivedMs, databaseMs }) => {
      if (receivedMs - sentMs > roundTripMaxMs) return
      const errorMs = (receivedMs - sentMs) / 2
      const reading = { offsetMs: databaseMs - (sentMs + errorMs), errorMs, atMs: receivedMs }
      if (best !== undefined) {
        const bestErrorMs = best.errorMs + (receivedMs - best.atMs) * driftRate
        const canBothBeTrue = Math.abs(reading.offsetMs - best.offsetMs) <= errorMs + bestErrorMs
        if (canBothBeTrue && errorMs > bestErrorMs) return
      }
      best = reading
    },
  }
}
