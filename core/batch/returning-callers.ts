import { monotonicMs } from '../platform/clock.ts'

/** So long after the last answer or call, those that have not called again are not expected any more. */
const quietMs = 1

/**
 * Callers that were just answered and will probably call again: a casino's platform has a request on each of its
 * connections as long as it is busy. They are expected until nothing has come for a millisecond, or for a given time.
 */
export interface ReturningCallers {
  expect(count: number, forMsMax: number): void
  /** One has called. */
  arrive(): void
  /** The number that are still expected. */
  count(): number
  /** Calls `onQuiet` as soon as none is expected. */
  watch(): void
}

export function createReturningCallers(
  onQuiet: () => void,
  nowMs: () => number = monotonicMs,
): ReturningCallers {
  let expected = 0
  let movedAtMs = -Infinity
  let untilMs = -Infinity
  let timer: NodeJS.Timeout | undefined

  function count(): number {
    if (expected > 0) {
      const now = nowMs()
      if (now - movedAtMs >= quietMs || now >= untilMs) expected = 0
    }
    return expected
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
      movedAtMs = nowMs()
      untilMs = Math.max(untilMs, movedAtMs + forMsMax)
      expected += more
    },
    arrive: () => {
      if (expected === 0) return
      expected--
      movedAtMs = nowMs()
    },
    count,
    watch,
  }
}
