import Joi from 'joi'
import { giving, requestOf } from '../../core/shape/request-shape.ts'
import { erasePlayer } from '../../core/privacy/erase-player.ts'
import { exportedKinds, exportPlayer } from '../../core/privacy/export-player.ts'
import type { ExportPosition } from '../../core/privacy/export-player.ts'
import { previewErasure } from '../../core/privacy/preview-erasure.ts'
import type { ErasurePreview } from '../../core/privacy/preview-erasure.ts'
import type { ApiDeps } from '../deps.ts'
import { pathId, reason } from '../inputs.ts'
import { boolean, count, hash, id, list } from '../../core/shape/json-schema.ts'
import { field, shapeOf } from '../../core/shape/shape.ts'
import { cursorSchema } from '../paging.ts'
import { callerId, parseInput } from '../parse-input.ts'
import type { CasinoEndpoint } from './casino-endpoint.ts'
import { encodePosition, playerExport } from './player-export.ts'
import { success } from './render.ts'

type Deps = Pick<ApiDeps, 'database' | 'clock' | 'log' | 'cipher'>

interface Erasure {
  playerId: string
  erasedOrders: number
  waitingOrderIds: readonly string[]
}

export const erasure = shapeOf<Erasure>()('Erasure', {
  player_id: field(id, ({ playerId }) => playerId),
  erased_orders: field(count, ({ erasedOrders }) => erasedOrders, {
    description: 'Orders whose delivery details were erased.',
    example: 2,
  }),
  waiting_order_ids: field(list(id), ({ waitingOrderIds }) => waitingOrderIds, {
    description: 'Orders that are erased when they are finished.',
    example: ['ord_01b977d7aa0076a1b2c3d4e5f6071803'],
  }),
})

export const erasurePreview = shapeOf<ErasurePreview & { playerId: string }>()('ErasurePreview', {
  player_id: field(id, ({ playerId }) => playerId),
  erasable_orders: field(count, ({ erasableOrders }) => erasableOrders, {
    description: 'Finished orders whose delivery details would be erased immediately.',
    example: 2,
  }),
  waiting_orders: field(count, ({ waitingOrders }) => waitingOrders, {
    description: 'Open orders, whose delivery details would be erased when they end.',
    example: 1,
  }),
  waiting_order_ids: field(list(id), ({ waitingOrderIds }) => waitingOrderIds, {
    description: 'The first 100 of the open orders.',
    example: ['ord_01b977d7aa0076a1b2c3d4e5f6071803'],
  }),
  notes: field(count, ({ notes }) => notes, {
    description: 'Operators’ notes whose texts would be erased.',
    example: 1,
  }),
  client_seed: field(boolean, ({ hasClientSeed }) => hasClientSeed, {
    description: 'Whether the player has asked for a client seed for future draws, which would be forgotten.',
    example: false,
  }),
  is_partial: field(boolean, ({ isPartial }) => isPartial, {
    description:
      'Whether only the newest 1,000 orders and notes were looked at. The erasure includes the others.',
    example: false,
  }),
  content_hash: field(hash, ({ contentHash }) => contentHash, {
    description: 'Of everything that would be erased: send it as `expected_content_hash`.',
    example: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  }),
})

/** `GET …/players/{player_id}/erasure`: the data that an erasure would erase. Erases nothing. */
export function createPreviewErasure({ database }: Deps): CasinoEndpoint {
  return async (request) => {
    const playerId = pathId(request, 'player_id')
    const preview = await previewErasure(database, { casinoId: request.casinoId, playerId })
    return { body: success(erasurePreview.render({ ...preview, playerId })) }
  }
}

export const eraseInput = requestOf({
  reason,
  expected_content_hash: Joi.string()
    .pattern(/^[0-9a-f]{64}$/)
    .messages({ 'string.pattern.base': '{{#label}} must be the content_hash of a preview' })
    .description(
      'The `content_hash` of the preview. If something else would be erased by now, nothing is erased and the response is 409.',
    )
    .example('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'),
})

/**
 * `POST …/players/{player_id}/erase`: erases the player's personal data. Casinos choose the ids of players, so an id that
 * the service has not seen yet is accepted too.
 */
export function createErasePlayer(deps: Deps): CasinoEndpoint {
  return async (request) => {
    const { casinoId, actor, requestId } = request
    const playerId = pathId(request, 'player_id')
    const input = parseInput(eraseInput, request.body)
    const wish = { actor, reason: input.reason ?? null, requestId }
    const expectedContentHash = input.expected_content_hash
    const erased = await erasePlayer(deps, { casinoId, playerId, expectedContentHash }, wish)
    return { body: success(erasure.render({ playerId, ...erased })) }
  }
}

/** Far longer than any that is handed out. */
const cursorMax = 8_192

export const exportInput = requestOf({
  cursor: giving<ExportPosition>(
    Joi.string()
      .max(cursorMax)
      .custom((text: string, helpers) => decodePosition(text) ?? helpers.error('any.invalid'))
      .messages({ 'any.invalid': '{{#label}} must be a next_cursor of an earlier answer' })
      .meta({ jsonSchema: { ...cursorSchema, maxLength: cursorMax } }),
  ),
  reason,
})

/** Undefined for a cursor that this service did not make. */
function decodePosition(text: string): ExportPosition | undefined {
  let ids: unknown
  try {
    ids = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
  if (!Array.isArray(ids) || ids.length !== exportedKinds.length || !ids.every(isPlace)) return undefined
  const [grants = null, openings = null, prizes = null, orders = null, cashbacks = null, notes = null] = ids
  const position = { grants, openings, prizes, orders, cashbacks, notes }
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
    return {
      body: success(playerExport.render({ ...found, playerId })),
      headers: { 'Cache-Control': 'no-store' },
    }
  }
}
