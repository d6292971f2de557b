import Joi from 'joi'
import { listCashbacksOfPrize } from '../../core/cashback/read-cashbacks.ts'
import { readHistory } from '../../core/event/read-history.ts'
import { listOrdersOfPrize } from '../../core/prize-order/read-orders.ts'
import { givePrize } from '../../core/prize/give-prize.ts'
import { getPrize } from '../../core/prize/read-prizes.ts'
import type { PrizeRecord } from '../../core/prize/read-prizes.ts'
import { voidPrize } from '../../core/prize/void-prize.ts'
import type { ApiDeps } from '../deps.ts'
import { callerId, parseInput } from '../parse-input.ts'
import { renderCashback } from './cashbacks.ts'
import type { CasinoEndpoint } from './casino-endpoint.ts'
import { renderHistoryEntry } from './history.ts'
import { pathId, reason } from '../inputs.ts'
import { renderOrder } from './orders.ts'
import { renderCashbackValue, success } from './render.ts'

type Deps = Pick<ApiDeps, 'database' | 'clock'>

interface PrizeInput {
  player_id: string | number
  item_id: string | number
  prize_id?: string | number
}

export const prizeInput = Joi.object<PrizeInput>({
  player_id: callerId.required(),
  item_id: callerId.required(),
  prize_id: callerId.empty(null),
})

/**
 * `POST …/prizes` gives a player a prize: 201, or 200 when the same item was given to the same player under this
 * `prize_id` before. Anything else under a `prize_id` that exists is 409.
 */
export function createPostPrize({
  database,
  clock,
  admitPlayers,
}: Deps & Pick<ApiDeps, 'admitPlayers'>): CasinoEndpoint {
  return async ({ casinoId, actor, requestId, claim, body }) => {
    const input = parseInput(prizeInput, body)
    await admitPlayers(casinoId, [String(input.player_id)])
    const { prize, isNew } = await givePrize(
      { database, clock },
      {
        casinoId,
        playerId: String(input.player_id),
        itemId: String(input.item_id),
        prizeId: input.prize_id === undefined ? undefined : String(input.prize_id),
        actor,
        requestId,
        claim,
      },
    )
    return { status: isNew ? 201 : 200, body: success(renderPrize(prize)) }
  }
}

/** `GET …/prizes/{prize_id}`: the prize, its orders and cashbacks, oldest first, and all that happened to any of them. */
export function createGetPrize({ database }: Deps): CasinoEndpoint {
  return async (request) => {
    const { casinoId } = request
    const id = pathId(request, 'prize_id')
    const prize = await getPrize(database, casinoId, id)
    const [orders, cashbacks] = await Promise.all([
      listOrdersOfPrize(database, casinoId, id),
      listCashbacksOfPrize(database, casinoId, id),
    ])
    const history = await readHistory(database, casinoId, [
      { type: 'prize', id },
      ...orders.map((order) => ({ type: 'prize_order' as const, id: order.id })),
      ...cashbacks.map((cashback) => ({ type: 'cashback' as const, id: cashback.id })),
    ])
    return {
      body: success({
        ...renderPrize(prize),
        orders: orders.map(renderOrder),
        cashbacks: cashbacks.map(renderCashback),
        history: history.map(renderHistoryEntry),
      }),
    }
  }
}

export const voidInput = Joi.object<{ reason?: string }>({ reason })

/** `POST …/prizes/{prize_id}/void`: nobody has the prize any more. Once; after that, and for what is not `won`, 409. */
export function createVoidPrize({ database, clock }: Deps): CasinoEndpoint {
  return async (request) => {
    const { casinoId, actor, requestId, claim, body } = request
    const prizeId = pathId(request, 'prize_id')
    const input = parseInput(voidInput, body)
    const prize = await voidPrize(
      { database, clock },
      { casinoId, prizeId, reason: input.reason ?? null, actor, requestId, claim },
    )
    return { body: success(renderPrize(prize)) }
  }
}

export function renderPrize(prize: PrizeRecord): object {
  return {
    prize_id: prize.id,
    player_id: prize.playerId,
    item_id: prize.itemId,
    name: prize.itemName,
    kind: prize.kind,
    cashback: renderCashbackValue(prize),
    state: prize.state,
    opening_id: prize.openingId,
    expires_at: prize.expiresAt,
    created_at: prize.createdAt,
    updated_at: prize.updatedAt,
  }
}
