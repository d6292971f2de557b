import Joi from 'joi'
import { readHistory } from '../../core/event/read-history.ts'
import { listOrders } from '../../core/prize-order/list-orders.ts'
import { getOrderWithDelivery } from '../../core/prize-order/read-orders.ts'
import type { OrderRecord } from '../../core/prize-order/read-orders.ts'
import type { DeliveryDetails } from '../../core/prize-order/delivery-details.ts'
import { exceptionReasons, holdReasons, orderTransitions } from '../../core/prize-order/state.ts'
import type { ExceptionReason, HoldReason, OrderState } from '../../core/prize-order/state.ts'
import type { Settled } from '../../core/batch/batcher.ts'
import { createMoveOrders } from '../../core/prize-order/move-orders.ts'
import type { OrderMove } from '../../core/prize-order/decide-move.ts'
import type { ApiDeps } from '../deps.ts'
import { deliveryInput } from '../delivery-input.ts'
import { callerId, parseInput, text } from '../parse-input.ts'
import type { CasinoEndpoint } from './casino-endpoint.ts'
import { listParameters, parseListQuery, renderList } from './list-query.ts'
import type { ListQuery } from './list-query.ts'
import { renderHistoryEntry } from './history.ts'
import { pathId, reason } from '../inputs.ts'
import { success } from './render.ts'

type Deps = Pick<ApiDeps, 'database' | 'cipher' | 'clock' | 'handOver'>

export const ordersInput = Joi.object<ListQuery & { state?: OrderState; player_id?: string; held?: boolean }>(
  {
    ...listParameters(),
    state: Joi.string().valid(...Object.keys(orderTransitions)),
    player_id: callerId,
    held: Joi.boolean().sensitive(),
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

export const correctionInput = Joi.object<DeliveryDetails & { reason?: string }>({ ...deliveryInput, reason })

const holdReason = Joi.string().valid(...holdReasons)
const flag = Joi.boolean().strict()

/** What can be said with each move. */
export const moveInputs: Record<OrderMove, Joi.ObjectSchema<MoveInput>> = {
  confirm: Joi.object({ reason }),
  reject: Joi.object({ reason, return_prize: flag }),
  cancel: Joi.object({ reason, return_prize: flag, final: flag }),
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
    return { body: renderList(await listOrders(database, filter, page), renderOrder, page) }
  }
}

/** `GET …/orders/{order_id}`, with its history and its delivery details, which are null once they have been erased. */
export function createGetOrder({ database, cipher }: Deps): CasinoEndpoint {
  return async (request) => {
    const id = pathId(request, 'order_id')
    const { order, delivery } = await getOrderWithDelivery({ database, cipher }, request.casinoId, id)
    const history = await readHistory(database, request.casinoId, [{ type: 'prize_order', id }])
    return { body: success({ ...renderOrder(order), delivery, history: history.map(renderHistoryEntry) }) }
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
    return { body: success(renderOrder(onlyOne(results))) }
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
    return { body: success(renderOrder(onlyOne(results))) }
  }
}

function onlyOne<Value>([result]: readonly Settled<Value>[]): Value {
  if (result === undefined) throw new Error('a request got no result')
  if ('error' in result) throw result.error
  return result.value
}

export function renderOrder(order: OrderRecord): object {
  return {
    order_id: order.id,
    prize_id: order.prizeId,
    item_id: order.itemId,
    item_name: order.itemName,
    player_id: order.playerId,
    state: order.state,
    provider: order.provider,
    carrier: order.carrier,
    tracking_number: order.trackingNumber,
    shipment_number: order.shipmentNumber,
    exception_reason: order.exceptionReason,
    holds: order.openHolds,
    reminders_sent: order.remindersSent,
    problem: order.problem,
    created_at: order.createdAt,
    updated_at: order.updatedAt,
    ended_at: order.endedAt,
  }
}
