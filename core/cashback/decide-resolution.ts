import { RewardsError } from '../errors.ts'
import { leasedUntil } from '../outbound/attempt.ts'
import { planSteps, prizeStateOf, wordsOf } from './cashback.ts'
import type { CashbackPlan, CashbackSnapshot, CashbackStep, ReversalPrize } from './cashback.ts'
import { courseOf, isBeingReversed, isOpen, isUnclear, pathToReview } from './course.ts'
import { isPaid, problemOfAsking } from './done-answers.ts'
import type { CashbackState } from './state.ts'

/** The actions that an operator can take on a cashback. */
export type CashbackMove =
  /** Call the wallet again, now. */
  | { kind: 'retry' }
  /** Allow another wallet to be called: the operator has found that the previous one has not paid. */
  | { kind: 'release' }
  /** Record the wallet's result that the operator has found out. */
  | { kind: 'resolve'; outcome: ResolvedOutcome }
  /** Take a credit back. If the casino already has the money (`isMoneyBack`), no wallet is called. */
  | { kind: 'reverse'; prize: ReversalPrize; isMoneyBack: boolean }

export type ResolvedOutcome = 'credited' | 'declined' | 'reversed'

/**
 * Checks that the action is allowed in the current state. Throws `transition_illegal`, which names the state, or
 * `cashback_needs_resolution` if calling a wallet could pay twice.
 */
export function decideCashbackMove(move: CashbackMove, cashback: CashbackSnapshot, now: Date): CashbackPlan {
  const { state } = cashback
  switch (move.kind) {
    case 'retry':
      return planRetry(cashback)
    case 'release':
      return planRelease(cashback)
    case 'resolve':
      return planResolution(move.outcome, cashback, now)
    case 'reverse':
      if (state === 'reversed')
        throw new RewardsError('transition_illegal', 'The cashback is already reversed')
      if (isBeingReversed(state))
        throw new RewardsError('transition_illegal', 'The cashback is already being reversed')
      if (state !== 'credited') throw refusal('Cannot reverse', state)
      return planReversal(move, cashback)
  }
}

/** The internal ledger reverses immediately. An outside wallet is called first. */
function planReversal(
  { prize, isMoneyBack }: CashbackMove & { kind: 'reverse' },
  cashback: CashbackSnapshot,
): CashbackPlan {
  const { wallet, debitNumber, debitAttempts } = cashback
  const fields = { reversalPrize: prize, problem: null }
  if (wallet === 'http' && !isMoneyBack)
    return { ...planSteps(cashback, [{ to: 'reversing' }]), fields, work: 'start' }
  // An earlier debit did not bring this money back.
  const abandoned = debitAttempts === 0 ? {} : { debitNumber: debitNumber + 1, debitAttempts: 0 }
  return {
    ...planSteps(cashback, [{ to: 'reversed' }], prizeStateOf(prize)),
    fields: { ...fields, ...abandoned },
  }
}

function planRetry(cashback: CashbackSnapshot): CashbackPlan {
  const { state } = cashback
  const course = courseOf(state)
  if (!isUnclear(state)) throw refusal('Cannot retry', state)
  refuseWhatIsPaid(cashback)
  return {
    // Without a lease: the worker commits and counts the attempt itself.
    ...planSteps(cashback, [{ to: course.asked }]),
    fields: { attemptUntil: null },
    // An unknown one has snoozed work already.
    work: state === course.unknown ? 'wake' : 'start',
  }
}

/** Clears the wallet on record, so that the casino's current wallet may be called. */
function planRelease(cashback: CashbackSnapshot): CashbackPlan {
  const { state, walletAsked, problem } = cashback
  if (!isUnclear(state) || isBeingReversed(state)) throw refusal('Cannot release the wallet of', state)
  refuseWhatIsPaid(cashback)
  if (isPaid(cashback))
    throw new RewardsError(
      'cashback_needs_resolution',
      'A wallet has reported a payment for this cashback: resolve it instead',
    )
  if (walletAsked === null)
    throw new RewardsError(
      'transition_illegal',
      'The cashback was never sent to a wallet: there is nothing to release',
    )
  return {
    ...planSteps(cashback, [{ event: 'wallet_released', to: state }]),
    fields: { walletAsked: null, problem: problem === 'wallet_changed' ? null : problem },
  }
}

function planResolution(outcome: ResolvedOutcome, cashback: CashbackSnapshot, now: Date): CashbackPlan {
  const { state } = cashback
  if (state === outcome) throw new RewardsError('transition_illegal', `The cashback is already ${state}`)
  if (state !== 'requested' && !isOpen(state)) throw refusal('Cannot resolve', state)
  if (leasedUntil(cashback.attemptUntil, now) !== null)
    throw new RewardsError(
      'transition_illegal',
      'Cannot resolve a cashback while its wallet is being called: try again when the call has ended',
    )
  return {
    ...planSteps(cashback, stepsTo(outcome, state)),
    fields: { problem: null, attemptUntil: null },
    work: 'finish',
  }
}

function stepsTo(outcome: ResolvedOutcome, state: CashbackState): readonly CashbackStep[] {
  const { operation, done, declinedEvent } = courseOf(state)
  if (operation === 'credit' && outcome !== 'reversed') return pathTo(state, outcome).map((to) => ({ to }))
  if (operation === 'credit' || outcome === 'declined')
    throw new RewardsError(
      'transition_illegal',
      `A cashback that is ${wordsOf(state)} cannot become ${outcome}`,
    )
  return [outcome === done ? { to: outcome } : { to: outcome, event: declinedEvent }]
}

/**
 * Problems in which a wallet moved the wrong amount, or moved money at the wrong time. Another call could move money
 * twice.
 */
const paidProblems: readonly (string | null)[] = ['amount_mismatch', 'wallet_contradicted']

/** The problem may stem from a later call; a wallet's stored answers count nevertheless. */
function refuseWhatIsPaid(cashback: CashbackSnapshot): void {
  const { state, problem, walletAsked } = cashback
  if (!paidProblems.includes(problem) && problemOfAsking(cashback, walletAsked) === undefined) return
  if (isBeingReversed(state))
    throw new RewardsError(
      'cashback_needs_resolution',
      'A wallet has taken back a different amount from the requested one: resolve the cashback instead',
    )
  throw new RewardsError('cashback_needs_resolution')
}

/**
 * If a wallet may have received it, only an operator can decline it, so its transitions go through manual review. A
 * wallet has never received one that is still `requested`.
 */
function pathTo(state: CashbackState, outcome: 'credited' | 'declined'): readonly CashbackState[] {
  if (outcome === 'credited' || state === 'requested') return [outcome]
  return [...pathToReview(state), outcome]
}

function refusal(verb: string, state: CashbackState): RewardsError {
  return new RewardsError('transition_illegal', `${verb} a cashback that is ${wordsOf(state)}`)
}
