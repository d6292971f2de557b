import { givenBackUntil, isLost, later, leasedUntil, wasNeverHeard, withJitter } from '../outbound/attempt.ts'
import type { NotMade } from '../outbound/attempt.ts'
import type { WalletOutcome } from '../partner/wallet-outcome.ts'
import { attemptsOf, countedAttempts, planSteps } from './cashback.ts'
import type { CashbackFields, CashbackPlan, CashbackSnapshot, CashbackStep } from './cashback.ts'
import { courseOf, pathToReview } from './course.ts'
import { problemAfterCall, problemOfAsking } from './done-answers.ts'
import type { CashbackState } from './state.ts'
import { answerIn, isOtherAmount } from './wallet-answer.ts'

/** How a casino's players are paid: by our own ledger, or by the casino's wallet. */
export type CreditingVia = { kind: 'ledger' } | { kind: 'http'; id: string; isPaused: boolean }

/** The next step of a cashback's work. */
export type CreditStep =
  /** Our own ledger credits it now. */
  | { kind: 'credit' }
  /** The casino's wallet is called. */
  | { kind: 'attempt' }
  /** Nothing until then; not counted as an attempt. */
  | { kind: 'snooze'; until: Date; problem?: 'name_unknown' }
  /** An operator must find out the result of a wallet that can no longer be called, or correct a wrong result. */
  | { kind: 'review'; problem: 'wallet_changed' | 'wallet_contradicted' | 'amount_mismatch' }
  /** The last attempt's lease ran out without a recorded result. */
  | { kind: 'lost'; result: CreditResult }
  /** It is settled, or left to an operator: the work ends. */
  | { kind: 'finish' }

/** Paused cashbacks check the pause again after a random time in this range, so that they do not all come together. */
const pauseMinMs = 60_000
const pauseMaxMs = 5 * 60_000

/**
 * Whether a cashback that is as its request has left it needs no look: our own ledger credits it, as `decideCreditStep`
 * would.
 */
export function isCreditedUnseen(via: CreditingVia): boolean {
  return via.kind === 'ledger'
}

/** The next step of a credit or a reversal. `random` is from 0 to 1. */
export function decideCreditStep(
  cashback: CashbackSnapshot,
  via: CreditingVia,
  { now, random }: { now: Date; random: number },
): CreditStep {
  const { state, attemptUntil, walletAsked } = cashback
  const { operation, asked, unknown } = courseOf(state)
  if (state !== 'requested' && state !== asked && state !== unknown) return { kind: 'finish' }
  const leased = state === asked ? leasedUntil(attemptUntil, now) : null
  if (leased !== null) return { kind: 'snooze', until: leased }
  // After a wallet has reported a result, only that wallet may be asked again: it will repeat its answer.
  const problem = problemOfAsking(cashback, via.kind === 'http' ? via.id : null)
  if (problem !== undefined) return { kind: 'review', problem }
  // Only the wallet that credited can take the money back.
  if (operation === 'debit' && (via.kind === 'ledger' || walletAsked !== via.id)) {
    return { kind: 'review', problem: 'wallet_changed' }
  }
  if (via.kind === 'ledger') {
    // No wallet can have received it: it was refused as invalid, for example, or an operator found that
    // nothing was paid.
    const isUnheard = walletAsked === null && attemptUntil === null
    return state === 'requested' || isUnheard
      ? { kind: 'credit' }
      : { kind: 'review', problem: 'wallet_changed' }
  }
  // Another wallet does not know the transaction, and would pay a second time.
  if (state !== 'requested' && walletAsked !== null && walletAsked !== via.id) {
    return { kind: 'review', problem: 'wallet_changed' }
  }
  // Counts like any attempt of unknown outcome: a cashback that crashes its process must not be retried
  // without end.
  if (state === asked && isLost(attemptUntil, now)) {
    const outcome = { kind: 'unknown', problem: 'result_lost' } as const
    return {
      kind: 'lost',
      result: decideCreditResult(outcome, cashback, {
        now,
        random,
        isFirstToAsk: false,
        wallet: walletAsked,
      }),
    }
  }
  if (via.isPaused) return { kind: 'snooze', until: later(now, pausedForMs(random)) }
  return { kind: 'attempt' }
}

/** The outcome of an attempt. */
export type AttemptOutcome = WalletOutcome | NotMade

/** The effect of an attempt on its cashback. */
export interface CreditResult {
  plan: CashbackPlan
  /** The time of the next attempt; null if there is none. */
  retryAt: Date | null
}

const secondMs = 1_000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
/** The backoff after each attempt of unknown outcome. After the last one an operator takes over. */
const retryAfterMs: readonly number[] = [
  5 * secondMs,
  30 * secondMs,
  2 * minuteMs,
  10 * minuteMs,
  hourMs,
  6 * hourMs,
  24 * hourMs,
]

/** `random` is from 0 to 1; `wallet` is the one that was called. */
type AttemptCircumstances = { now: Date; random: number; isFirstToAsk: boolean; wallet: string | null }

/**
 * Applies the outcome of the current attempt. If the money turns out to have moved during the call, the wallet is not
 * called again, and a refusal gives nothing back.
 */
export function decideCreditResult(
  outcome: AttemptOutcome,
  cashback: CashbackSnapshot,
  circumstances: AttemptCircumstances,
): CreditResult {
  const result = decideOutcome(outcome, cashback, circumstances)
  const problem = problemAfterCall(answerIn(outcome), cashback, circumstances.wallet)
  if (problem === undefined) return result
  const review = planReview(cashback, problem, {
    attempt: attemptsOf(cashback, courseOf(cashback.state).operation),
  })
  const fields = { ...result.plan.fields, ...review.fields }
  return { ...result, plan: { ...review, fields }, retryAt: null }
}

function decideOutcome(
  outcome: AttemptOutcome,
  cashback: CashbackSnapshot,
  { now, random, isFirstToAsk, wallet }: AttemptCircumstances,
): CreditResult {
  const course = courseOf(cashback.state)
  const attempt = attemptsOf(cashback, course.operation)
  // A wallet that was not reached, or that rejects our credentials, has credited nothing, unless it received
  // an earlier attempt.
  const asked = isFirstToAsk && wasNeverHeard(outcome) ? { walletAsked: null } : {}
  const uncounted = countedAttempts(course.operation, attempt - 1)
  const plan = (
    states: readonly CashbackState[],
    problem: string | null,
    fields?: Partial<CashbackFields>,
    event?: CashbackStep['event'],
  ) => ({
    ...planSteps(
      cashback,
      states.map((to): CashbackStep => {
        const step = { to, data: problem === null ? { attempt } : { attempt, problem } }
        return event === undefined ? step : { ...step, event }
      }),
    ),
    fields: { attemptUntil: null, problem, ...fields },
  })
  const ended = { retryAt: null }
  switch (outcome.kind) {
    case 'credited':
    case 'debited':
    case 'already_processed': {
      if (isOtherAmount(outcome, cashback)) {
        const fields = { walletAsked: wallet }
        return { ...ended, plan: plan([course.unknown, course.review], 'amount_mismatch', fields) }
      }
      const fields = { walletReference: outcome.reference, walletAsked: wallet }
      return { ...ended, plan: plan([course.done], null, course.operation === 'credit' ? fields : {}) }
    }
    case 'declined': {
      const fields = course.operation === 'credit' ? {} : afterDeclinedDebit(cashback)
      return { ...ended, plan: plan([course.declined], outcome.code, fields, course.declinedEvent) }
    }
    case 'misconfigured': {
      const retryAt = later(now, pausedForMs(random))
      const fields = { ...asked, ...(uncalledProblems.includes(outcome.problem) ? uncounted : {}) }
      return { plan: plan([course.unknown], outcome.problem, fields), retryAt }
    }
    case 'not_made': {
      const fields = { ...asked, ...uncounted }
      return { plan: plan([course.unknown], 'not_called', fields), retryAt: givenBackUntil(now, random) }
    }
    case 'unknown': {
      const delayMs = retryAfterMs[attempt - 1]
      if (delayMs === undefined)
        return { ...ended, plan: plan([course.unknown, course.review], outcome.problem, asked) }
      const retryAt = later(now, withJitter(delayMs, random))
      return { plan: plan([course.unknown], outcome.problem, asked), retryAt }
    }
  }
}

/** The attempt, committed before the call. Its lease outlasts the call. */
export function planAttempt(
  cashback: CashbackSnapshot,
  walletAsked: string,
  attemptUntil: Date,
): CashbackPlan {
  const { operation, asked } = courseOf(cashback.state)
  const attempt = attemptsOf(cashback, operation) + 1
  return {
    ...planSteps(cashback, [{ to: asked, data: { attempt } }]),
    fields: { wallet: 'http', walletAsked, attemptUntil, ...countedAttempts(operation, attempt) },
  }
}

/** The wallet will never accept this debit. The next request for a reversal uses another one. */
function afterDeclinedDebit({ debitNumber }: CashbackSnapshot): Partial<CashbackFields> {
  return { debitNumber: debitNumber + 1, debitAttempts: 0 }
}

/** Our own ledger credits a cashback, which may have been meant for an outside wallet. */
export function planLedgerCredit(cashback: CashbackSnapshot): CashbackPlan {
  return {
    ...planSteps(cashback, [{ to: 'credited' }]),
    fields: { wallet: 'ledger', attemptUntil: null, problem: null },
  }
}

/** Leaves a cashback to operators: its wallet cannot be called any more. */
export function planReview(
  cashback: CashbackSnapshot,
  problem: string,
  attempt: { attempt?: number } = {},
): CashbackPlan {
  const steps = pathToReview(cashback.state).map((to) => ({ to, data: { ...attempt, problem } }))
  return { ...planSteps(cashback, steps), fields: { attemptUntil: null, problem } }
}

/** Failures before any connection: they do not count as attempts. */
const uncalledProblems: readonly string[] = ['url_invalid', 'address_forbidden']

function pausedForMs(random: number): number {
  return pauseMinMs + (pauseMaxMs - pauseMinMs) * random
}
