import { RewardsError } from '../errors.ts'
import { decideAction } from './decide-action.ts'
import type { Action, Effect, NextStep } from './decide-action.ts'
import type { PrizeState } from './state.ts'

/** The obstacle, and what to do instead. */
const obstacles: Partial<Record<string, string>> = {
  ordered: 'The prize is ordered: cancel its order with "return_prize" false instead',
  fulfilled: 'The prize was delivered',
  cashback_pending: 'A cashback of the prize is under way: wait for it, then reverse it with "prize" "void"',
  cashed_back: 'The prize is cashed back: reverse its cashback with "prize" "void" instead',
  expired: 'The prize is expired already',
  voided: 'The prize is voided already',
} satisfies Record<Exclude<PrizeState, 'won'>, string>

/** Returns the prize if it can be voided. Throws `prize_unknown` or `transition_illegal`. */
export function decideVoid<Prize extends { state: string }>(prize: Prize | null): Prize {
  if (prize === null) throw new RewardsError('prize_unknown')
  if (prize.state !== 'won') throw new RewardsError('transition_illegal', obstacles[prize.state])
  return prize
}

export const effectOfVoid: Effect = { consequence: 'The player loses the prize.', cannotUndo: true }

/** All actions on a prize itself; its order and its cashback have their own. */
export function decidePrizeActions(prize: { state: string }): readonly Action<'void'>[] {
  return [
    decideAction('void', effectOfVoid, () => {
      decideVoid(prize)
      return effectOfVoid
    }),
  ]
}

/** The next step without an action: an unclaimed prize expires. */
export function decideNextOfPrize({
  state,
  expiresAt,
}: {
  state: string
  expiresAt: Date | null
}): NextStep | null {
  return state === 'won' && expiresAt !== null ? { what: 'expiry', at: expiresAt } : null
}
