import { inCasinoTurn } from '../casino/casino-turn.ts'
import { RewardsError } from '../errors.ts'
import { Prisma } from '../platform/database.ts'
import type { Database } from '../platform/database.ts'
import { batchInput, instant, rowLocks, sql, text, timestamptz } from '../platform/sql.ts'
import { eraseAllNotes, eraseNotes, hasNotes } from '../note/erase-notes.ts'
import { workAroundDamage } from '../set-aside/set-aside.ts'
import type { Found, SetAsideDeps } from '../set-aside/set-aside.ts'
import { eraseOrders, erasedAtOnceMax, isErasable } from './erase-deliveries.ts'
import type { EraseWish } from './erase-deliveries.ts'
import { erasureContents } from './preview-erasure.ts'
import { countByCasino, createWaitingPages } from './waiting-players.ts'
import type { WaitingPlayer } from './waiting-players.ts'

export interface ErasedPlayer {
  /** Orders whose delivery details were erased now. */
  erasedOrders: number
  /** Unfinished orders. Their parcels need an address, which is erased as soon as they are finished. */
  waitingOrderIds: readonly string[]
}

interface ErasureRequest {
  casinoId: string
  playerId: string
  /** Of the preview: if something else would be erased now, nothing is. */
  expectedContentHash?: string | undefined
}

/** More unfinished orders than any player has; beyond it the answer lists the first ones. */
const waitingShownMax = 100

/**
 * Erases a player's personal data: delivery details, notes, and the client seed for future draws. Decisions stay (openings,
 * prizes, orders, the ledger), under the casino's own id of the player. Repeating it erases data that was added since.
 * Throws `revision_changed`.
 */
export async function erasePlayer(
  deps: SetAsideDeps,
  { casinoId, playerId, expectedContentHash }: ErasureRequest,
  wish: EraseWish,
): Promise<ErasedPlayer> {
  const { database, clock } = deps
  const now = clock.now()
  const player = { casinoId, playerId, requestedAt: now }
  await requestErasure(database, player, expectedContentHash)
  await eraseAllNotes(database, player)
  const erasedOrders = await erasePlayerOrders(deps, player, wish)
  await markErased(database, now, [player])
  return { erasedOrders, waitingOrderIds: await findWaitingOrders(database, player) }
}

/** Marks the player, unless something else than expected would be erased. */
async function requestErasure(
  database: Database,
  { casinoId, playerId, requestedAt }: WaitingPlayer,
  expectedContentHash: string | undefined,
): Promise<void> {
  // Raw, to be one statement for certain: the player's first opening may insert the row at the same time.
  const request = (from: Prisma.Sql) => database.$executeRaw`
    INSERT INTO player (casino_id, id, erase_requested_at)
    SELECT ${casinoId}::text, ${playerId}::text, ${instant(requestedAt)} ${from}
        ON CONFLICT (casino_id, id) DO UPDATE
       SET erase_requested_at = ${instant(requestedAt)}, erased_at = NULL, client_seed = NULL`
  if (expectedContentHash === undefined) {
    await request(Prisma.empty)
    return
  }
  // Notes that are being added hold a lock on the player: this waits for them, and the next statement sees them.
  const waited = database.$executeRaw`
    SELECT id FROM player WHERE casino_id = ${casinoId}::text AND id = ${playerId}::text FOR UPDATE`
  const asExpected = sql`
    FROM (WITH ${erasureContents({ casinoId, playerId })} SELECT hash FROM contents) AS current
   WHERE current.hash = ${expectedContentHash}::text`
  const requested = await inCasinoTurn(database, casinoId, [waited], request(asExpected))
  if (requested === 0) throw new RewardsError('revision_changed', hasChanged)
}

const hasChanged = 'What would be erased has changed since you looked at it: look at it again'

/** Erases orders in rounds until all are done; gives up after two rounds in a row in which all of them were locked. */
async function erasePlayerOrders(
  deps: SetAsideDeps,
  player: WaitingPlayer,
  wish: EraseWish,
): Promise<number> {
  let erasedOrders = 0
  for (let lockedRounds = 0; lockedRounds < 2;) {
    const orders = await findErasableOrders(deps.database, player.requestedAt, [player], erasedAtOnceMax)
    if (orders.length === 0) return erasedOrders
    const erased = await eraseOrders(deps, orders, wish, rowLocks.wait)
    lockedRounds = erased === 0 ? lockedRounds + 1 : 0
    erasedOrders += erased
  }
  throw new RewardsError('overloaded')
}

/**
 * Creates the loop that continues with players who had unfinished orders. Each turn examines the next page of players
 * per casino, and erases each casino's share of the orders that are due, so a casino with many does not delay the
 * others. Returns the number of orders and notes erased and of players completed. Any number of processes may run it at the same
 * time.
 */
export function createEraseWaitingPlayers(deps: SetAsideDeps): () => Promise<number> {
  const { database, clock } = deps
  const wish: EraseWish = { actor: 'worker', reason: 'the player was erased', requestId: null }
  const pages = createWaitingPages()
  return async () => {
    const now = clock.now()
    const turn = await pages.next(database, now)
    const orders = await findErasableOrders(database, now, turn.players, turn.shareOf(erasedAtOnceMax))
    const erased = await eraseOrders(deps, orders, wish, rowLocks.skip)
    const erasedNotes = await eraseNotes(database, turn.players)
    const done = await workAroundDamage(
      deps,
      'erase-players',
      turn.players.map((player) => ({ ...player, id: player.playerId })),
      (players) => markErased(database, now, players),
    )
    // A full batch: the same players may have more. If all orders are locked, the next players come first.
    const ordersOf = countByCasino(orders)
    const isUnfinished = (casinoId: string) =>
      erased > 0 && (ordersOf.get(casinoId) ?? 0) >= turn.shareOf(erasedAtOnceMax)
    turn.goOn(isUnfinished)
    return erased + erasedNotes + done
  }
}

/** Ended orders of these players that are neither erased nor set aside, up to a limit per casino. */
function findErasableOrders(
  database: Database,
  now: Date,
  players: readonly WaitingPlayer[],
  perCasinoMax: number,
): Promise<Found[]> {
  return database.$queryRaw<Found[]>`
    SELECT found.casino_id AS "casinoId", found.id
      FROM (SELECT casino_id, array_agg(player_id) AS player_ids, array_agg(requested_at) AS requested_ats
              FROM ${playersInput(players)} GROUP BY casino_id) AS casino
     CROSS JOIN LATERAL (
       SELECT prize_order.casino_id, prize_order.id
         FROM unnest(casino.player_ids, casino.requested_ats) AS player (id, requested_at)
         JOIN prize_order ON prize_order.casino_id = casino.casino_id AND prize_order.player_id = player.id
        WHERE prize_order.created_at <= player.requested_at AND prize_order.ended_at IS NOT NULL
          AND prize_order.delivery_key IS NOT NULL AND ${isErasable(now)}
        LIMIT ${perCasinoMax}::int
     ) AS found`
}

async function findWaitingOrders(
  database: Database,
  { casinoId, playerId, requestedAt }: WaitingPlayer,
): Promise<string[]> {
  const rows = await database.prizeOrder.findMany({
    where: { casinoId, playerId, createdAt: { lte: requestedAt }, deliveryKey: { not: null } },
    select: { id: true },
    orderBy: { id: 'asc' },
    take: waitingShownMax,
  })
  return rows.map(({ id }) => id)
}

/**
 * Players with nothing left to erase and without a lock, unless their casino has asked again meanwhile. Returns the
 * number. Each is looked up by LATERAL and written at its place in the table: as joins, thousands of players would be
 * compared with all rows of a table that was small when PostgreSQL last counted them.
 */
async function markErased(database: Database, now: Date, players: readonly WaitingPlayer[]): Promise<number> {
  return database.$executeRaw`
    UPDATE player SET erased_at = ${instant(now)}
     WHERE ctid = ANY (ARRAY(
       SELECT found.ctid
         FROM ${playersInput(players)}
        CROSS JOIN LATERAL (
          SELECT player.ctid FROM player
           WHERE player.casino_id = input.casino_id AND player.id = input.player_id
             AND player.erased_at IS NULL AND player.erase_requested_at <= input.requested_at
             AND NOT EXISTS (
               SELECT FROM prize_order
                WHERE prize_order.casino_id = input.casino_id AND prize_order.player_id = input.player_id
                  AND prize_order.created_at <= input.requested_at AND prize_order.delivery_key IS NOT NULL
             )
             AND NOT ${hasNotes}
           LIMIT 1 FOR UPDATE SKIP LOCKED
        ) AS found
     ))`
}

function playersInput(players: readonly WaitingPlayer[]): Prisma.Sql {
  return batchInput(players, {
    casino_id: text((player) => player.casinoId),
    player_id: text((player) => player.playerId),
    requested_at: timestamptz((player) => player.requestedAt),
  })
}
