import Joi from 'joi'
import { readHistory } from '../../core/event/read-history.ts'
import type { HistoryEntry } from '../../core/event/read-history.ts'
import { listOrders } from '../../core/prize-order/list-orders.ts'
import { getOrderWithDelivery } from '../../core/prize-order/read-orders.ts'
import type { OrderWithDelivery } from '../../core/prize-order/read-orders.ts'
import type { OrderSnapshot } from '../../core/prize-order/order.ts'
import type { DeliveryDetails } from '../../core/prize-order/delivery-details.ts'
import { exceptionReasons, holdReasons, orderTransitions } from '../../core/prize-order/state.ts'
import type { ExceptionReason, HoldReason, OrderState } from '../../core/prize-order/state.ts'
import type { Settled } from '../../core/batch/batcher.ts'
import { toldProblem } from '../../core/partner/told-problem.ts'
import { createMoveOrders } from '../../core/prize-order/move-orders.ts'
import type { OrderMove } from '../../core/prize-order/decide-move.ts'
import type { ApiDeps } from '../deps.ts'
import { deliveryDetails, deliveryInput } from '../shapes/delivery-details.ts'
import { callerId, parseInput, text } from '../parse-input.ts'
import type { CasinoEndpoint } from './casino-endpoint.ts'
import { listParameters, parseListQuery, renderList } from './list-query.ts'
import type { ListQuery } from './list-query.ts'
import { historyEntry } from './history.ts'
import { pathId, reason } from '../inputs.ts'
import {
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
import { success } from './render.ts'

type Deps = Pick<ApiDeps, 'database' | 'cipher' | 'clock' | 'handOver'>

/** What the casino is told of an order. */
export const order = shapeOf<OrderSnapshot>()('Order', {
  order_id: field(matching(/^ord_[0-9a-f]{32}$/), (order) => order.id),
  prize_id: field(id, (order) => order.prizeId),
  item_id: field(id, (order) => order.itemId),
  item_name: field(string, (order) => order.itemName),
  player_id: field(id, (order) => order.playerId),
  state: field(oneOf(Object.keys(orderTransitions)), (order) => order.state),
  provider: field(nullable(oneOf(['manual', 'http'])), (order) => order.provider, {
    description: 'Who sends it.',
    example: null,
  }),
  carrier: field(nullable(string), (order) => order.carrier, { example: null }),
  tracking_number: field(nullable(string), (order) => order.trackingNumber, { example: null }),
  shipment_number: field(count, (order) => order.shipmentNumber),
  exception_reason: field(nullable(oneOf(exceptionReasons)), (order) => order.exceptionReason, {
    example: null,
  }),
  holds: field(list(oneOf(holdReasons)), (order) => order.openHolds, {
    description: 'Why the order is held at present.',
    example: [],
  }),
  reminders_sent: field(count, (order) => order.remindersSent, {
    description: 'How often it was brought up again.',
    example: 0,
  }),
  problem: field(nullable(string), (order) => toldProblem(order.problem), { example: null }),
  created_at: field(time, (order) => order.createdAt),
  updated_at: field(time, (order) => order.updatedAt),
  ended_at: field(nullable(time), (order) => order.endedAt, {
    description: 'When it was over; null while it goes on.',
    example: null,
  }),
})

const shownDelivery = named('DeliveryDetails', deliveryDetails.type)

const delivery = field(
  nullable(shownDelivery),
  (order: OrderWithDelivery) => order.delivery && deliveryDetails.render(order.delivery),
  { description: 'The delivery details; null once they are erased.' },
)

export const orderDetails = shapeOf<OrderWithDelivery & { history: readonly HistoryEntry[] }>()(
  'OrderDetails',
  {
    ...order.fields,
    delivery,
    history: field(list(historyEntry.type), ({ history }) => history.map(historyEntry.render)),
  },
)

/** As a player's export has it. */
export const orderWithReference = shapeOf<OrderWithDelivery>()(undefined, {
  ...order.fields,
  delivery,
  provider_reference: field(nullable(string), ({ providerReference }) => providerReference, {
    description: 'The provider’s own name for the parcel.',
    example: 'prv-20300131-77',
  }),
})

export const ordersInput = Joi.object<ListQuery & { state?: OrderState; player_id?: string; held?: boolean }>(
  {
    ...listParameters(),
    state: Joi.string().valid(...Object.keys(orderTransitions)),
    player_id: callerId,
    held: Joi.boolean().sensitive().description('Whether a hold is open.').example(true),
  },
)

interface MoveInput {
  reason?: string
  carrier?: string
  tracking_number?: string
  return_prize?: boolean
  final?: boolean
  hold_reason?: HoldReason
  exception_reason?: ExceptionReason
}

export const correctionInput = Joi.object<DeliveryDetails & { reason?: string }>({
  ...deliveryInput,
  reason: reason.example('The player has moved'),
})

const holdReason = Joi.string().valid(...holdReasons)
const returnPrize = Joi.boolean()
  .strict()
  .description('Whether the player gets the prize back; else it is void.')
  .example(true)
const isFinal = Joi.boolean().strict().description('Whether people have the last word.').example(true)

/** What can be said with each move. */
export const moveInputs: Record<OrderMove, Joi.ObjectSchema<MoveInput>> = {
  confirm: Joi.object({ reason }),
  reject: Joi.object({ reason, return_prize: returnPrize }),
  cancel: Joi.object({ reason, return_prize: returnPrize, final: isFinal }),
  resume: Joi.object({ reason }),
  hold: Joi.object({ reason, hold_reason: holdReason.required() }),
  release: Joi.object({ reason, hold_reason: holdReason }),
  ship: Joi.object({ reason, carrier: text(100), tracking_number: text(100) }),
  deliver: Joi.object({ reason }),
  exception: Joi.object({
    reason,
    exception_reason: Joi.string()
      .valid(...exceptionReasons)
      .required(),
  }),
  reship: Joi.object({ reason }),
}

/** `GET …/orders`, oldest first, without delivery details. */
export function createListOrders({ database }: Deps): CasinoEndpoint {
  return async ({ casinoId, query }) => {
    const { page, input } = parseListQuery(ordersInput, query)
    const filter = { casinoId, playerId: input.player_id, state: input.state, isHeld: input.held }
    return { body: renderList(await listOrders(database, filter, page), order.render, page) }
  }
}

/** `GET …/orders/{order_id}`, with its history and its delivery details, which are null once they have been erased. */
export function createGetOrder({ database, cipher }: Deps): CasinoEndpoint {
  return async (request) => {
    const { casinoId } = request
    const orderId = pathId(request, 'order_id')
    const found = await getOrderWithDelivery({ database, cipher }, casinoId, orderId)
    const history = await readHistory(database, casinoId, [{ type: 'prize_order', id: orderId }])
    return { body: success(orderDetails.render({ ...found, history })) }
  }
}

/**
 * `POST …/orders/{order_id}/confirm` and the other moves. Answers the order as the move left it; a repeat is refused, and
 * says that the order is already there.
 */
export function createMoveOrder(deps: Deps, move: OrderMove): CasinoEndpoint {
  const moveOrders = createMoveOrders(deps)
  return async (request) => {
    const orderId = pathId(request, 'order_id')
    const input = parseInput(moveInputs[move], request.body)
    const results = await moveOrders([
      {
        casinoId: request.casinoId,
        orderId,
        move,
        details: {
          carrier: input.carrier ?? null,
          trackingNumber: input.tracking_number ?? null,
          returnsPrize: input.return_prize ?? null,
          isFinal: input.final ?? false,
          holdReason: input.hold_reason ?? null,
          exceptionReason: input.exception_reason ?? null,
        },
        actor: request.actor,
        reason: input.reason ?? null,
        requestId: request.requestId,
        claim: request.claim,
      },
    ])
    return { body: success(order.render(onlyOne(results))) }
  }
}

/**
 * `PUT …/orders/{order_id}/delivery` replaces the delivery details, all of them. An order that was confirmed with the old
 * ones needs a new confirmation.
 */
export function createCorrectAddress(deps: Deps): CasinoEndpoint {
  const moveOrders = createMoveOrders(deps)
  return async (request) => {
    const orderId = pathId(request, 'order_id')
    const { reason: why, ...delivery } = parseInput(correctionInput, request.body)
    const results = await moveOrders([
      {
        casinoId: request.casinoId,
        orderId,
        delivery,
        actor: request.actor,
        reason: why ?? null,
        requestId: request.requestId,
        claim: request.claim,
      },
    ])
    return { body: success(order.render(onlyOne(results))) }
  }
}

function onlyOne<Value>([result]: readonly Settled<Value>[]): Value {
  if (result === undefined) throw new Error('a request got no result')
  if ('error' in result) throw result.error
  return result.value
}
