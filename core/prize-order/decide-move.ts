import { RewardsError } from '../errors.ts'
import { prizeTransitions } from '../prize/state.ts'
import type { PrizeState } from '../prize/state.ts'
import { canMove } from '../state-machine.ts'
import { orderTransitions } from './state.ts'
import type { OrderState } from './state.ts'

/** What an operator can do with an order. */
export const orderMoves = ['confirm', 'reject', 'cancel', 'ship', 'deliver'] as const
export type OrderMove = (typeof orderMoves)[number]

/** What a move makes of an order, and of the prize that was ordered. */
interface Effect {
  to: OrderState
  /** From one state the move may pass through another. */
  via?: { from: OrderState; through: OrderState }
  prizeTo?: PrizeState
}

const effects: Record<OrderMove, Effect> = {
  confirm: { to: 'confirmed' },
  // Both give the prize back to the player.
  reject: { to: 'rejected', prizeTo: 'won' },
  cancel: { to: 'cancelled', prizeTo: 'won' },
  // With the `manual` provider people ship, and need not wait until the worker has recorded the submission to them.
  ship: { to: 'shipped', via: { from: 'confirmed', through: 'submitted' } },
  deliver: { to: 'delivered', prizeTo: 'fulfilled' },
}

export interface MovePlan {
  /** The states that the order goes through, one or two. */
  path: readonly OrderState[]
  /** The prize's new state; null when it stays `ordered`. */
  prizeTo: PrizeState | null
}

/** May this be done with the order as it is? Throws `transition_illegal`, which says in which state the order is. */
export function decideMove(move: OrderMove, order: { state: OrderState; prizeState: PrizeState }): MovePlan {
  const effect = effects[move]
  const { to, prizeTo } = effect
  const path = pathBetween(order.state, effect)
  if (path === undefined) throw new RewardsError('transition_illegal', refusal(move, order.state, to))
  if (prizeTo !== undefined && !canMove(prizeTransitions, order.prizeState, prizeTo)) {
    throw new RewardsError('transition_illegal', `The prize of the order is ${wordsOf(order.prizeState)}`)
  }
  return { path, prizeTo: prizeTo ?? null }
}

function pathBetween(from: OrderState, { to, via }: Effect): readonly OrderState[] | undefined {
  if (canMove(orderTransitions, from, to)) return [to]
  return via?.from === from ? [via.through, to] : undefined
}

function refusal(move: OrderMove, state: OrderState, to: OrderState): string {
  if (state === to) return `The order is already ${wordsOf(state)}`
  return `Cannot ${move} an order that is ${wordsOf(state)}`
}

function wordsOf(state: string): string {
  return state.replaceAll('_', ' ')
}
