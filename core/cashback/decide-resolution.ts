import { RewardsError } from '../errors.ts'
import { hasLiveCall, planSteps, wordsOf } from './cashback.ts'
import type { CashbackPlan, CashbackSnapshot } from './cashback.ts'
import type { CashbackState } from './state.ts'

/** What an operator can do with a cashback. */
export type CashbackMove =
  /** Ask the wallet again, at once. */
  | { kind: 'retry' }
  /** Let another wallet be asked: somebody has found out that the one before has not paid. */
  | { kind: 'release' }
  /** Say what the wallet has done, which somebody has found out. */
  | { kind: 'resolve'; outcome: 'credited' | 'declined' }
  /** Take a credit back; the prize goes back to the player, or is void. */
  | { kind: 'reverse'; prize: 'return' | 'void' }

/** What a decision needs beside the cashback. */
export interface MoveFacts {
  now: Date
  /** A wallet has said that it has paid, whatever amount. */
  isPaid: boolean
}

/**
 * May this be done with the cashback as it is? Throws `transition_illegal`, which says in which state it is, or
 * `cashback_needs_resolution`, where asking a wallet could pay a second time.
 */
export function decideCashbackMove(
  move: CashbackMove,
  cashback: CashbackSnapshot,
  facts: MoveFacts,
): CashbackPlan {
  const { state } = cashback
  switch (move.kind) {
    case 'retry':
      return planRetry(cashback)
    case 'release':
      return planRelease(cashback, facts)
    case 'resolve':
      return planResolution(move.outcome, cashback, facts)
    case 'reverse':
      if (state === 'reversed')
        throw new RewardsError('transition_illegal', 'The cashback is already reversed')
      if (state !== 'credited') throw refusal('Cannot reverse', state)
      return planSteps(cashback, [{ to: 'reversed' }], move.prize === 'return' ? 'won' : 'voided')
  }
}

function planRetry(cashback: CashbackSnapshot): CashbackPlan {
  const { state } = cashback
  if (!isUnclear(state)) throw refusal('Cannot retry', state)
  refuseWhatIsPaid(cashback)
  return {
    // The lease is nobody's: the attempt itself is the worker's, and counted there.
    ...planSteps(cashback, [{ to: 'processing' }]),
    fields: { attemptUntil: null },
    // An unknown one has work already, which rests.
    work: state === 'unknown' ? 'wake' : 'start',
  }
}

/** From now on no wallet counts as asked, so the casino's present one may be. */
function planRelease(cashback: CashbackSnapshot, { isPaid }: MoveFacts): CashbackPlan {
  const { state, walletAsked, problem } = cashback
  if (!isUnclear(state)) throw refusal('Cannot release the wallet of', state)
  refuseWhatIsPaid(cashback)
  if (isPaid)
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

function planResolution(
  outcome: 'credited' | 'declined',
  cashback: CashbackSnapshot,
  { now }: MoveFacts,
): CashbackPlan {
  const { state } = cashback
  if (state === outcome) throw new RewardsError('transition_illegal', `The cashback is already ${state}`)
  if (state !== 'requested' && state !== 'processing' && !isUnclear(state))
    throw refusal('Cannot resolve', state)
  if (hasLiveCall(cashback, now))
    throw new RewardsError('transition_illegal', 'Cannot resolve a cashback while its wallet is asked')
  return {
    ...planSteps(
      cashback,
      pathTo(state, outcome).map((to) => ({ to })),
    ),
    fields: { problem: null, attemptUntil: null },
    work: 'drop',
  }
}

/** Whether nobody is asking the wallet just now, and nobody knows what it has done. */
function isUnclear(state: CashbackState): state is 'unknown' | 'manual_review' {
  return state === 'unknown' || state === 'manual_review'
}

/** With these a wallet has paid what or when it should not have; asking again could pay a second time. */
const paidProblems: readonly (string | null)[] = ['amount_mismatch', 'wallet_contradicted']

function refuseWhatIsPaid({ problem }: CashbackSnapshot): void {
  if (paidProblems.includes(problem)) throw new RewardsError('cashback_needs_resolution')
}

/**
 * What a wallet may have been asked about only a person can decline: on the way, the cashback is under review. One that
 * is only requested no wallet has heard of.
 */
function pathTo(
  state: 'requested' | 'processing' | 'unknown' | 'manual_review',
  outcome: 'credited' | 'declined',
): readonly CashbackState[] {
  if (outcome === 'credited' || state === 'requested' || state === 'manual_review') return [outcome]
  return state === 'unknown' ? ['manual_review', outcome] : ['unknown', 'manual_review', outcome]
}

function refusal(verb: string, state: CashbackState): RewardsError {
  return new RewardsError('transition_illegal', `${verb} a cashback that is ${wordsOf(state)}`)
}
