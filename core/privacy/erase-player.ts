import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import { instant } from '../platform/sql.ts'
import { erasePlayerDeliveries } from './erase-deliveries.ts'
import type { EraseWish } from './erase-deliveries.ts'

export interface ErasedPlayer {
  /** Orders whose delivery details were erased now. */
  erasedOrders: number
  /** Orders that are still under way. Their parcels need an address; it is erased as soon as they are finished. */
  waitingOrderIds: readonly string[]
}

/** More orders under way than anybody has; beyond it the answer names the first ones. */
const waitingShownMax = 100

/**
 * Erases what is known of a player as a person: where parcels went, and the text mixed into the draws to come. What was
 * decided stays (openings, prizes, orders, the ledger), under the casino's own name for the player. Doing it again erases
 * what has come since.
 */
export async function erasePlayer(
  { database, clock }: { database: Database; clock: Clock },
  player: { casinoId: string; playerId: string },
  wish: EraseWish,
): Promise<ErasedPlayer> {
  const now = clock.now()
  await database.$executeRaw`
    INSERT INTO player (casino_id, id, erase_requested_at)
    VALUES (${player.casinoId}::text, ${player.playerId}::text, ${instant(now)})
        ON CONFLICT (casino_id, id) DO UPDATE
       SET erase_requested_at = ${instant(now)}, erased_at = NULL, client_seed = NULL`
  const erasedOrders = await eraseAll(database, now, { ...player, placedBefore: now }, wish)
  const waiting = await findWaitingOrders(database, { ...player, placedBefore: now })
  if (waiting.length === 0) await markErased(database, now, player)
  return { erasedOrders, waitingOrderIds: waiting }
}

/** Goes on with players who still had orders under way. Returns how many orders were erased. */
export async function eraseWaitingPlayers({
  database,
  clock,
}: {
  database: Database
  clock: Clock
}): Promise<number> {
  const now = clock.now()
  const players = await database.$queryRaw<{ casinoId: string; playerId: string; placedBefore: Date }[]>`
    SELECT casino_id AS "casinoId", id AS "playerId", erase_requested_at AS "placedBefore"
      FROM player WHERE erase_requested_at IS NOT NULL AND erased_at IS NULL
     ORDER BY erase_requested_at`
  let erased = 0
  for (const player of players) {
    erased += await eraseAll(database, now, player, {
      actor: 'worker',
      reason: 'the player was erased',
      requestId: null,
    })
    if ((await findWaitingOrders(database, player)).length === 0) await markErased(database, now, player)
  }
  return erased
}

async function eraseAll(
  database: Database,
  now: Date,
  player: { casinoId: string; playerId: string; placedBefore: Date },
  wish: EraseWish,
): Promise<number> {
  let total = 0
  for (;;) {
    const erased = await erasePlayerDeliveries(database, now, player, wish)
    if (erased === 0) return total
    total += erased
  }
}

async function findWaitingOrders(
  database: Database,
  player: { casinoId: string; playerId: string; placedBefore: Date },
): Promise<string[]> {
  const rows = await database.$queryRaw<{ id: string }[]>`
    SELECT id FROM prize_order
     WHERE casino_id = ${player.casinoId}::text AND player_id = ${player.playerId}::text
       AND created_at <= ${instant(player.placedBefore)} AND delivery_key IS NOT NULL
     ORDER BY id LIMIT ${waitingShownMax}::int`
  return rows.map(({ id }) => id)
}

/** Unless the casino has asked again meanwhile. */
async function markErased(
  database: Database,
  now: Date,
  player: { casinoId: string; playerId: string },
): Promise<void> {
  await database.$executeRaw`
    UPDATE player SET erased_at = ${instant(now)}
     WHERE casino_id = ${player.casinoId}::text AND id = ${player.playerId}::text
       AND erase_requested_at <= ${instant(now)}`
}
