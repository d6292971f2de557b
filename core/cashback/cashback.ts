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

/** Who credits: our own ledger, or the casino's wallet behind a URL. */
export type WalletKind = 'ledger' | 'http'

/** What can change in a cashback beside its state. */
export interface CashbackFields {
  wallet: WalletKind
  /** Which outside wallet may have credited it already (`partnerIdOf` its URL); null when none can have. */
  walletAsked: string | null
  /** Calls of the wallet for the credit. */
  attempts: number
  /** Until when the last call, for the credit or a debit, may still be running. */
  attemptUntil: Date | null
  walletReference: string | null
  /** Why it is unknown, declined or under review, or was not taken back, as a code. */
  problem: string | null
  /** What becomes of the prize once the wallet has taken the money back; null when nobody has asked for that. */
  reversalPrize: ReversalPrize | null
  /** Of the debit that the wallet is asked for, or will be next; one that it has declined is never asked for again. */
  debitNumber: number
  /** Calls of the wallet for this debit. */
  debitAttempts: number
}

/** The prize goes back to the player, or is void. */
export type ReversalPrize = 'return' | 'void'

/** A cashback as it was loaded, with what decisions need of its prize. */
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
  /** Which wallets have said that they have paid, or taken back: no other call may do it a second time. */
  doneAnswers: readonly DoneAnswer[]
}

/** One row of a cashback's history. A step may leave the state as it is: another attempt, for example. */
export interface CashbackStep {
  /** What happened, without the object's type in front; the state that it led to when left out. */
  event?: EventName<'cashback'>
  to: CashbackState
  /** What is worth telling beside the states; never personal data. */
  data?: Readonly<Record<string, string | number | null>>
}

/** What a decision makes of a cashback, all or nothing. The ledger follows from the last step's state. */
export interface CashbackPlan {
  /** In order; none when there is only work to cross off or to let rest. */
  steps: readonly CashbackStep[]
  fields?: Partial<CashbackFields>
  /** The prize's new state; undefined when it stays as it is. */
  prizeTo?: PrizeState | undefined
  /** For an operator: work that a worker begins with, that is woken if it rests, or that is dropped. */
  work?: 'start' | 'wake' | 'drop'
}

/** A plan together with who wants it; it takes effect only where cashback and prize still are what was loaded. */
export interface CashbackChange {
  cashback: CashbackSnapshot
  plan: CashbackPlan
  /** Who and why, for the history: `admin`, `key:…` or `worker`. */
  actor: string
  reason: string | null
  requestId: string | null
  /** The key that an operator's request is carried out under. */
  claim?: { casinoId: string; key: string; attemptId: string } | undefined
  /** The work that this change does: finished with it, or resting until a time, perhaps in a line for a slot. */
  work?: { outboxId: string; snoozeUntil: Date | null; line?: string | undefined }
  /** What a wallet has said that led to this change, to be kept beside the cashback. */
  answer?: WalletAnswer | undefined
}

/**
 * What a wallet knows the operation by, the same on every attempt. One that was declined is settled for ever, so the next
 * debit has another number.
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

/** The field that `attemptsOf` reads. */
export function countedAttempts(operation: WalletOperation, count: number): Partial<CashbackFields> {
  return operation === 'credit' ? { attempts: count } : { debitAttempts: count }
}

/** What the ledger has to say of a change of the state; undefined for most. A credit that stays is not posted again. */
export function postingOf(
  from: CashbackState,
  to: CashbackState,
): 'credit' | 'void' | 'reversal' | undefined {
  if (from === to) return undefined
  switch (to) {
    case 'credited':
      return isBeingReversed(from) ? undefined : 'credit'
    case 'declined':
      return 'void'
    case 'reversed':
      return 'reversal'
    default:
      return undefined
  }
}

/** Throws `transition_illegal` unless the tables allow each step, and what it means for the prize. */
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

/** The prize follows the money: only what the ledger posts means something for it. */
function prizeStateAfter(
  { state, reversalPrize }: Pick<CashbackSnapshot, 'state' | 'reversalPrize'>,
  steps: readonly CashbackStep[],
): PrizeState | undefined {
  switch (postingOf(state, steps.at(-1)?.to ?? state)) {
    case 'credit':
      return 'cashed_back'
    case 'void':
      return 'won'
    case 'reversal':
      if (reversalPrize === null) throw new Error('nobody has said what becomes of the prize')
      return prizeStateOf(reversalPrize)
    case undefined:
      return undefined
  }
}

/** What the prize of a reversed cashback is. */
export function prizeStateOf(reversalPrize: ReversalPrize): PrizeState {
  return reversalPrize === 'return' ? 'won' : 'voided'
}

export function wordsOf(state: string): string {
  return state.replaceAll('_', ' ')
}
