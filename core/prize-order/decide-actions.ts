import { decideAction } from '../prize/decide-action.ts'
import type { Action, Effect, NextStep } from '../prize/decide-action.ts'
import { decideCorrection } from './decide-correction.ts'
import { decideMove, orderMoves } from './decide-move.ts'
import type { MovableOrder, MoveDetails, OrderMove } from './decide-move.ts'
import type { OrderPlan, OrderSnapshot } from './order.ts'
import { holdReasons } from './state.ts'

/** The moves, and the correction of the delivery details. */
export type OrderActionName = OrderMove | 'delivery'

/** All actions on an order, in the usual order of an order's life. */
export function decideOrderActions(order: MovableOrder): readonly Action<OrderActionName>[] {
  const moves = orderMoves.map((move) =>
    decideAction<OrderActionName>(move, usualEffectOf(move), () =>
      effectOf(move, decideMove(move, order, favourableDetails(move, order))),
    ),
  )
  const usual = usualEffectOf('delivery')
  const correction = decideAction<OrderActionName>('delivery', usual, () => {
    const { steps } = decideCorrection(order)
    const isBack = order.state !== 'pending_confirmation' && steps.at(-1)?.to === 'pending_confirmation'
    return isBack ? { consequence: correctedAgain, cannotUndo: false } : usual
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

const sentences: Readonly<Record<Exclude<OrderActionName, 'reject' | 'cancel'>, string>> = {
  confirm: 'The order is confirmed, and a worker submits it for shipment.',
  resume: 'The order continues from where it was before the cancellation was requested.',
  hold: 'The order is not submitted while it is held.',
  release: 'The holds end, and a confirmed order without holds is submitted.',
  ship: 'The order counts as shipped.',
  deliver: 'The order ends as delivered, and its prize is fulfilled.',
  exception: 'The order counts as not delivered: it can be sent again, corrected or cancelled.',
  reship: 'A new parcel with the next shipment number is submitted.',
  delivery: 'The new delivery details replace the old ones.',
}

const permanent: readonly OrderActionName[] = ['reject', 'cancel', 'ship', 'deliver', 'reship']

/**
 * The usual effect of an action. `returnsPrize` is the choice for `reject` and `cancel`: null if none was made, which
 * returns the prize, and undefined as long as it can still be made.
 */
export function usualEffectOf(action: OrderActionName, returnsPrize?: boolean | null): Effect {
  const cannotUndo = permanent.includes(action)
  switch (action) {
    case 'reject':
      return { consequence: `The order ends, and ${fateOfPrize(returnsPrize)}.`, cannotUndo }
    case 'cancel': {
      const asked = 'A provider that may have the parcel is asked first.'
      return { consequence: `The order ends, and ${fateOfPrize(returnsPrize)}. ${asked}`, cannotUndo }
    }
    default:
      return { consequence: sentences[action], cannotUndo }
  }
}

function fateOfPrize(returnsPrize: boolean | null | undefined): string {
  if (returnsPrize === false) return 'its prize becomes void'
  const returned = 'the player gets the prize back'
  return returnsPrize === undefined ? `${returned}, or loses it with return_prize false` : returned
}

/** The effect of the action on an order as it is now. */
function effectOf(move: OrderMove, { steps }: OrderPlan): Effect {
  switch (steps.at(-1)?.event) {
    case 'cancel_requested':
      return {
        consequence:
          'The provider is asked to cancel; if it agrees, the order ends and the player gets the prize back.',
        cannotUndo: false,
      }
    case 'shipment_updated':
      return { consequence: 'Carrier and tracking number are corrected.', cannotUndo: false }
    default:
      return usualEffectOf(move)
  }
}

/** The next step without an action. `dueAt` is when the order's snoozed work continues; null if none is snoozed. */
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
