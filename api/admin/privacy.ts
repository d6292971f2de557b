import Joi from 'joi'
import { amountToJson } from '../../core/money.ts'
import { erasePlayer } from '../../core/privacy/erase-player.ts'
import { exportedKinds, exportPlayer } from '../../core/privacy/export-player.ts'
import type { ExportPosition, PlayerExport } from '../../core/privacy/export-player.ts'
import type { ApiDeps } from '../deps.ts'
import { pathId, reason } from '../inputs.ts'
import { cursorSchema } from '../paging.ts'
import { callerId, parseInput } from '../parse-input.ts'
import { renderWalletAnswer } from './cashbacks.ts'
import type { CasinoEndpoint } from './casino-endpoint.ts'
import { renderHistoryEntry } from './history.ts'
import { renderOrder } from './orders.ts'
import { success } from './render.ts'

type Deps = Pick<ApiDeps, 'database' | 'clock' | 'log' | 'cipher'>

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

/** Far longer than any that is handed out. */
const cursorMax = 8_192

export const exportInput = Joi.object<{ cursor?: ExportPosition }>({
  cursor: Joi.string()
    .max(cursorMax)
    .custom((text: string, helpers) => decodePosition(text) ?? helpers.error('any.invalid'))
    .messages({ 'any.invalid': '{{#label}} must be a next_cursor of an earlier answer' })
    .meta({ jsonSchema: { ...cursorSchema, maxLength: cursorMax } }),
})

function encodePosition(position: ExportPosition): string {
  return Buffer.from(JSON.stringify(exportedKinds.map((kind) => position[kind])), 'utf8').toString(
    'base64url',
  )
}

/** Undefined when it is nothing that was ever handed out. */
function decodePosition(text: string): ExportPosition | undefined {
  let ids: unknown
  try {
    ids = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
  if (!Array.isArray(ids) || ids.length !== exportedKinds.length || !ids.every(isPlace)) return undefined
  const [grants = null, openings = null, prizes = null, orders = null, cashbacks = null] = ids
  const position = { grants, openings, prizes, orders, cashbacks }
  return encodePosition(position) === text ? position : undefined
}

function isPlace(id: unknown): id is string | null {
  return id === null || (typeof id === 'string' && callerId.validate(id).error === undefined)
}

/** `POST …/players/{player_id}/export`: everything that is stored about the player, for the player. */
export function createExportPlayer(deps: Deps): CasinoEndpoint {
  return async (request) => {
    const playerId = pathId(request, 'player_id')
    const { cursor } = parseInput(exportInput, request.body)
    const found = await exportPlayer(deps, { casinoId: request.casinoId, playerId }, cursor)
    return { body: success(renderExport(playerId, found)), headers: { 'Cache-Control': 'no-store' } }
  }
}

function renderExport(playerId: string, found: PlayerExport): object {
  return {
    player_id: playerId,
    complete: found.next === null,
    ...(found.next === null ? {} : { next_cursor: encodePosition(found.next) }),
    first_seen_at: found.player?.firstSeenAt ?? null,
    erase_requested_at: found.player?.eraseRequestedAt ?? null,
    erased_at: found.player?.erasedAt ?? null,
    client_seed: found.player?.clientSeed ?? null,
    client_seed_in_use: found.player?.clientSeedInUse ?? null,
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
      grant_id: opening.grantId,
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
    orders: found.orders.map(({ order, delivery, providerReference }) => ({
      ...renderOrder(order),
      delivery,
      provider_reference: providerReference,
    })),
    news: found.news.map((news) => ({
      news_id: news.id,
      order_id: news.orderId,
      shipment_number: news.shipmentNumber,
      status: news.status,
      reason: news.reason,
      carrier: news.carrier,
      tracking_number: news.trackingNumber,
      occurred_at: news.occurredAt,
      received_at: news.receivedAt,
    })),
    cashbacks: found.cashbacks.map((cashback) => ({
      cashback_id: cashback.id,
      prize_id: cashback.prizeId,
      amount_minor: amountToJson(cashback.amountMinor),
      currency: cashback.currency,
      state: cashback.state,
      wallet_reference: cashback.walletReference,
      created_at: cashback.createdAt,
    })),
    wallet_answers: found.walletAnswers.map((answer) => ({
      cashback_id: answer.cashbackId,
      ...renderWalletAnswer(answer),
    })),
    ledger_entries: found.ledgerEntries.map((entry) => ({
      transaction_id: entry.transactionId,
      kind: entry.kind,
      cashback_id: entry.cashbackId,
      account: entry.account,
      amount_minor: amountToJson(entry.amountMinor),
      currency: entry.currency,
      created_at: entry.createdAt,
    })),
    history: found.history.map(renderHistoryEntry),
  }
}
