import { monotonicMs } from '../platform/clock.ts'

/** So long after the last answer or call, those that have not called again are not expected any more. */
const quietMs = 1
/** Callers count while at least this part of those that were expected has come back lately. */
const usualPartMin = 0.5
/** The weight of the newest answers in that part. */
const newestWeight = 0.25

/**
 * Callers that were just answered and will probably call again: a busy platform has a request on each of its connections.
 * They are expected until nothing has come for a millisecond, or for a given time. Whether they come that soon is learned:
 * those who are far away, or have nothing more to ask, are not expected.
 */
export interface ReturningCallers {
  /** Call before their answers are sent, which takes the rest of this turn of the event loop. */
  expect(count: number, forMsMax: number): void
  /** One has called. */
  arrive(): void
  /** The number that are still expected; 0 while most do not come back. */
  count(): number
  /** Calls `onQuiet` as soon as none is expected. */
  watch(): void
}

export function createReturningCallers(
  onQuiet: () => void,
  nowMs: () => number = monotonicMs,
): ReturningCallers {
  /** Since nothing was expected: the number of callers, and of those that have not come back. */
  let asked = 0
  let missing = 0
  let usualPart = 1
  /** Infinite while the answers are being sent. */
  let movedAtMs = -Infinity
  let untilMs = -Infinity
  let timer: NodeJS.Timeout | undefined

  /** Learns from those that were expected, once it is known who came back. */
  function settle(): void {
    if (asked === 0) return
    const now = nowMs()
    if (missing > 0 && now - movedAtMs < quietMs && now < untilMs) return
    usualPart += newestWeight * ((asked - missing) / asked - usualPart)
    asked = missing = 0
    untilMs = -Infinity
  }

  function count(): number {
    settle()
    return usualPart < usualPartMin ? 0 : missing
  }

  function watch(): void {
    timer ??= setTimeout(() => {
      timer = undefined
      if (count() > 0) watch()
      else onQuiet()
    }, quietMs)
  }

  return {
    expect: (more, forMsMax) => {
      settle()
      asked += more
      missing += more
      untilMs = Math.max(untilMs, nowMs() + forMsMax)
      movedAtMs = Infinity
      setImmediate(() => {
        movedAtMs = nowMs()
      })
    },
    arrive: () => {
      settle()
      if (missing === 0) return
      missing--
      movedAtMs = Math.max(movedAtMs, nowMs())
    },
    count,
    watch,
  }
}
