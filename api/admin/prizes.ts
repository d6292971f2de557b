import Joi from 'joi'
import { givePrize } from '../../core/prize/give-prize.ts'
import type { PrizeRecord } from '../../core/prize/read-prizes.ts'
import type { ApiDeps } from '../deps.ts'
import { callerId, parseInput } from '../parse-input.ts'
import type { CasinoEndpoint } from './casino-endpoint.ts'
import { renderCashbackValue, success } from './render.ts'

type Deps = Pick<ApiDeps, 'database' | 'clock'>

interface PrizeInput {
  player_id: string | number
  item_id: string | number
  prize_id?: string | number
}

const prizeInput = Joi.object<PrizeInput>({
  player_id: callerId.required(),
  item_id: callerId.required(),
  prize_id: callerId.empty(null),
})

/**
 * `POST …/prizes` gives a player a prize: 201, or 200 when the same item was given to the same player under this
 * `prize_id` before. Anything else under a `prize_id` that exists is 409.
 */
export function createPostPrize({ database, clock }: Deps): CasinoEndpoint {
  return async ({ casinoId, actor, requestId, body }) => {
    const input = parseInput(prizeInput, body)
    const { prize, isNew } = await givePrize(
      { database, clock },
      {
        casinoId,
        playerId: String(input.player_id),
        itemId: String(input.item_id),
        prizeId: input.prize_id === undefined ? undefined : String(input.prize_id),
        actor,
        requestId,
      },
    )
    return { status: isNew ? 201 : 200, body: success(renderPrize(prize)) }
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
