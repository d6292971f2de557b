import type { Money } from '../money.ts'
import { hasLiveCall, pathToReview, planSteps } from './cashback.ts'
import type { CashbackPlan, CashbackSnapshot } from './cashback.ts'
import type { AttemptOutcome } from './decide-credit.ts'
import type { CashbackState } from './state.ts'
import { answerIn, hasPaid, isOtherAmount } from './wallet-answer.ts'
import type { AnswerOfWallet, WalletAnswer, WalletCall } from './wallet-answer.ts'

/** What is made of an answer that comes after its attempt was given up, and how a person finds it. */
export interface LateAnswer {
  answer: WalletAnswer
  plan: CashbackPlan
}

/**
 * What becomes of an answer that nobody waits for any more: it is kept, and where it contradicts what is on record, the
 * history says so. What a wallet may have paid for nobody is asked for again: a cashback that is still open goes to
 * people. Undefined when the wallet has told nothing.
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
  const note = (problem?: string) => ({
    event: 'wallet_contradicted',
    to: state,
    data: problem === undefined ? data : { ...data, problem },
  })
  if (!hasPaid(told) || !isOpen(state) || hasLiveCall(cashback, now))
    return { answer, plan: { steps: [note()] } }
  const problem = isOtherAmount(told, cashback) ? 'amount_mismatch' : 'wallet_contradicted'
  const steps = pathToReview(state).map((to) => ({ to, data: { attempt: call.attempt, problem } }))
  return {
    answer,
    plan: {
      ...planSteps(cashback, [note(problem), ...steps]),
      fields: { problem, attemptUntil: null },
      work: 'drop',
    },
  }
}

/**
 * Whether an answer that nobody waits for any more contradicts what is on record of the cashback meanwhile. One that the
 * next attempt will bring again, from the same wallet, does not.
 */
function contradictsRecord(
  call: WalletCall,
  answer: AnswerOfWallet,
  cashback: Money & { state: CashbackState; walletAsked: string | null },
): boolean {
  const { state, walletAsked } = cashback
  const isOfWalletOnRecord = walletAsked === call.wallet
  if (!hasPaid(answer)) return isOfWalletOnRecord && (state === 'credited' || state === 'reversed')
  return (
    state === 'declined' || state === 'reversed' || !isOfWalletOnRecord || isOtherAmount(answer, cashback)
  )
}

function isOpen(state: CashbackState): state is 'processing' | 'unknown' | 'manual_review' {
  return state === 'processing' || state === 'unknown' || state === 'manual_review'
}
