import Joi from 'joi'
import { readHistory } from '../../core/event/read-history.ts'
import { getOrderWithDelivery, listOrders } from '../../core/prize-order/read-orders.ts'
import type { OrderRecord } from '../../core/prize-order/read-orders.ts'
import { orderTransitions } from '../../core/prize-order/state.ts'
import type { OrderState } from '../../core/prize-order/state.ts'
import { createMoveOrders } from '../../core/prize-order/move-orders.ts'
import type { OrderMove } from '../../core/prize-order/decide-move.ts'
import type { ApiDeps } from '../deps.ts'
import { callerId, parseInput, text } from '../parse-input.ts'
import type { CasinoEndpoint } from './casino-endpoint.ts'
import { renderHistoryEntry } from './history.ts'
import { pathId, reason } from './inputs.ts'
import { pageParameters, parseListQuery, renderPage } from './paging.ts'
import type { PageQuery } from './paging.ts'
import { success } from './render.ts'

type Deps = Pick<ApiDeps, 'database' | 'cipher' | 'clock' | 'handOver'>

const ordersInput = Joi.object<PageQuery & { state?: OrderState; player_id?: string }>({
  ...pageParameters,
  state: Joi.string().valid(...Object.keys(orderTransitions)),
  player_id: callerId,
})

interface MoveInput {
  reason?: string
  carrier?: string
  tracking_number?: string
}

const moveInput = Joi.object<MoveInput>({ reason })
const shipInput = Joi.object<MoveInput>({ reason, carrier: text(100), tracking_number: text(100) })

/** `GET …/orders`, oldest first, without delivery details. */
export function createListOrders({ database }: Deps): CasinoEndpoint {
  return async ({ casinoId, query }) => {
    const { page, input } = parseListQuery(ordersInput, query)
    const filter = { casinoId, playerId: input.player_id, state: input.state }
    return { body: renderPage(await listOrders(database, filter, page), renderOrder) }
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
 * `POST …/orders/{order_id}/confirm`, `reject`, `cancel`, `ship` and `deliver`. Answers the order as the move left it;
 * a repeat is refused, and says that the order is already there.
 */
export function createMoveOrder({ database, clock, handOver }: Deps, move: OrderMove): CasinoEndpoint {
  const moveOrders = createMoveOrders({ database, clock, handOver })
  return async (request) => {
    const orderId = pathId(request, 'order_id')
    const input = parseInput(move === 'ship' ? shipInput : moveInput, request.body)
    const [result] = await moveOrders([
      {
        casinoId: request.casinoId,
        orderId,
        move,
        carrier: input.carrier ?? null,
        trackingNumber: input.tracking_number ?? null,
        actor: request.actor,
        reason: input.reason ?? null,
        requestId: request.requestId,
      },
    ])
    if (result === undefined) throw new Error('a request got no result')
    if ('error' in result) throw result.error
    return { body: success(renderOrder(result.value)) }
  }
}

export function renderOrder(order: OrderRecord): object {
  return {
    order_id: order.id,
    prize_id: order.prizeId,
    player_id: order.playerId,
    state: order.state,
    provider: order.provider,
    carrier: order.carrier,
    tracking_number: order.trackingNumber,
    created_at: order.createdAt,
    updated_at: order.updatedAt,
  }
}
