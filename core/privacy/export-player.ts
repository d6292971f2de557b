import type { EnvelopeCipher } from '../crypto/envelope.ts'
import { readBalances } from '../ledger/read-balances.ts'
import type { Money } from '../money.ts'
import type { Database } from '../platform/database.ts'
import { listOrdersWithDelivery } from '../prize-order/read-orders.ts'
import type { OrderWithDelivery } from '../prize-order/read-orders.ts'

/** What there is about one player. Of each kind the newest, when there is more than `rowsMax`. */
export interface PlayerExport {
  player: {
    firstSeenAt: Date
    eraseRequestedAt: Date | null
    erasedAt: Date | null
    clientSeed: string | null
  } | null
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
  cashbacks: readonly {
    id: string
    prizeId: string
    amountMinor: bigint
    currency: string
    state: string
    createdAt: Date
  }[]
  balances: readonly Money[]
  /** Whether this is all of it. */
  isComplete: boolean
}

/** Far more than a player has; a bound for the memory that one request takes. */
const rowsMax = 1_000

/** Everything that is stored about a player, decrypted, for the player's own eyes (GDPR, article 15). */
export async function exportPlayer(
  deps: { database: Database; cipher: EnvelopeCipher },
  { casinoId, playerId }: { casinoId: string; playerId: string },
): Promise<PlayerExport> {
  const { database } = deps
  const newest = { where: { casinoId, playerId }, orderBy: { id: 'desc' }, take: rowsMax } as const
  const player = await database.player.findUnique({ where: { casinoId_id: { casinoId, id: playerId } } })
  const grants = await database.grant.findMany(newest)
  const openings = await database.opening.findMany(newest)
  const prizes = await database.prize.findMany(newest)
  const cashbacks = await database.cashback.findMany(newest)
  const orders = await listOrdersWithDelivery(deps, { casinoId, playerId }, rowsMax)
  return {
    player:
      player === null
        ? null
        : {
            firstSeenAt: player.createdAt,
            eraseRequestedAt: player.eraseRequestedAt,
            erasedAt: player.erasedAt,
            clientSeed: player.clientSeed,
          },
    grants,
    openings,
    prizes,
    orders,
    cashbacks,
    balances: await readBalances(database, casinoId, playerId),
    isComplete: [grants, openings, prizes, cashbacks, orders].every((rows) => rows.length < rowsMax),
  }
}
