import type { Money } from '../money.ts'
import type { WalletOutcome } from '../partner/wallet-outcome.ts'
import type { WalletOperation } from './course.ts'

/** The call of a wallet that an answer belongs to. */
export interface WalletCall {
  operation: WalletOperation
  transactionId: string
  /** Which wallet (`partnerIdOf` its URL). */
  wallet: string
  attempt: number
}

/** What a wallet has told us; kept beside the cashback for ever, and never overwritten. */
export interface WalletAnswer extends WalletCall {
  outcome: 'credited' | 'debited' | 'already_processed' | 'declined'
  /** Why it declined. */
  code: string | null
  /** What it says it has paid, or taken back, if it says so. */
  amount: Money | undefined
  reference: string | null
  /** We have something else on record already, and people must look. */
  contradicts: boolean
}

/** One that says that the wallet has paid, or taken back: what decisions look at. */
export type DoneAnswer = Pick<WalletAnswer, 'operation' | 'transactionId' | 'wallet' | 'amount'>

/** The answer in the outcome of a call; undefined when the wallet has told nothing that can be relied on. */
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

/** What it says, without where it belongs. */
export type AnswerOfWallet = Omit<WalletAnswer, keyof WalletCall | 'contradicts'>

/** Whether the wallet says that it has done what it was asked: the player has the money, or has it no more. */
export function isDone({ outcome }: Pick<WalletAnswer, 'outcome'>): boolean {
  return outcome !== 'declined'
}

/** Whether it says so of another amount than it was asked for. */
export function isOtherAmount({ amount }: Pick<WalletAnswer, 'amount'>, asked: Money): boolean {
  return (
    amount !== undefined && (amount.amountMinor !== asked.amountMinor || amount.currency !== asked.currency)
  )
}
