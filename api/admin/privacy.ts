import Joi from 'joi'
import { amountToJson } from '../../core/money.ts'
import { erasePlayer } from '../../core/privacy/erase-player.ts'
import { exportPlayer } from '../../core/privacy/export-player.ts'
import type { PlayerExport } from '../../core/privacy/export-player.ts'
import type { ApiDeps } from '../deps.ts'
import { pathId, reason } from '../inputs.ts'
import { parseInput } from '../parse-input.ts'
import type { CasinoEndpoint } from './casino-endpoint.ts'
import { renderOrder } from './orders.ts'
import { success } from './render.ts'

type Deps = Pick<ApiDeps, 'database' | 'clock' | 'cipher'>

export const eraseInput = Joi.object<{ reason?: string }>({ reason })

/** `POST …/players/{player_id}/erase`: what is known of the player as a person. Players are the casino's: any id will do. */
export function createErasePlayer(deps: Deps): CasinoEndpoint {
  return async (request) => {
    const { casinoId, actor, requestId } = request
    const playerId = pathId(request, 'player_id')
    const input = parseInput(eraseInput, request.body)
    const wish = { actor, reason: input.reason ?? null, requestId }
    const erased = await erasePlayer(deps, { casinoId, playerId }, wish)
    return {
      body: success({
        player_id: playerId,
        erased_orders: erased.erasedOrders,
        waiting_order_ids: erased.waitingOrderIds,
      }),
    }
  }
}

/** `POST …/players/{player_id}/export`: everything that is stored about the player, for the player. */
export function createExportPlayer(deps: Deps): CasinoEndpoint {
  return async (request) => {
    const playerId = pathId(request, 'player_id')
    const found = await exportPlayer(deps, { casinoId: request.casinoId, playerId })
    return { body: success(renderExport(playerId, found)), headers: { 'Cache-Control': 'no-store' } }
  }
}

function renderExport(playerId: string, found: PlayerExport): object {
  return {
    player_id: playerId,
    complete: found.isComplete,
    first_seen_at: found.player?.firstSeenAt ?? null,
    erase_requested_at: found.player?.eraseRequestedAt ?? null,
    erased_at: found.player?.erasedAt ?? null,
    client_seed: found.player?.clientSeed ?? null,
    balances: found.balances.map(({ currency, amountMinor }) => ({
      currency,
      amount_minor: amountToJson(amountMinor),
    })),
    grants: found.grants.map((grant) => ({
      grant_id: grant.id,
      box_id: grant.boxId,
      count: grant.count,
      used: grant.used,
      expires_at: grant.expiresAt,
      created_at: grant.createdAt,
    })),
    openings: found.openings.map((opening) => ({
      opening_id: opening.id,
      box_id: opening.boxId,
      box_version: opening.version,
      item_id: opening.itemId,
      prize_id: opening.prizeId,
      client_seed: opening.clientSeed,
      opened_at: opening.openedAt,
    })),
    prizes: found.prizes.map((prize) => ({
      prize_id: prize.id,
      item_id: prize.itemId,
      item_name: prize.itemName,
      kind: prize.kind,
      state: prize.state,
      expires_at: prize.expiresAt,
      created_at: prize.createdAt,
    })),
    orders: found.orders.map(({ order, delivery }) => ({ ...renderOrder(order), delivery })),
    cashbacks: found.cashbacks.map((cashback) => ({
      cashback_id: cashback.id,
      prize_id: cashback.prizeId,
      amount_minor: amountToJson(cashback.amountMinor),
      currency: cashback.currency,
      state: cashback.state,
      created_at: cashback.createdAt,
    })),
  }
}
