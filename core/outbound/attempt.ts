/**
 * What holds for every attempt to have another system do something: it is committed before the call, with a lease, and its
 * result after the call. While the lease runs, nobody else touches the work; when it has run out and nothing was recorded,
 * the result is lost, and the next attempt carries the same id.
 */

/** Longer than recording the result can take, with all its time-outs: a lease must not run out in the middle of that. */
const leaseMarginMs = 10_000

/** How long an attempt is leased whose call, with what prepares it, lasts so long at most. */
export function leaseMsOf(callMs: number): number {
  return callMs + leaseMarginMs
}

/**
 * Until when somebody may be in the middle of the call, or has died in it: not before the lease has run out can we tell.
 * Null when nobody can be.
 */
export function leasedUntil(attemptUntil: Date | null, now: Date): Date | null {
  return attemptUntil !== null && attemptUntil > now ? attemptUntil : null
}

/** Nobody can be in the call any more, and nobody has recorded what came of it. */
export function isLost(attemptUntil: Date | null, now: Date): attemptUntil is Date {
  return attemptUntil !== null && attemptUntil <= now
}

/**
 * Whether a call is surely over before the lease is. Between the commit of the attempt and the call the process may have
 * been stopped for any time; who calls too late would call beside the next attempt.
 */
export function isInTime(attemptUntil: Date, timeoutMs: number, now: Date): boolean {
  return later(now, timeoutMs) <= attemptUntil
}

/** The attempt was too late for its call: nobody was called, and the attempt is given back. */
export interface NotMade {
  kind: 'not_made'
}

/** How a call ended, in a word of ours; with the reason as a code, if it went wrong. */
export interface CallOutcome {
  kind: string
  problem?: string
}

/** What a call has shown of its partner: whether it did what it was for, and whether there was an answer at all. */
export interface Impression {
  hasSucceeded: boolean
  hasAnswered: boolean
}

/** Of partners whose every answer that can be understood is a success, whatever it says. */
export function impressionOf({ kind }: CallOutcome): Impression {
  const isClear = kind !== 'unknown'
  return { hasSucceeded: isClear, hasAnswered: isClear }
}

/** With these the request has not left us (core/partner/http-client.ts). */
const unsentProblems: readonly string[] = ['name_unknown', 'connection_refused', 'tls_failed']

/** Who was not reached, or does not know us, has done nothing. */
export function wasNeverHeard({ kind, problem }: CallOutcome): boolean {
  if (kind === 'unknown') return problem !== undefined && unsentProblems.includes(problem)
  return kind === 'misconfigured' || kind === 'not_made'
}

/** A process that is so much behind that it may not call any more should get less to do for a moment. */
const givenBackForMs = 5_000

/** Until when work rests whose attempt was given back. `random` is from 0 to 1. */
export function givenBackUntil(now: Date, random: number): Date {
  return later(now, withJitter(givenBackForMs, random))
}

/** So that what failed together does not come back together. */
const jitterMax = 0.2

/** `random` is from 0 to 1. */
export function withJitter(ms: number, random: number): number {
  return ms * (1 + jitterMax * random)
}

export function later(time: Date, byMs: number): Date {
  return new Date(time.getTime() + byMs)
}
