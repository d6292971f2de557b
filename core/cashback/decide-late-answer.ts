import { leasedUntil } from '../outbound/attempt.ts'
import { planSteps, transactionIdOf } from './cashback.ts'
import type { CashbackPlan, CashbackSnapshot, CashbackStep } from './cashback.ts'
import { courseOf, courses, isOpen, pathToReview } from './course.ts'
import type { AttemptOutcome } from './decide-credit.ts'
import { answerIn, isDone, isOtherAmount } from './wallet-answer.ts'
import type { AnswerOfWallet, WalletAnswer, WalletCall } from './wallet-answer.ts'

/** An answer that arrived after its attempt was given up, and how an operator finds it. */
export interface LateAnswer {
  answer: WalletAnswer
  plan: CashbackPlan
}

/**
 * Stores an answer that arrived too late, and records in the history if it contradicts the cashback's state. A wallet
 * that may have moved the money is not called again: an open cashback goes to manual review. Undefined if the wallet
 * gave no usable answer.
 */
export function decideLateAnswer(
  call: WalletCall,
  outcome: AttemptOutcome,
  cashback: CashbackSnapshot,
  now: Date,
): LateAnswer | undefined {
  const told = answerIn(outcome)
  if (told === undefined) return undefined
  const contradicts = contradictsRecord(call, told, cashback)
  const answer = { ...call, ...told, contradicts }
  if (!contradicts) return { answer, plan: { steps: [] } }
  const { state } = cashback
  const data = {
    attempt: call.attempt,
    outcome: told.outcome,
    ...(told.code === null ? {} : { code: told.code }),
  }
  const note = (problem?: string): CashbackStep => ({
    event: 'wallet_contradicted',
    to: state,
    data: problem === undefined ? data : { ...data, problem },
  })
  const isStillAsked = isOpen(state) && courseOf(state).operation === call.operation
  if (!isDone(told) || !isStillAsked || leasedUntil(cashback.attemptUntil, now) !== null)
    return { answer, plan: { steps: [note()] } }
  const problem = isOtherAmount(told, cashback) ? 'amount_mismatch' : 'wallet_contradicted'
  const steps = pathToReview(state).map((to) => ({ to, data: { attempt: call.attempt, problem } }))
  return {
    answer,
    plan: {
      ...planSteps(cashback, [note(problem), ...steps]),
      fields: { problem, attemptUntil: null },
      work: 'finish',
    },
  }
}

/**
 * True if a late answer contradicts the cashback's state. An answer that the next attempt to the same wallet will
 * repeat does not.
 */
function contradictsRecord(call: WalletCall, answer: AnswerOfWallet, cashback: CashbackSnapshot): boolean {
  const isOfOtherAmount = isDone(answer) && isOtherAmount(answer, cashback)
  return (
    isOfOtherAmount ||
    (call.operation === 'credit'
      ? contradictsCredit(call, answer, cashback)
      : contradictsDebit(call, answer, cashback))
  )
}

/** A credit: the player should have the money unless it was declined or taken back. */
function contradictsCredit(
  call: WalletCall,
  answer: AnswerOfWallet,
  { state, walletAsked }: CashbackSnapshot,
): boolean {
  const isOfWalletOnRecord = walletAsked === call.wallet
  if (isDone(answer)) return state === 'declined' || state === 'reversed' || !isOfWalletOnRecord
  const isPaidOnRecord = state === 'credited' || courseOf(state) === courses.debit
  return isOfWalletOnRecord && isPaidOnRecord
}

/** A debit: the player should no longer have the money, and it should have been taken once. */
function contradictsDebit(call: WalletCall, answer: AnswerOfWallet, cashback: CashbackSnapshot): boolean {
  const isOnRecord = call.transactionId === transactionIdOf(cashback, 'debit')
  if (isDone(answer)) return cashback.state === 'credited' || !isOnRecord
  return isOnRecord && cashback.state === 'reversed'
}
