import { monotonicMs, systemClock } from './clock.ts'
import type { Clock } from './clock.ts'

/**
 * The maximum difference between the machine's clock and the database's. NTP keeps clocks within milliseconds, and a
 * smeared leap second moves one by half a second, so a larger difference means a clock that is not synchronised. It is
 * longer than the greatest error of a measurement, and shorter than any wait that matters.
 */
const skewMaxMs = 5_000
/** After a longer round trip it is too uncertain when the server read its clock. */
const roundTripMaxMs = 2_000
/** Clocks that are being corrected run up to 0.5 ‰ fast or slow, the server's and ours. */
const driftRate = 0.001

/** The database's time, requested and received at these times of the process's monotonic clock. */
export interface ClockReading {
  sentMs: number
  receivedMs: number
  databaseMs: number
}

/**
 * `unknown` before the first reading of the database's time, `off` while the machine's clock differs from it by more
 * than five seconds.
 */
export type ClockState = 'ok' | 'off' | 'unknown'

/**
 * The database's clock, as this process sees it: its last reading, plus the time since then by a monotonic clock.
 * Processes whose own clocks are hours apart agree within the time of a round trip, without a query for each reading.
 */
export interface DatabaseClock extends Clock {
  /** The number of seconds by which the machine's clock is ahead of the database's now; undefined if `unknown`. */
  skewSeconds(): number | undefined
  state(): ClockState
}

/**
 * The most exact reading counts. A new one replaces it if it is as exact, or if both cannot be true because the
 * database's clock was set. Before the first reading, the machine's time is used.
 */
export function createDatabaseClock({ nowMs = monotonicMs, system = systemClock } = {}): {
  clock: DatabaseClock
  learn: (reading: ClockReading) => void
} {
  /** The offset to the monotonic clock, its possible error, and when it was measured. */
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
