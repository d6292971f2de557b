import type { Operation } from '../idempotency/idempotency.ts'
import type { Clock } from '../platform/clock.ts'
import type { JobName } from '../queue/jobs.ts'

/** How a request ended: with success, refused (4xx), or by a fault of ours (5xx). */
export type OperationEnd = 'ok' | 'refused' | 'failed'
/** Jobs that came into a queue, and that ended. */
export type JobStep = 'in' | 'out' | 'failed'

/** The names of the counts; they are stored. */
export type CountName = `${Operation}.${OperationEnd}` | `${JobName}.${JobStep}`

export const minuteMs = 60_000
/** Minutes that are kept while the database is away; older ones are forgotten. */
const keptMinutesMax = 60

export type MinuteCounts = ReadonlyMap<CountName, number>

/** The counts of this process, by minute. Counting costs next to nothing; a heartbeat stores them. */
export interface ProcessCounts {
  count(name: CountName, by?: number): void
  /** The minutes with counts that are not written, and the one of `now`. */
  unwritten(now: Date): ReadonlyMap<number, MinuteCounts>
  /** They are in the database, unless more has been counted since. */
  written(minutes: ReadonlyMap<number, MinuteCounts>): void
}

export function createProcessCounts(clock: Clock): ProcessCounts {
  /** A map is replaced when something is counted that has been handed out before. */
  const minutes = new Map<number, Map<CountName, number>>()
  const unwritten = new Set<number>()
  const handedOut = new WeakSet<MinuteCounts>()

  const minuteOf = (at: Date) => Math.floor(at.getTime() / minuteMs) * minuteMs
  const countsOf = (minute: number): Map<CountName, number> => {
    const found = minutes.get(minute)
    if (found !== undefined && !handedOut.has(found)) return found
    const counts = new Map(found)
    minutes.set(minute, counts)
    return counts
  }
  return {
    count: (name, by = 1) => {
      const minute = minuteOf(clock.now())
      const counts = countsOf(minute)
      counts.set(name, (counts.get(name) ?? 0) + by)
      unwritten.add(minute)
    },
    unwritten: (now) => {
      unwritten.add(minuteOf(now))
      forgetBefore(minutes, unwritten, minuteOf(now) - keptMinutesMax * minuteMs)
      const found = new Map([...unwritten].map((minute) => [minute, countsOf(minute)] as const))
      for (const counts of found.values()) handedOut.add(counts)
      return found
    },
    written: (found) => {
      for (const [minute, counts] of found) if (minutes.get(minute) === counts) unwritten.delete(minute)
      // Clocks are set back a little: the minute before stays, or its row would begin again.
      forgetBefore(minutes, unwritten, Math.max(...found.keys()) - minuteMs, true)
    },
  }
}

function forgetBefore(
  minutes: Map<number, unknown>,
  unwritten: Set<number>,
  before: number,
  onlyWritten = false,
): void {
  for (const minute of minutes.keys()) {
    if (minute >= before || (onlyWritten && unwritten.has(minute))) continue
    minutes.delete(minute)
    unwritten.delete(minute)
  }
}
