/**
 * The rules of every attempt to have another system do something. It is committed with a lease before the call, and its
 * result after the call. While the lease runs, other workers leave the work alone; if it runs out without a recorded
 * result, the attempt is lost, and the next one has the same id.
 */

/** Longer than recording the result can take, with all its time-outs: the lease must not run out before that. */
const leaseMarginMs = 10_000

/** The lease for a call with this maximum duration, including its preparation. */
export function leaseMsOf(callMs: number): number {
  return callMs + leaseMarginMs
}

/** Until when a call may be running, or its process may have crashed in it. Null if there is none. */
export function leasedUntil(attemptUntil: Date | null, now: Date): Date | null {
  return attemptUntil !== null && attemptUntil > now ? attemptUntil : null
}

/** True if the lease has run out without a recorded result. */
export function isLost(attemptUntil: Date | null, now: Date): attemptUntil is Date {
  return attemptUntil !== null && attemptUntil <= now
}

/**
 * True if the call is sure to end before its lease. The process may have been stopped for any time between the commit
 * of the attempt and the call; a late call would run beside the next attempt.
 */
export function isInTime(attemptUntil: Date, timeoutMs: number, now: Date): boolean {
  return later(now, timeoutMs) <= attemptUntil
}

/**
 * The attempt was too late for its call, or began ahead of a slot and did not get one: no call was made, and the attempt is
 * given back. In the second case the work returns to its line.
 */
export interface NotMade {
  kind: 'not_made'
  isForLine?: true
}

/** The outcome of a call, with an error code if it failed. */
export interface CallOutcome {
  kind: string
  problem?: string
}

/** The evidence of a call about its partner: whether it succeeded, and whether there was an answer at all. */
export interface Impression {
  hasSucceeded: boolean
  hasAnswered: boolean
}

/** For partners whose every valid answer is a success. */
export function impressionOf({ kind }: CallOutcome): Impression {
  const isClear = kind !== 'unknown'
  return { hasSucceeded: isClear, hasAnswered: isClear }
}

/** Failures before the request was sent (core/partner/http-client.ts). */
const unsentProblems: readonly string[] = ['name_unknown', 'connection_refused', 'tls_failed']

/** A partner that was not reached, or that rejects our credentials, has done nothing. */
export function wasNeverHeard({ kind, problem }: CallOutcome): boolean {
  if (kind === 'unknown') return problem !== undefined && unsentProblems.includes(problem)
  return kind === 'misconfigured' || kind === 'not_made'
}

/** A process that is too late for its calls takes less work for a moment. */
const givenBackForMs = 5_000

/** Until when work is snoozed after its attempt was given back. `random` is from 0 to 1. */
export function givenBackUntil(now: Date, random: number): Date {
  return later(now, withJitter(givenBackForMs, random))
}

/** Spreads the retries of work that failed together. */
const jitterMax = 0.2

/** `random` is from 0 to 1. */
export function withJitter(ms: number, random: number): number {
  return ms * (1 + jitterMax * random)
}

export function later(time: Date, byMs: number): Date {
  return new Date(time.getTime() + byMs)
}
