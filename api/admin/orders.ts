import Joi from 'joi'
import { choice, requestOf, required } from '../../core/shape/request-shape.ts'
import type { Parsed } from '../../core/shape/request-shape.ts'
import { readHistory } from '../../core/event/read-history.ts'
import { listOrders } from '../../core/prize-order/list-orders.ts'
import { getOrderWithDelivery } from '../../core/prize-order/read-orders.ts'
import { exceptionReasons, holdReasons, orderTransitions } from '../../core/prize-order/state.ts'
import type { OrderState } from '../../core/prize-order/state.ts'
import type { Settled } from '../../core/batch/batcher.ts'
import { createMoveOrders } from '../../core/prize-order/move-orders.ts'
import type { OrderMove } from '../../core/prize-order/decide-move.ts'
import { decideNextOfOrder, decideOrderActions } from '../../core/prize-order/decide-actions.ts'
import { readSnoozed } from '../../core/outbox/read-snoozed.ts'
import type { ApiDeps } from '../deps.ts'
import { deliveryInput } from '../shapes/delivery-details.ts'
import { idInQuery, parseInput, text } from '../parse-input.ts'
import { offered } from './action-shapes.ts'
import type { RightOf } from './action-shapes.ts'
import type { CasinoEndpoint } from './casino-endpoint.ts'
import { listParameters, parseListQuery, renderList } from './list-query.ts'
import { expectedRevision, pathId, reason } from '../inputs.ts'
import { order, orderDetails, revealedDelivery } from './order-shapes.ts'
import { success } from './render.ts'

type Deps = Pick<ApiDeps, 'database' | 'cipher' | 'clock' | 'handOver'>

export const revealInput = requestOf({
  reason: reason.example('The player asks whether the street is right'),
})

export const ordersInput = requestOf({
  ...listParameters(),
  state: choice(Object.keys(orderTransitions) as OrderState[]),
  player_id: idInQuery,
  held: Joi.boolean().sensitive().description('Whether a hold is open.').example(true),
})

export const correctionInput = requestOf({
  ...deliveryInput,
  reason: reason.example('The player has moved'),
  expected_revision: expectedRevision,
})

/** Every move takes these. */
const always = { reason, expected_revision: expectedRevision }
const prize = {
  return_prize: Joi.boolean()
    .strict()
    .description('Whether the prize returns to the player; otherwise it is voided.')
    .example(true),
}
const finality = {
  final: Joi.boolean()
    .strict()
    .description('Cancels the order without the agreement of the provider.')
    .example(true),
}
const hold = { hold_reason: choice(holdReasons) }
const exception = { exception_reason: choice(exceptionReasons) }
const shipment = { carrier: text(100), tracking_number: text(100) }
type AnyPart = typeof always &
  typeof prize &
  typeof finality &
  typeof hold &
  typeof exception &
  typeof shipment

/** The inputs of each move. */
export const moveInputs: Readonly<Record<OrderMove, Joi.ObjectSchema<Parsed<AnyPart>>>> = {
  confirm: requestOf(always),
  reject: requestOf({ ...always, ...prize }),
  cancel: requestOf({ ...always, ...prize, ...finality }),
  resume: requestOf(always),
  hold: requestOf({ ...always, hold_reason: required(hold.hold_reason) }),
  release: requestOf({ ...always, ...hold }),
  ship: requestOf({ ...always, ...shipment }),
  deliver: requestOf(always),
  exception: requestOf({ ...always, exception_reason: required(exception.exception_reason) }),
  reship: requestOf(always),
}

/** `GET …/orders`, oldest first, without delivery details. */
export function createListOrders({ database }: Deps): CasinoEndpoint {
  return async ({ casinoId, query }) => {
    const { page, input } = parseListQuery(ordersInput, query)
    const filter = { casinoId, playerId: input.player_id, state: input.state, isHeld: input.held }
    return { body: renderList(await listOrders(database, filter, page), order.render, page) }
  }
}

/**
 * `GET …/orders/{order_id}`, with its history and its delivery details, which are null once they have been erased. People
 * get them from `reveal`.
 */
export function createGetOrder({ database, cipher }: Deps, rightOf: RightOf): CasinoEndpoint {
  return async (request) => {
    const { casinoId, caller } = request
    const orderId = pathId(request, 'order_id')
    const found = await getOrderWithDelivery({ database, cipher }, casinoId, orderId)
    const isDeliveryHidden = caller.kind === 'person' && found.delivery !== null
    const history = await readHistory(database, casinoId, [{ type: 'prize_order', id: orderId }])
    const delivery = isDeliveryHidden ? null : found.delivery
    const actions = offered(decideOrderActions(found), rightOf, (name) => ({
      route: name === 'delivery' ? 'PUT /orders/:order_id/delivery' : `POST /orders/:order_id/${name}`,
      input: name === 'delivery' ? correctionInput : moveInputs[name],
    }))
    const snoozed = await readSnoozed(database, [orderId])
    const next = decideNextOfOrder(found, snoozed.get(orderId) ?? null)
    return {
      body: success(orderDetails.render({ ...found, delivery, isDeliveryHidden, history, actions, next })),
    }
  }
}

/** `POST …/orders/{order_id}/reveal`: the delivery details. The audit trail records the operator and the reason. */
export function createRevealDelivery({ database, cipher }: Deps): CasinoEndpoint {
  return async (request) => {
    const orderId = pathId(request, 'order_id')
    parseInput(revealInput, request.body)
    const found = await getOrderWithDelivery({ database, cipher }, request.casinoId, orderId)
    return {
      body: success(revealedDelivery.render(found)),
      headers: { 'Cache-Control': 'no-store' },
    }
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
        expectedRevision: input.expected_revision,
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
    const {
      reason: why,
      expected_revision: revision,
      ...delivery
    } = parseInput(correctionInput, request.body)
    const results = await moveOrders([
      {
        casinoId: request.casinoId,
        orderId,
        delivery,
        actor: request.actor,
        reason: why ?? null,
        requestId: request.requestId,
        claim: request.claim,
        expectedRevision: revision,
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
