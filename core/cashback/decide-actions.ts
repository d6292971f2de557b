import { RewardsError } from '../errors.ts'
import { decideAction } from '../prize/decide-action.ts'
import type { Action, NextStep } from '../prize/decide-action.ts'
import type { CashbackPlan, CashbackSnapshot } from './cashback.ts'
import { courseOf } from './course.ts'
import { decideCashbackMove } from './decide-resolution.ts'
import type { CashbackMove, ResolvedOutcome } from './decide-resolution.ts'
import { cashbackTransitions } from './state.ts'
import type { CashbackState } from './state.ts'

/** As the paths of the actions end. */
export type CashbackActionName = 'retry' | 'release-wallet' | 'resolve' | 'reverse'

/** All actions on a cashback. */
export function decideCashbackActions(
  cashback: CashbackSnapshot,
  now: Date,
): readonly Action<CashbackActionName>[] {
  const decide = (move: CashbackMove) => decideCashbackMove(move, cashback, now)
  const offer = (name: CashbackActionName, consequence: string, plans: () => readonly CashbackPlan[]) =>
    decideAction(name, consequence, () => ({ consequence, cannotUndo: plans().some(isFinal) }))
  return [
    offer('retry', 'The wallet is asked again, with the same transaction id.', () => [
      decide({ kind: 'retry' }),
    ]),
    offer('release-wallet', 'The next attempt may go to the casino’s current wallet.', () => [
      decide({ kind: 'release' }),
    ]),
    offer(
      'resolve',
      'The outcome that you state is recorded as the wallet’s, and the wallet is not asked.',
      () => possibleResolutions(decide),
    ),
    offer('reverse', reversalConsequence(cashback), () => [
      decide({ kind: 'reverse', prize: 'return', isMoneyBack: false }),
    ]),
  ]
}

const outcomes: readonly ResolvedOutcome[] = ['credited', 'declined', 'reversed']

/** The plans of the outcomes that can be stated now. Throws the first refusal if none can. */
function possibleResolutions(decide: (move: CashbackMove) => CashbackPlan): readonly CashbackPlan[] {
  const refusals: RewardsError[] = []
  const plans = outcomes.flatMap((outcome) => {
    try {
      return [decide({ kind: 'resolve', outcome })]
    } catch (error) {
      if (!(error instanceof RewardsError)) throw error
      refusals.push(error)
      return []
    }
  })
  const [refusal] = refusals
  if (plans.length === 0 && refusal !== undefined) throw refusal
  return plans
}

/** Nothing follows the state, or the wallet is being asked to take the money back. */
function isFinal({ steps }: CashbackPlan): boolean {
  const to = steps.at(-1)?.to
  return to !== undefined && (cashbackTransitions[to].length === 0 || to === 'reversing')
}

function reversalConsequence({ wallet }: CashbackSnapshot): string {
  return wallet === 'http'
    ? 'The wallet is asked to take the credit back, unless money_back is true; then the prize is returned or void.'
    : 'The credit is taken back from the player’s balance, and the prize is returned or void.'
}

/** What happens next by itself. `dueAt` is when the cashback's snoozed work continues; null if none is snoozed. */
export function decideNextOfCashback(state: CashbackState, dueAt: Date | null): NextStep | null {
  switch (state) {
    case 'requested':
    case 'processing':
    case 'reversing':
      return { what: courseOf(state).operation, at: dueAt }
    case 'unknown':
    case 'reversal_unknown':
      return { what: 'retry', at: dueAt }
    case 'manual_review':
    case 'reversal_review':
      return { what: 'person', at: null }
    case 'credited':
    case 'declined':
    case 'reversed':
      return null
    default:
      return state satisfies never
  }
}
