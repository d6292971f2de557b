import type { EventName } from '../event/event-names.ts'
import { RewardsError } from '../errors.ts'
import type { Money } from '../money.ts'
import { prizeTransitions } from '../prize/state.ts'
import type { PrizeState } from '../prize/state.ts'
import { canMove } from '../state-machine.ts'
import { isBeingReversed } from './course.ts'
import type { WalletOperation } from './course.ts'
import { cashbackTransitions } from './state.ts'
import type { CashbackState } from './state.ts'
import type { DoneAnswer, WalletAnswer } from './wallet-answer.ts'

/** Our own ledger, or the casino's wallet behind a URL. */
export type WalletKind = 'ledger' | 'http'

/** The fields of a cashback, beside its state, that can change. */
export interface CashbackFields {
  wallet: WalletKind
  /** The outside wallet that may have credited it already (`partnerIdOf` its URL); null if no wallet can have. */
  walletAsked: string | null
  /** Calls to the wallet for the credit. */
  attempts: number
  /** The end of the last attempt's lease, credit or debit. */
  attemptUntil: Date | null
  walletReference: string | null
  /** An error code: why it is unknown, declined, under review or was not reversed. */
  problem: string | null
  /** The prize's state after the reversal; null unless a reversal was requested. */
  reversalPrize: ReversalPrize | null
  /** The number of the current or next debit. A declined debit is never retried: the next one has another number. */
  debitNumber: number
  /** Calls to the wallet for this debit. */
  debitAttempts: number
}

/** The prize goes back to the player, or is voided. */
export type ReversalPrize = 'return' | 'void'

/** A cashback as loaded, with the fields of its prize that decisions need. */
export interface CashbackSnapshot extends CashbackFields, Money {
  casinoId: string
  id: string
  prizeId: string
  playerId: string
  state: CashbackState
  revision: number
  createdAt: Date
  updatedAt: Date
  prizeState: PrizeState
  prizeRevision: number
  /** Results that wallets have reported: a second wallet must not pay, or take back, the same money. */
  doneAnswers: readonly DoneAnswer[]
}

/** One row of a cashback's history. A step may keep the state: a further attempt, for example. */
export interface CashbackStep {
  /** The event's name without the object type; by default the state it led to. */
  event?: EventName<'cashback'>
  to: CashbackState
  /** Further data for the history; never personal data. */
  data?: Readonly<Record<string, string | number | null>>
}

/**
 * The result of a decision, applied completely or not at all. The ledger posting follows from the last step's state.
 */
export interface CashbackPlan {
  /** In order; empty if only the work changes (is finished or snoozed). */
  steps: readonly CashbackStep[]
  fields?: Partial<CashbackFields>
  /** The prize's new state; undefined to keep it. */
  prizeTo?: PrizeState | undefined
  /** For operators: start work, wake snoozed work, or finish it. */
  work?: 'start' | 'wake' | 'finish'
}

/** A plan and its actor. It takes effect only if cashback and prize are still as loaded. */
export interface CashbackChange {
  cashback: CashbackSnapshot
  plan: CashbackPlan
  /** Actor and reason, for the history: `admin`, `key:…` or `worker`. */
  actor: string
  reason: string | null
  requestId: string | null
  /** Of the job that made the change. */
  traceparent?: string | undefined
  /** The idempotency key of an operator's request. */
  claim?: { casinoId: string; key: string; attemptId: string } | undefined
  /** The work that caused this change: finished, or snoozed until a time, possibly in a line for a slot. */
  work?: { outboxId: string; snoozeUntil: Date | null; line?: string | undefined }
  /** The wallet's answer that led to this change, to be stored with the cashback. */
  answer?: WalletAnswer | undefined
}

/**
 * The transaction id for the wallet, the same on every attempt. A declined transaction is final, so the next debit has
 * another number.
 */
export function transactionIdOf(
  { id, debitNumber }: Pick<CashbackSnapshot, 'id' | 'debitNumber'>,
  operation: WalletOperation,
): string {
  return operation === 'credit' ? id : `debit_${debitNumber}_${id}`
}

export function attemptsOf(
  { attempts, debitAttempts }: Pick<CashbackFields, 'attempts' | 'debitAttempts'>,
  operation: WalletOperation,
): number {
  return operation === 'credit' ? attempts : debitAttempts
}

/** The column that `attemptsOf` reads. */
export function countedAttempts(operation: WalletOperation, count: number): Partial<CashbackFields> {
  return operation === 'credit' ? { attempts: count } : { debitAttempts: count }
}

/** The ledger posting for a change of state; undefined for most. A credit that stays is not posted again. */
export function postingOf(
  from: CashbackState,
  to: CashbackState,
): 'cashback_credit' | 'cashback_void' | 'cashback_reversal' | undefined {
  if (from === to) return undefined
  switch (to) {
    case 'credited':
      return isBeingReversed(from) ? undefined : 'cashback_credit'
    case 'declined':
      return 'cashback_void'
    case 'reversed':
      return 'cashback_reversal'
    default:
      return undefined
  }
}

/** Throws `transition_illegal` unless the tables allow each step and its effect on the prize. */
export function planSteps(
  cashback: Pick<CashbackSnapshot, 'state' | 'prizeState' | 'reversalPrize'>,
  steps: readonly CashbackStep[],
  prizeTo: PrizeState | undefined = prizeStateAfter(cashback, steps),
): Pick<CashbackPlan, 'steps' | 'prizeTo'> {
  let from = cashback.state
  for (const { to } of steps) {
    if (from !== to && !canMove(cashbackTransitions, from, to)) {
      throw new RewardsError(
        'transition_illegal',
        `A cashback that is ${wordsOf(from)} cannot become ${wordsOf(to)}`,
      )
    }
    from = to
  }
  if (prizeTo !== undefined && !canMove(prizeTransitions, cashback.prizeState, prizeTo)) {
    throw new RewardsError(
      'transition_illegal',
      `The prize of the cashback is ${wordsOf(cashback.prizeState)}`,
    )
  }
  return { steps, prizeTo }
}

/** The prize changes state only with a ledger posting. */
function prizeStateAfter(
  { state, reversalPrize }: Pick<CashbackSnapshot, 'state' | 'reversalPrize'>,
  steps: readonly CashbackStep[],
): PrizeState | undefined {
  switch (postingOf(state, steps.at(-1)?.to ?? state)) {
    case 'cashback_credit':
      return 'cashed_back'
    case 'cashback_void':
      return 'won'
    case 'cashback_reversal':
      if (reversalPrize === null) throw new Error('a reversed cashback has no state for its prize')
      return prizeStateOf(reversalPrize)
    case undefined:
      return undefined
  }
}

/** The prize's state after a reversal. */
export function prizeStateOf(reversalPrize: ReversalPrize): PrizeState {
  return reversalPrize === 'return' ? 'won' : 'voided'
}

export function wordsOf(state: string): string {
  return state.replaceAll('_', ' ')
}
