import { listCashbacksOfPrize } from '../../core/cashback/read-cashbacks.ts'
import type { CashbackRecord } from '../../core/cashback/read-cashbacks.ts'
import { readHistory } from '../../core/event/read-history.ts'
import type { HistoryEntry } from '../../core/event/read-history.ts'
import { itemKinds } from '../../core/item/item-kinds.ts'
import type { Newest } from '../../core/page.ts'
import type { OrderSnapshot } from '../../core/prize-order/order.ts'
import { listOrdersOfPrize } from '../../core/prize-order/read-orders.ts'
import { givePrize } from '../../core/prize/give-prize.ts'
import { getPrize } from '../../core/prize/read-prizes.ts'
import type { PrizeRecord } from '../../core/prize/read-prizes.ts'
import { prizeTransitions } from '../../core/prize/state.ts'
import { voidPrize } from '../../core/prize/void-prize.ts'
import { decideNextOfPrize, decidePrizeActions } from '../../core/prize/decide-void.ts'
import type { NextStep } from '../../core/prize/decide-action.ts'
import { decideNextOfOrder } from '../../core/prize-order/decide-actions.ts'
import { decideNextOfCashback } from '../../core/cashback/decide-actions.ts'
import { readSnoozed } from '../../core/outbox/read-snoozed.ts'
import { cashbackTransitions } from '../../core/cashback/state.ts'
import { isStateOf } from '../../core/state-machine.ts'
import type { ApiDeps } from '../deps.ts'
import { callerId, parseInput } from '../parse-input.ts'
import { actionFields, offered } from './action-shapes.ts'
import type { RightOf, WithActions } from './action-shapes.ts'
import { refuseAlone } from './approvals.ts'
import { cashback } from './cashbacks.ts'
import type { CasinoEndpoint } from './casino-endpoint.ts'
import { historyEntry } from './history.ts'
import { expectedRevision, pathId, reason } from '../inputs.ts'
import {
  boolean,
  count,
  id,
  list,
  money,
  nullable,
  oneOf,
  openingId,
  string,
  time,
} from '../../core/shape/json-schema.ts'
import { requestOf, required } from '../../core/shape/request-shape.ts'
import { field, inputsOf, shapeOf } from '../../core/shape/shape.ts'
import { order } from './order-shapes.ts'
import { renderCashbackValue, success } from './render.ts'

type Deps = Pick<ApiDeps, 'database' | 'clock'>

export const prize = shapeOf<PrizeRecord>()('Prize', {
  prize_id: field(id, (prize) => prize.id, { input: callerId.empty(null) }),
  player_id: field(id, (prize) => prize.playerId, { input: required(callerId) }),
  item_id: field(id, (prize) => prize.itemId, { input: required(callerId) }),
  name: field(string, (prize) => prize.itemName, { example: 'Mug' }),
  kind: field(oneOf<string>(itemKinds), (prize) => prize.kind),
  cashback: field(nullable(money), renderCashbackValue),
  state: field(oneOf(Object.keys(prizeTransitions)), (prize) => prize.state),
  revision: field(count, (prize) => prize.revision),
  opening_id: field(nullable(openingId), (prize) => prize.openingId),
  expires_at: field(nullable(time), (prize) => prize.expiresAt),
  created_at: field(time, (prize) => prize.createdAt),
  updated_at: field(time, (prize) => prize.updatedAt),
})

interface PrizeDetails extends PrizeRecord, WithActions {
  orders: Newest<OrderSnapshot>
  cashbacks: Newest<CashbackRecord>
  history: readonly HistoryEntry[]
}

export const prizeDetails = shapeOf<PrizeDetails>()('PrizeDetails', {
  ...prize.fields,
  state: field(prize.fields.state.type, (found) => found.state, { example: 'ordered' }),
  orders: field(list(order.type), ({ orders }) => orders.rows.map(order.render), {
    description: 'The newest 100 orders, the oldest first.',
  }),
  has_more_orders: field(boolean, ({ orders }) => orders.hasMore, {
    description: 'Whether there are older orders, all of them rejected or cancelled.',
    example: false,
  }),
  cashbacks: field(list(cashback.type), ({ cashbacks }) => cashbacks.rows.map(cashback.render), {
    description: 'The newest 100 cashbacks, the oldest first.',
    example: [],
  }),
  has_more_cashbacks: field(boolean, ({ cashbacks }) => cashbacks.hasMore, {
    description: 'Whether there are older cashbacks, all of them declined or reversed.',
    example: false,
  }),
  history: field(list(historyEntry.type), ({ history }) => history.map(historyEntry.render)),
  ...actionFields,
})

export const prizeInput = requestOf(inputsOf(prize.fields))

/**
 * `POST …/prizes` gives a player a prize: 201, or 200 when the same item was given to the same player under this
 * `prize_id` before. Anything else under a `prize_id` that exists is 409.
 */
export function createPostPrize(deps: Deps & Pick<ApiDeps, 'admitPlayers' | 'cipher'>): CasinoEndpoint {
  return async (request) => {
    const { casinoId, actor, requestId, claim, body } = request
    const input = parseInput(prizeInput, body)
    const playerId = String(input.player_id)
    const itemId = String(input.item_id)
    await deps.admitPlayers(casinoId, [playerId])
    const params = { item_id: itemId }
    await refuseAlone(deps, request, { action: 'player.give-prize', params, objectId: playerId })
    const { prize: given, isNew } = await givePrize(deps, {
      casinoId,
      playerId,
      itemId,
      prizeId: input.prize_id === undefined ? undefined : String(input.prize_id),
      actor,
      requestId,
      claim,
    })
    return { status: isNew ? 201 : 200, body: success(prize.render(given)) }
  }
}

/** `GET …/prizes/{prize_id}`: the prize, its orders and cashbacks, and what happened to any of them, the oldest first. */
export function createGetPrize({ database }: Deps, rightOf: RightOf): CasinoEndpoint {
  return async (request) => {
    const { casinoId } = request
    const prizeId = pathId(request, 'prize_id')
    const found = await getPrize(database, casinoId, prizeId)
    const [orders, cashbacks] = await Promise.all([
      listOrdersOfPrize(database, casinoId, prizeId),
      listCashbacksOfPrize(database, casinoId, prizeId),
    ])
    const history = await readHistory(database, casinoId, [
      { type: 'prize', id: prizeId },
      ...orders.rows.map((one) => ({ type: 'prize_order' as const, id: one.id })),
      ...cashbacks.rows.map((one) => ({ type: 'cashback' as const, id: one.id })),
    ])
    const actions = offered(decidePrizeActions(found), rightOf, (name) => ({
      route: `POST /prizes/:prize_id/${name}`,
      input: voidInput,
    }))
    const next = await nextOf(database, found, orders.rows, cashbacks.rows)
    return { body: success(prizeDetails.render({ ...found, orders, cashbacks, history, actions, next })) }
  }
}

/** The prize's own next step, or that of its live order or cashback. */
async function nextOf(
  database: Deps['database'],
  prize: PrizeRecord,
  orders: readonly OrderSnapshot[],
  cashbacks: readonly CashbackRecord[],
): Promise<NextStep | null> {
  const own = decideNextOfPrize(prize)
  if (own !== null) return own
  const snoozed = await readSnoozed(
    database,
    [...orders, ...cashbacks].map(({ id }) => id),
  )
  const steps = [
    ...orders.map((one) => decideNextOfOrder(one, snoozed.get(one.id) ?? null)),
    ...cashbacks.flatMap(({ id, state }) =>
      isStateOf(cashbackTransitions, state) ? [decideNextOfCashback(state, snoozed.get(id) ?? null)] : [],
    ),
  ]
  return steps.find((step) => step !== null) ?? null
}

export const voidInput = requestOf({ reason, expected_revision: expectedRevision })

/** `POST …/prizes/{prize_id}/void`: takes the prize away. 409 for one that is not `won`, so also the second time. */
export function createVoidPrize(deps: Deps & Pick<ApiDeps, 'cipher'>): CasinoEndpoint {
  return async (request) => {
    const { casinoId, actor, requestId, claim, body } = request
    const prizeId = pathId(request, 'prize_id')
    const input = parseInput(voidInput, body)
    await refuseAlone(deps, request, { action: 'prize.void', params: {}, objectId: prizeId })
    const voided = await voidPrize(deps, {
      casinoId,
      prizeId,
      reason: input.reason ?? null,
      actor,
      requestId,
      claim,
      expectedRevision: input.expected_revision,
    })
    return { body: success(prize.render(voided)) }
  }
}
