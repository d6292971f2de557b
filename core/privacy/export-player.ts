import { listRemovedMonths } from '../archive/removed-months.ts'
import { readAnswersOfCashbacks } from '../cashback/read-answers.ts'
import type { KeptAnswer } from '../cashback/read-answers.ts'
import type { EnvelopeCipher } from '../crypto/envelope.ts'
import type { HistoryEntry } from '../event/read-history.ts'
import { readBalances } from '../ledger/read-balances.ts'
import type { Money } from '../money.ts'
import { listNotesOfPlayer } from '../note/read-notes.ts'
import type { NoteWithText } from '../note/note.ts'
import type { Database } from '../platform/database.ts'
import type { Logger } from '../platform/logger.ts'
import { listOrdersWithDelivery } from '../prize-order/read-orders.ts'
import type { OrderWithDelivery } from '../prize-order/read-orders.ts'
import { readHistories, readLedgerEntries, readShipmentUpdates } from './read-records.ts'
import type { ExportedEntry, ExportedUpdate } from './read-records.ts'

/** A player's data, or a part of it: the next newest `rowsMax` of each kind, with their details. */
export interface PlayerExport {
  player: {
    firstSeenAt: Date
    eraseRequestedAt: Date | null
    erasedAt: Date | null
    clientSeed: string | null
    clientSeedInUse: string | null
  } | null
  balances: readonly Money[]
  grants: readonly {
    id: string
    boxId: string
    count: number
    used: number
    expiresAt: Date | null
    createdAt: Date
  }[]
  openings: readonly {
    id: string
    boxId: string
    version: number
    itemId: string
    prizeId: string
    grantId: string | null
    clientSeed: string | null
    openedAt: Date
  }[]
  prizes: readonly {
    id: string
    itemId: string
    itemName: string
    kind: string
    state: string
    expiresAt: Date | null
    createdAt: Date
  }[]
  orders: readonly OrderWithDelivery[]
  /** The providers' updates for these orders. */
  shipmentUpdates: readonly ExportedUpdate[]
  cashbacks: readonly {
    id: string
    prizeId: string
    amountMinor: bigint
    currency: string
    state: string
    walletReference: string | null
    createdAt: Date
  }[]
  /** The wallets' answers for these cashbacks. */
  walletAnswers: readonly KeptAnswer[]
  /** The player's side of all ledger movements of these cashbacks. */
  ledgerEntries: readonly ExportedEntry[]
  /** The history of these prizes, orders and cashbacks. */
  history: readonly HistoryEntry[]
  /** Operators' notes about these and other prizes of the player; an erased one has no text. */
  notes: readonly NoteWithText[]
  /** As `2030-01`, the oldest first: the archive's months since the player was first seen whose rows are in files only. */
  removedMonths: readonly string[]
  /** The start of the next part; null if this is the last. */
  next: ExportPosition | null
}

export const exportedKinds = ['grants', 'openings', 'prizes', 'orders', 'cashbacks', 'notes'] as const

/** The id to continue after, per kind; null for a kind that is complete. */
export type ExportPosition = Record<(typeof exportedKinds)[number], string | null>

/** More than most players have; limits the memory of one request. */
export const rowsMax = 500

/** Everything that is stored about a player, decrypted, for the player (GDPR, article 15). */
export async function exportPlayer(
  deps: { database: Database; cipher: EnvelopeCipher; log: Logger },
  { casinoId, playerId }: { casinoId: string; playerId: string },
  from?: ExportPosition,
): Promise<PlayerExport> {
  const { database } = deps
  /** A finished kind has no rows below the lowest id. */
  const newest = (kind: keyof ExportPosition) => {
    const before = from === undefined ? undefined : (from[kind] ?? '')
    const where = { casinoId, playerId, ...(before === undefined ? {} : { id: { lt: before } }) }
    return { where, orderBy: { id: 'desc' }, take: rowsMax + 1 } as const
  }
  const player = await database.player.findUnique({ where: { casinoId_id: { casinoId, id: playerId } } })
  // A month can be removed or restored while the rows are read: a part of them may be missing in both cases.
  const removedBefore = await listRemovedMonths(database, player?.createdAt)
  const grants = cut(await database.grant.findMany(newest('grants')))
  const openings = cut(await database.everyOpening.findMany(newest('openings')))
  const prizes = cut(await database.everyPrize.findMany(newest('prizes')))
  const cashbacks = cut(await database.everyCashback.findMany(newest('cashbacks')))
  const { where, take } = newest('orders')
  const found = await listOrdersWithDelivery(deps, { casinoId, playerId, beforeId: where.id?.lt }, take)
  const orders = cut(found)
  const beforeNote = newest('notes').where.id?.lt
  const notes = cut(await listNotesOfPlayer(deps, { casinoId, playerId, beforeId: beforeNote }, take))
  const last = {
    grants: grants.lastId,
    openings: openings.lastId,
    prizes: prizes.lastId,
    orders: orders.lastId,
    cashbacks: cashbacks.lastId,
    notes: notes.lastId,
  }
  const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id)
  return {
    player:
      player === null
        ? null
        : {
            firstSeenAt: player.createdAt,
            eraseRequestedAt: player.eraseRequestedAt,
            erasedAt: player.erasedAt,
            clientSeed: player.clientSeed,
            clientSeedInUse: player.seedClientSeed,
          },
    balances: await readBalances(database, casinoId, playerId),
    grants: grants.rows,
    openings: openings.rows,
    prizes: prizes.rows,
    orders: orders.rows,
    shipmentUpdates: await readShipmentUpdates(database, casinoId, idsOf(orders.rows)),
    cashbacks: cashbacks.rows,
    walletAnswers: await readAnswersOfCashbacks(database, casinoId, idsOf(cashbacks.rows)),
    ledgerEntries: await readLedgerEntries(database, { casinoId, playerId }, idsOf(cashbacks.rows)),
    history: await readHistories(database, casinoId, {
      prize: idsOf(prizes.rows),
      prize_order: idsOf(orders.rows),
      cashback: idsOf(cashbacks.rows),
    }),
    notes: notes.rows,
    // Evaluated last, after all rows have been read.
    removedMonths: unite(removedBefore, await listRemovedMonths(database, player?.createdAt)),
    next: exportedKinds.some((kind) => last[kind] !== null) ? last : null,
  }
}

/** The months of both lists, the oldest first. */
function unite(one: readonly string[], other: readonly string[]): string[] {
  return [...new Set([...one, ...other])].sort()
}

/** One extra row shows whether there are more. */
function cut<Row extends { id: string }>(rows: readonly Row[]): { rows: Row[]; lastId: string | null } {
  const shown = rows.slice(0, rowsMax)
  return { rows: shown, lastId: rows.length > rowsMax ? (shown.at(-1)?.id ?? null) : null }
}
