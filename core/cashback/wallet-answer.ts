import type { Money } from '../money.ts'
import type { WalletOutcome } from '../partner/wallet-outcome.ts'
import type { WalletOperation } from './course.ts'

/** The wallet call that an answer belongs to. */
export interface WalletCall {
  operation: WalletOperation
  transactionId: string
  /** The wallet (`partnerIdOf` its URL). */
  wallet: string
  attempt: number
}

/** A wallet's answer; stored with the cashback permanently, and never overwritten. */
export interface WalletAnswer extends WalletCall {
  outcome: 'credited' | 'debited' | 'already_processed' | 'declined'
  /** The reason for a decline. */
  code: string | null
  /** The amount that the wallet reports as paid or taken back, if it reports one. */
  amount: Money | undefined
  reference: string | null
  /** True if it contradicts the recorded state: an operator must look. */
  contradicts: boolean
}

/** An answer that reports success: the input of decisions. */
export type DoneAnswer = Pick<WalletAnswer, 'operation' | 'transactionId' | 'wallet' | 'amount'>

/** The answer in a call's outcome; undefined if there is no reliable one. */
export function answerIn(outcome: WalletOutcome | { kind: 'not_made' }): AnswerOfWallet | undefined {
  switch (outcome.kind) {
    case 'credited':
    case 'debited':
    case 'already_processed': {
      const { kind, amount, reference } = outcome
      return { outcome: kind, code: null, amount, reference }
    }
    case 'declined':
      return { outcome: outcome.kind, code: outcome.code, amount: undefined, reference: null }
    case 'misconfigured':
    case 'unknown':
    case 'not_made':
      return undefined
  }
}

/** The answer without the call that it belongs to. */
export type AnswerOfWallet = Omit<WalletAnswer, keyof WalletCall | 'contradicts'>

/** The wallet reports success: the player has the money, or no longer has it. */
export function isDone({ outcome }: Pick<WalletAnswer, 'outcome'>): boolean {
  return outcome !== 'declined'
}

/** The wallet reports another amount than requested. */
export function isOtherAmount({ amount }: Pick<WalletAnswer, 'amount'>, asked: Money): boolean {
  return (
    amount !== undefined && (amount.amountMinor !== asked.amountMinor || amount.currency !== asked.currency)
  )
}
