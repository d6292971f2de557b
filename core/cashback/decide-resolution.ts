import { RewardsError } from '../errors.ts'
import { leasedUntil } from '../outbound/attempt.ts'
import { planSteps, prizeStateOf, wordsOf } from './cashback.ts'
import type { CashbackPlan, CashbackSnapshot, CashbackStep, ReversalPrize } from './cashback.ts'
import { courseOf, isBeingReversed, isOpen, isUnclear, pathToReview } from './course.ts'
import { isPaid, problemOfAsking } from './done-answers.ts'
import type { CashbackState } from './state.ts'

/** What an operator can do with a cashback. */
export type CashbackMove =
  /** Ask the wallet again, at once. */
  | { kind: 'retry' }
  /** Let another wallet be asked: somebody has found out that the one before has not paid. */
  | { kind: 'release' }
  /** Say what the wallet has done, which somebody has found out. */
  | { kind: 'resolve'; outcome: ResolvedOutcome }
  /** Take a credit back. Where the casino has the money already (`isMoneyBack`), no wallet is asked for it. */
  | { kind: 'reverse'; prize: ReversalPrize; isMoneyBack: boolean }

export type ResolvedOutcome = 'credited' | 'declined' | 'reversed'

/**
 * May this be done with the cashback as it is? Throws `transition_illegal`, which says in which state it is, or
 * `cashback_needs_resolution`, where asking a wallet could pay a second time.
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

/** What our own ledger has credited it takes back at once. For what a wallet has credited, the wallet is asked first. */
function planReversal(
  { prize, isMoneyBack }: CashbackMove & { kind: 'reverse' },
  cashback: CashbackSnapshot,
): CashbackPlan {
  const { wallet, debitNumber, debitAttempts } = cashback
  const fields = { reversalPrize: prize, problem: null }
  if (wallet === 'http' && !isMoneyBack)
    return { ...planSteps(cashback, [{ to: 'reversing' }]), fields, work: 'start' }
  // A debit that was asked for before is not what has brought the money back.
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
    // The lease is nobody's: the attempt itself is the worker's, and counted there.
    ...planSteps(cashback, [{ to: course.asked }]),
    fields: { attemptUntil: null },
    // An unknown one has work already, which rests.
    work: state === course.unknown ? 'wake' : 'start',
  }
}

/** From now on no wallet counts as asked, so the casino's present one may be. */
function planRelease(cashback: CashbackSnapshot): CashbackPlan {
  const { state, walletAsked, problem } = cashback
  if (!isUnclear(state) || isBeingReversed(state)) throw refusal('Cannot release the wallet of', state)
  refuseWhatIsPaid(cashback)
  if (isPaid(cashback))
    throw new RewardsError(
      'cashback_needs_resolution',
      'A wallet says that it has paid for the cashback: resolve it',
    )
  if (walletAsked === null)
    throw new RewardsError('transition_illegal', 'No wallet can have heard of the cashback')
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
    throw new RewardsError('transition_illegal', 'Cannot resolve a cashback while its wallet is asked')
  return {
    ...planSteps(cashback, stepsTo(outcome, state)),
    fields: { problem: null, attemptUntil: null },
    work: 'drop',
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

/** With these a wallet has moved what or when it should not have; asking again could move money a second time. */
const paidProblems: readonly (string | null)[] = ['amount_mismatch', 'wallet_contradicted']

/** The problem may be that of a later call: what wallets have said counts, whatever came after it. */
function refuseWhatIsPaid(cashback: CashbackSnapshot): void {
  const { state, problem, walletAsked } = cashback
  if (!paidProblems.includes(problem) && problemOfAsking(cashback, walletAsked) === undefined) return
  if (isBeingReversed(state))
    throw new RewardsError(
      'cashback_needs_resolution',
      'A wallet says that it has taken back something else than it was asked for: resolve the cashback',
    )
  throw new RewardsError('cashback_needs_resolution')
}

/**
 * What a wallet may have been asked about only a person can decline: on the way, the cashback is under review. One that
 * is only requested no wallet has heard of.
 */
function pathTo(state: CashbackState, outcome: 'credited' | 'declined'): readonly CashbackState[] {
  if (outcome === 'credited' || state === 'requested') return [outcome]
  return [...pathToReview(state), outcome]
}

function refusal(verb: string, state: CashbackState): RewardsError {
  return new RewardsError('transition_illegal', `${verb} a cashback that is ${wordsOf(state)}`)
}
