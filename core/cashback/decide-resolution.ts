import { RewardsError } from '../errors.ts'
import { planSteps, wordsOf } from './cashback.ts'
import type { CashbackPlan, CashbackSnapshot } from './cashback.ts'
import type { CashbackState } from './state.ts'

/** What an operator can do with a cashback. */
export type CashbackMove =
  /** Ask the wallet again, at once. */
  | { kind: 'retry' }
  /** Say what the wallet has done, which somebody has found out. */
  | { kind: 'resolve'; outcome: 'credited' | 'declined' }
  /** Take a credit back; the prize goes back to the player, or is void. */
  | { kind: 'reverse'; prize: 'return' | 'void' }

/** May this be done with the cashback as it is? Throws `transition_illegal`, which says in which state it is. */
export function decideCashbackMove(move: CashbackMove, cashback: CashbackSnapshot): CashbackPlan {
  const { state } = cashback
  switch (move.kind) {
    case 'retry':
      if (!isOpen(state)) throw refusal('Cannot retry', state)
      return {
        // The lease is nobody's: the attempt itself is the worker's, and counted there.
        ...planSteps(cashback, [{ to: 'processing' }]),
        fields: {
          attemptUntil: null,
          // Somebody has found out that the wallet before has not paid, and wants the present one asked.
          ...(cashback.problem === 'wallet_changed' ? { walletAsked: null, problem: null } : {}),
        },
        // An unknown one has work already, which rests.
        work: state === 'unknown' ? 'wake' : 'start',
      }
    case 'resolve':
      if (state === move.outcome)
        throw new RewardsError('transition_illegal', `The cashback is already ${state}`)
      if (!isOpen(state)) throw refusal('Cannot resolve', state)
      return {
        ...planSteps(
          cashback,
          pathTo(state, move.outcome).map((to) => ({ to })),
        ),
        fields: { problem: null, attemptUntil: null },
        work: 'drop',
      }
    case 'reverse':
      if (state === 'reversed')
        throw new RewardsError('transition_illegal', 'The cashback is already reversed')
      if (state !== 'credited') throw refusal('Cannot reverse', state)
      return planSteps(cashback, [{ to: 'reversed' }], move.prize === 'return' ? 'won' : 'voided')
  }
}

/** Whether nobody is asking the wallet just now, and nobody knows what it has done. */
function isOpen(state: CashbackState): state is 'unknown' | 'manual_review' {
  return state === 'unknown' || state === 'manual_review'
}

/** What a machine does not know only a person can decline: on the way, the cashback is under review. */
function pathTo(
  state: 'unknown' | 'manual_review',
  outcome: 'credited' | 'declined',
): readonly CashbackState[] {
  return state === 'unknown' && outcome === 'declined' ? ['manual_review', outcome] : [outcome]
}

function refusal(verb: string, state: CashbackState): RewardsError {
  return new RewardsError('transition_illegal', `${verb} a cashback that is ${wordsOf(state)}`)
}
