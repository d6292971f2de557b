import type { Clock } from '../../core/platform/clock.ts'

/** Nobody mistypes a key more often; who guesses 16 characters this slowly does not finish. */
const failuresMax = 20
const windowMs = 60_000

/** Counts failed logins, of all callers together: behind proxies their addresses say little. */
export interface LoginLimit {
  /** Milliseconds until the next attempt is looked at; 0 when it is now. */
  waitMs(): number
  recordFailure(): void
}

/** At most `failuresMax` failures a minute in this process. */
export function createLoginLimit({ clock }: { clock: Clock }): LoginLimit {
  let startedAtMs = 0
  let failures = 0
  return {
    waitMs: () => (failures < failuresMax ? 0 : Math.max(0, startedAtMs + windowMs - clock.now().getTime())),
    recordFailure: () => {
      const nowMs = clock.now().getTime()
      if (nowMs >= startedAtMs + windowMs) {
        startedAtMs = nowMs
        failures = 0
      }
      failures += 1
    },
  }
}
