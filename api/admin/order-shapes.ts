import type { HistoryEntry } from '../../core/event/read-history.ts'
import { publicProblem } from '../../core/partner/public-problem.ts'
import type { OrderSnapshot } from '../../core/prize-order/order.ts'
import type { OrderWithDelivery } from '../../core/prize-order/read-orders.ts'
import { exceptionReasons, holdReasons, orderTransitions } from '../../core/prize-order/state.ts'
import {
  boolean,
  count,
  id,
  list,
  matching,
  named,
  nullable,
  oneOf,
  string,
  time,
} from '../../core/shape/json-schema.ts'
import { field, shapeOf } from '../../core/shape/shape.ts'
import { deliveryDetails } from '../shapes/delivery-details.ts'
import { actionFields } from './action-shapes.ts'
import type { WithActions } from './action-shapes.ts'
import { historyEntry } from './history.ts'

/** The words of fields of an order that requests, events and exports have too, under the same names. */
export const orderWords = {
  carrier: { description: 'The carrier of the parcel.', example: 'DHL' },
  exception_reason: { description: 'Why the parcel was not delivered.', example: 'address_invalid' },
  hold_reason: { description: 'Why the order is on hold.', example: 'kyc_pending' },
  order_id: { description: 'The order.', example: 'ord_01b977d7aa0076a1b2c3d4e5f6071803' },
  shipment_number: { description: 'The number of the parcel of the order, from 1.', example: 1 },
  tracking_number: { description: 'The tracking number of the carrier.', example: 'JD0123456789' },
} as const

/** The part of an order that the casino sees. */
export const order = shapeOf<OrderSnapshot>()('Order', {
  order_id: field(matching(/^ord_[0-9a-f]{32}$/), (order) => order.id),
  prize_id: field(id, (order) => order.prizeId),
  item_id: field(id, (order) => order.itemId),
  item_name: field(string, (order) => order.itemName),
  player_id: field(id, (order) => order.playerId),
  state: field(oneOf(Object.keys(orderTransitions)), (order) => order.state),
  revision: field(count, (order) => order.revision),
  provider: field(nullable(oneOf(['manual', 'http'])), (order) => order.provider, {
    description: 'The kind of provider that sends it.',
    example: null,
  }),
  carrier: field(nullable(string), (order) => order.carrier, { example: null }),
  tracking_number: field(nullable(string), (order) => order.trackingNumber, { example: null }),
  shipment_number: field(count, (order) => order.shipmentNumber),
  exception_reason: field(nullable(oneOf(exceptionReasons)), (order) => order.exceptionReason, {
    example: null,
  }),
  holds: field(list(oneOf(holdReasons)), (order) => order.openHolds, {
    description: 'Why the order is held now.',
    example: [],
  }),
  reminders_sent: field(count, (order) => order.remindersSent, {
    description: 'The number of reminders that were sent.',
    example: 0,
  }),
  problem: field(nullable(string), (order) => publicProblem(order.problem), { example: null }),
  created_at: field(time, (order) => order.createdAt),
  updated_at: field(time, (order) => order.updatedAt),
  ended_at: field(nullable(time), (order) => order.endedAt, {
    description: 'When the order reached its final state; null until then.',
    example: null,
  }),
})

const shownDelivery = named('DeliveryDetails', deliveryDetails.type)

const delivery = field(
  nullable(shownDelivery),
  (order: OrderWithDelivery) => order.delivery && deliveryDetails.render(order.delivery),
  { description: 'The delivery details; null once they are erased.' },
)

interface ShownOrder extends OrderWithDelivery, WithActions {
  isDeliveryHidden: boolean
  history: readonly HistoryEntry[]
}

export const orderDetails = shapeOf<ShownOrder>()('OrderDetails', {
  ...order.fields,
  delivery,
  delivery_hidden: field(boolean, (order) => order.isDeliveryHidden, {
    description: 'Whether there are delivery details that only `reveal` shows: to people, never to keys.',
    example: false,
  }),
  history: field(list(historyEntry.type), ({ history }) => history.map(historyEntry.render)),
  ...actionFields,
})

export const revealedDelivery = shapeOf<OrderWithDelivery>()('RevealedDelivery', {
  order_id: order.fields.order_id,
  delivery,
})

/** As a player's export has it. */
export const orderWithReference = shapeOf<OrderWithDelivery>()(undefined, {
  ...order.fields,
  delivery,
  provider_reference: field(nullable(string), ({ providerReference }) => providerReference, {
    description: 'The provider’s own name for the parcel.',
    example: 'prv-20300131-77',
  }),
})
