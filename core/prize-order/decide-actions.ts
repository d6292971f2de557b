import { decideAction } from '../prize/decide-action.ts'
import type { Action, Effect, NextStep } from '../prize/decide-action.ts'
import { prizeTransitions } from '../prize/state.ts'
import { decideCorrection } from './decide-correction.ts'
import { decideMove, orderMoves } from './decide-move.ts'
import type { MovableOrder, MoveDetails, OrderMove } from './decide-move.ts'
import type { OrderPlan, OrderSnapshot } from './order.ts'
import { holdReasons, orderTransitions } from './state.ts'

/** The moves, and the correction of the delivery details. */
export type OrderActionName = OrderMove | 'delivery'

/** All actions on an order, in the usual order of an order's life. */
export function decideOrderActions(order: MovableOrder): readonly Action<OrderActionName>[] {
  const moves = orderMoves.map((move) =>
    decideAction<OrderActionName>(move, usually[move], () =>
      effectOf(move, decideMove(move, order, favourableDetails(move, order))),
    ),
  )
  const correction = decideAction<OrderActionName>('delivery', usually.delivery, () => {
    const { steps } = decideCorrection(order)
    const isBack = order.state !== 'pending_confirmation' && steps.at(-1)?.to === 'pending_confirmation'
    return { consequence: isBack ? correctedAgain : usually.delivery, cannotUndo: false }
  })
  return [...moves, correction]
}

/** Details with which the move is allowed if it is with any: the operator chooses others. */
function favourableDetails(move: OrderMove, order: MovableOrder): MoveDetails {
  return {
    carrier: null,
    // A shipped order can be shipped again with another number.
    trackingNumber: move === 'ship' ? `${order.trackingNumber ?? ''}+` : null,
    returnsPrize: null,
    isFinal: order.state === 'cancel_requested',
    holdReason: move === 'hold' ? (holdReasons.find((one) => !order.openHolds.includes(one)) ?? null) : null,
    exceptionReason: null,
  }
}

const correctedAgain =
  'The new delivery details replace the old ones, and the casino must confirm the order again.'

const usually: Readonly<Record<OrderActionName, string>> = {
  confirm: 'The order is confirmed, and a worker submits it for shipment.',
  reject:
    'The order ends, and the player gets the prize back; with return_prize false the prize becomes void.',
  cancel:
    'The order ends, and the player gets the prize back; with return_prize false the prize becomes void.',
  resume: 'The order continues from where it was before the cancellation was requested.',
  hold: 'The order is not submitted while it is held.',
  release: 'The holds end, and a confirmed order without holds is submitted.',
  ship: 'The order counts as shipped.',
  deliver: 'The order ends as delivered, and its prize is fulfilled.',
  exception: 'The order counts as not delivered: it can be sent again, corrected or cancelled.',
  reship: 'A new parcel with the next shipment number is submitted.',
  delivery: 'The new delivery details replace the old ones.',
}

function effectOf(move: OrderMove, { steps, prizeTo }: OrderPlan): Effect {
  const last = steps.at(-1)
  const isEnd = last !== undefined && orderTransitions[last.to].length === 0
  const isEndOfPrize = prizeTo !== undefined && prizeTransitions[prizeTo].length === 0
  return { consequence: consequenceOf(move, last?.event), cannotUndo: isEnd || isEndOfPrize }
}

function consequenceOf(move: OrderMove, event: string | undefined): string {
  if (event === 'cancel_requested')
    return 'The provider is asked to cancel; if it agrees, the order ends and the player gets the prize back.'
  if (event === 'shipment_updated') return 'Carrier and tracking number are corrected.'
  return usually[move]
}

/** What happens next by itself. `dueAt` is when the order's snoozed work continues; null if none is snoozed. */
export function decideNextOfOrder(
  order: Pick<OrderSnapshot, 'state' | 'announcedAt' | 'openHolds' | 'attempts' | 'provider' | 'nextPollAt'>,
  dueAt: Date | null,
): NextStep | null {
  const person = { what: 'person', at: null } as const
  switch (order.state) {
    case 'pending_confirmation':
      if (order.announcedAt === null) return { what: 'announcement', at: dueAt }
      return dueAt === null ? person : { what: 'reminder', at: dueAt }
    case 'confirmed':
      if (order.openHolds.length > 0) return person
      return { what: order.attempts > 0 ? 'retry' : 'submission', at: dueAt }
    case 'cancel_requested':
      return order.provider === 'http' ? { what: 'cancellation', at: dueAt } : person
    case 'submitted':
    case 'processing':
    case 'shipped':
      return order.provider === 'http' ? { what: 'poll', at: order.nextPollAt ?? dueAt } : person
    case 'exception':
      return person
    case 'rejected':
    case 'cancelled':
    case 'delivered':
      return null
    default:
      return order.state satisfies never
  }
}
