import type { Money } from '../money.ts'

/**
 * The refusals that settle a cashback: the wallet has not credited, and never will. Any other apparent refusal must not
 * be acted on. A duplicate is not among them: a wallet that has credited before answers `already_processed`.
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

/**
 * The outcome of asking a wallet for a credit, or for its reversal. `problem` is our own code, never a partner's text.
 */
export type WalletOutcome =
  /** `amount` is the amount credited according to the wallet, if given. */
  | { kind: 'credited'; amount: Money | undefined; reference: string | null }
  /** The same for the amount taken back. */
  | { kind: 'debited'; amount: Money | undefined; reference: string | null }
  | { kind: 'already_processed'; amount: Money; reference: string | null }
  | { kind: 'declined'; code: DeclineCode | DebitDeclineCode }
  /** The other system rejects our credentials: operators must fix it, and the cashback is not at fault. */
  | { kind: 'misconfigured'; problem: string }
  /** The wallet may or may not have acted. */
  | { kind: 'unknown'; problem: string }
