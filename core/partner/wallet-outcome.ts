import type { Money } from '../money.ts'

/**
 * The refusals that settle a cashback: the wallet has not credited, and never will. Anything else that sounds like a
 * refusal is none that we may act on. A duplicate is not among them: who has credited before says `already_processed`.
 */
export const declineCodes = [
  'player_unknown',
  'player_blocked',
  'account_closed',
  'currency_unsupported',
  'limit_exceeded',
] as const
export type DeclineCode = (typeof declineCodes)[number]

/** The refusals that settle a debit: the wallet has not taken the money back, and never will under this transaction id. */
export const debitDeclineCodes = [
  'player_unknown',
  'player_blocked',
  'account_closed',
  'insufficient_funds',
  'credit_unknown',
] as const
export type DebitDeclineCode = (typeof debitDeclineCodes)[number]

/** What came of asking a wallet to credit, or to take a credit back. `problem` is a code of ours, never a partner's text. */
export type WalletOutcome =
  /** `amount` is what the wallet says it has credited, if it says so. */
  | { kind: 'credited'; amount: Money | undefined; reference: string | null }
  /** The same for what it has taken back. */
  | { kind: 'debited'; amount: Money | undefined; reference: string | null }
  | { kind: 'already_processed'; amount: Money; reference: string | null }
  | { kind: 'declined'; code: DeclineCode | DebitDeclineCode }
  /** The other system does not accept us at all: that is for people to repair, and no cashback's fault. */
  | { kind: 'misconfigured'; problem: string }
  /** The wallet may have done it or not. */
  | { kind: 'unknown'; problem: string }
