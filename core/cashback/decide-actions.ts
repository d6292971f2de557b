import { RewardsError } from '../errors.ts'
import { decideAction } from '../prize/decide-action.ts'
import type { Action, Effect, NextStep } from '../prize/decide-action.ts'
import type { CashbackPlan, CashbackSnapshot, ReversalPrize } from './cashback.ts'
import { courseOf } from './course.ts'
import { decideCashbackMove } from './decide-resolution.ts'
import type { CashbackMove, ResolvedOutcome } from './decide-resolution.ts'
import type { CashbackState } from './state.ts'

/** As the paths of the actions end. */
export type CashbackActionName = 'retry' | 'release-wallet' | 'resolve' | 'reverse'

/** All actions on a cashback. */
export function decideCashbackActions(
  cashback: CashbackSnapshot,
  now: Date,
): readonly Action<CashbackActionName>[] {
  const decide = (move: CashbackMove) => decideCashbackMove(move, cashback, now)
  const offer = (name: CashbackActionName, check: () => unknown) => {
    const effect = usualEffectOf(name)
    return decideAction(name, effect, () => {
      check()
      return effect
    })
  }
  return [
    offer('retry', () => decide({ kind: 'retry' })),
    offer('release-wallet', () => decide({ kind: 'release' })),
    offer('resolve', () => {
      refuseUnlessResolvable(decide)
    }),
    offer('reverse', () => decide({ kind: 'reverse', prize: 'return', isMoneyBack: false })),
  ]
}

/** The options chosen for an action; missing ones can still be chosen. */
interface Choice {
  outcome?: ResolvedOutcome
  prize?: ReversalPrize
  isMoneyBack?: boolean
}

/** The usual effect of an action. */
export function usualEffectOf(action: CashbackActionName, choice: Choice = {}): Effect {
  switch (action) {
    case 'retry':
      return { consequence: 'The wallet is asked again, with the same transaction id.', cannotUndo: false }
    case 'release-wallet':
      return {
        consequence:
          'The next attempt may go to the casino’s current wallet: the player is paid twice if the earlier one has paid.',
        cannotUndo: true,
      }
    case 'resolve': {
      const outcome = choice.outcome ?? 'what you state'
      return {
        consequence: `The cashback is recorded as ${outcome}, and no wallet is asked.`,
        cannotUndo: true,
      }
    }
    case 'reverse':
      return { consequence: `${sourceOf(choice)}; then ${fateOfPrize(choice)}.`, cannotUndo: true }
    default:
      return action satisfies never
  }
}

function sourceOf({ isMoneyBack }: Choice): string {
  if (isMoneyBack === true) return 'The casino has the money already, and no wallet is asked'
  const asked = 'The credit is taken back from the player'
  return isMoneyBack === false ? asked : `${asked}, unless money_back is true`
}

function fateOfPrize({ prize }: Choice): string {
  const fates = { return: 'the player gets the prize back', void: 'the prize becomes void' }
  return prize === undefined ? `${fates.return}, or ${fates.void}` : fates[prize]
}

const outcomes: readonly ResolvedOutcome[] = ['credited', 'declined', 'reversed']

/** Throws the first refusal if no outcome can be stated now. */
function refuseUnlessResolvable(decide: (move: CashbackMove) => CashbackPlan): void {
  const refusals: RewardsError[] = []
  for (const outcome of outcomes) {
    try {
      decide({ kind: 'resolve', outcome })
      return
    } catch (error) {
      if (!(error instanceof RewardsError)) throw error
      refusals.push(error)
    }
  }
  throw refusals[0] ?? new Error('a cashback has outcomes')
}

/** The next step without an action. `dueAt` is when the cashback's snoozed work continues; null if none is snoozed. */
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
