import { givenBackForMs, isLost, later, leasedUntil, wasNeverHeard, withJitter } from '../outbound/attempt.ts'
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

/** What is to be done about a cashback that there is work for. */
export type CreditStep =
  /** Our own ledger credits it, now. */
  | { kind: 'credit' }
  /** The casino's wallet is to be asked. */
  | { kind: 'attempt' }
  /** Nothing before then, and nothing is counted. */
  | { kind: 'wait'; until: Date; problem?: 'name_unknown' }
  /** A person must find out what an outside wallet has done that we can ask no more, or put right what it has done. */
  | { kind: 'review'; problem: 'wallet_changed' | 'wallet_contradicted' | 'amount_mismatch' }
  /** Nobody can be in the last attempt any more, and nobody has stored what came of it. */
  | { kind: 'lost'; result: CreditResult }
  /** It is settled, or a person's business: there is nothing left to do. */
  | { kind: 'cross_off' }

/** Between these, paused cashbacks look again whether they may go on; by chance, so that they do not come all at once. */
const pauseMinMs = 60_000
const pauseMaxMs = 5 * 60_000

/**
 * The next step for a cashback that is to be credited, or whose credit is to be taken back. `random` is from 0 to 1.
 */
export function decideCreditStep(
  cashback: CashbackSnapshot,
  via: CreditingVia,
  { now, random }: { now: Date; random: number },
): CreditStep {
  const { state, attemptUntil, walletAsked } = cashback
  const { operation, asked, unknown } = courseOf(state)
  if (state !== 'requested' && state !== asked && state !== unknown) return { kind: 'cross_off' }
  const leased = state === asked ? leasedUntil(attemptUntil, now) : null
  if (leased !== null) return { kind: 'wait', until: leased }
  // What a wallet says that it has done, only the same wallet may be asked to do again: it will say so once more.
  const problem = problemOfAsking(cashback, via.kind === 'http' ? via.id : null)
  if (problem !== undefined) return { kind: 'review', problem }
  // Only the wallet that has credited can take the money back.
  if (operation === 'debit' && (via.kind === 'ledger' || walletAsked !== via.id)) {
    return { kind: 'review', problem: 'wallet_changed' }
  }
  if (via.kind === 'ledger') {
    // No wallet can have heard of it: it was refused as such, say, or a person has found out that it paid nothing.
    const isUnheard = walletAsked === null && attemptUntil === null
    return state === 'requested' || isUnheard
      ? { kind: 'credit' }
      : { kind: 'review', problem: 'wallet_changed' }
  }
  // Another wallet has never seen the transaction, and would pay what the one before may have paid.
  if (state !== 'requested' && walletAsked !== null && walletAsked !== via.id) {
    return { kind: 'review', problem: 'wallet_changed' }
  }
  // As after any other attempt of unknown outcome: what kills the process in each of them must not go on for ever.
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
  if (via.isPaused) return { kind: 'wait', until: later(now, pausedForMs(random)) }
  return { kind: 'attempt' }
}

/** What came of an attempt. */
export type AttemptOutcome = WalletOutcome | NotMade

/** What an attempt makes of a cashback. */
export interface CreditResult {
  plan: CashbackPlan
  /** When to try again; null when there is nothing more to do by ourselves. */
  retryAt: Date | null
}

const secondMs = 1_000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
/** How long after each attempt of unknown outcome the next one is made; after the last of them it is for people. */
const retryAfterMs: readonly number[] = [
  5 * secondMs,
  30 * secondMs,
  2 * minuteMs,
  10 * minuteMs,
  hourMs,
  6 * hourMs,
  24 * hourMs,
]

/** `random` is from 0 to 1; `wallet` is who was asked. */
type AttemptCircumstances = { now: Date; random: number; isFirstToAsk: boolean; wallet: string | null }

/**
 * What the outcome of the attempt under way means. During the call it can have come out that the money had moved already:
 * then nobody is asked again, and a refusal gives nothing back.
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
  // Who was not reached, or does not know us, has credited nothing; unless an attempt before this one was heard.
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
      const retryAt = later(now, withJitter(givenBackForMs, random))
      const fields = { ...asked, ...uncounted }
      return { plan: plan([course.unknown], 'not_called', fields), retryAt }
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

/** The attempt that is committed before the wallet is called. Its lease runs out when nobody can be in the call any more. */
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

/** The wallet will never carry out this one; whoever wants the money back after all asks for another. */
function afterDeclinedDebit({ debitNumber }: CashbackSnapshot): Partial<CashbackFields> {
  return { debitNumber: debitNumber + 1, debitAttempts: 0 }
}

/** The credit by our own ledger of what an outside wallet was to credit first. */
export function planLedgerCredit(cashback: CashbackSnapshot): CashbackPlan {
  return {
    ...planSteps(cashback, [{ to: 'credited' }]),
    fields: { wallet: 'ledger', attemptUntil: null, problem: null },
  }
}

/** Hands a cashback to people that no wallet can be asked about any more. */
export function planReview(
  cashback: CashbackSnapshot,
  problem: string,
  attempt: { attempt?: number } = {},
): CashbackPlan {
  const steps = pathToReview(cashback.state).map((to) => ({ to, data: { ...attempt, problem } }))
  return { ...planSteps(cashback, steps), fields: { attemptUntil: null, problem } }
}

/** With these we have not even tried to reach anybody: it was no attempt. */
const uncalledProblems: readonly string[] = ['url_invalid', 'address_forbidden']

function pausedForMs(random: number): number {
  return pauseMinMs + (pauseMaxMs - pauseMinMs) * random
}
