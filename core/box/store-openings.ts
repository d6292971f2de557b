import { claimedKeys } from '../idempotency/claimed-keys.ts'
import type { Answer } from '../idempotency/idempotency.ts'
import type { Database } from '../platform/database.ts'
import { batchInput, bigint, boolean, bytea, int, sql, text, timed, timestamptz } from '../platform/sql.ts'
import type { RowLocks } from '../platform/sql.ts'
import { insertInto, sameColumns } from '../platform/sql-insert.ts'
import { countedOpenings, seenPlayers } from '../player/seen-players.ts'
import { wonPrizes } from '../prize/won-prizes.ts'
import { traceparentOf } from '../trace/carried-span.ts'
import { currentSpan } from '../trace/current-span.ts'
import type { OpeningWrite } from './opening.ts'
import { stockInTurn, stockTaken } from './stock-steps.ts'

export interface OpeningLocks {
  players: RowLocks
  stocks: RowLocks
}

/**
 * Creates the rows of new players, which the store below locks. A row alone has no meaning, so it does not matter if
 * the opening is not stored.
 */
export async function ensurePlayers(database: Database, writes: readonly OpeningWrite[]): Promise<void> {
  const unseen = writes.filter((write) => write.isNewPlayer).map((write) => write.request)
  if (unseen.length === 0) return
  await database.$executeRaw`
    ${seenPlayers(sql`
      SELECT * FROM ${batchInput(unseen, {
        casino_id: text((request) => request.casinoId),
        id: text((request) => request.playerId),
      })}`)}`
}

const keysClaimed = claimedKeys('box_open', 'in_stock', sql`response`)

const stocksTaken = stockTaken('accepted')

const openingsCounted = countedOpenings('accepted')

const openingColumns = {
  id: sql`opening_id`,
  sequence: sql`opening_count + 1`,
  ...sameColumns(
    'casino_id',
    'player_id',
    'box_id',
    'version',
    'position',
    'item_id',
    'substituted',
    'grant_id',
    'prize_id',
    'request_id',
    'odds_hash',
    'seed_id',
    'nonce',
    'client_seed',
    'forced',
  ),
}

/** Only in a traced batch. */
const traceColumn = { traceparent: text((w: OpeningWrite) => traceparentOf(w.request)) }

const insertedOpenings = timed((now) =>
  insertInto('opening', { from: sql`accepted`, columns: { ...openingColumns, opened_at: now } }),
)

/**
 * Players first, then stocks, then keys, each in key order: every process locks in this order, so there are no
 * deadlocks. The player's lock also covers grants and limits, because every opening changes that player's count. A
 * revealed seed gives no more outcomes.
 *
 * Locked players and stocks are waited for, or skipped: their openings are not stored then.
 *
 * An entry's stock is locked for openings that take from it and for those that get the fallback. Both were decided on
 * an earlier count: the first are stored while there is enough, the second only if the locked stock is empty. If
 * another version was published since, the stock is closed, and both are decided again with that version.
 */
export async function storeOpenings(
  database: Database,
  now: Date,
  writes: readonly OpeningWrite[],
  locks: OpeningLocks,
): Promise<ReadonlyMap<OpeningWrite, Answer>> {
  const rows = await database.$queryRaw<{ opening_id: string }[]>`
    WITH input AS (
      SELECT * FROM ${batchInput(writes, {
        casino_id: text((w) => w.request.casinoId),
        player_id: text((w) => w.request.playerId),
        opening_count: bigint((w) => w.openingCount),
        box_id: text((w) => w.opening.boxId),
        version: int((w) => w.opening.version),
        odds_hash: text((w) => w.opening.oddsHash),
        seed_id: text((w) => w.opening.seedId),
        nonce: bigint((w) => w.opening.nonce),
        client_seed: text((w) => w.opening.clientSeed),
        wanted_client_seed: text((w) => w.wantedClientSeed),
        position: int((w) => w.opening.draw.entry.position),
        takes_stock: boolean((w) => w.opening.draw.entry.remaining !== null && !w.opening.draw.isSubstituted),
        substituted: boolean((w) => w.opening.draw.isSubstituted),
        forced: boolean((w) => w.opening.draw.isForced),
        grant_id: text((w) => w.opening.draw.grantId),
        opening_id: text((w) => w.opening.id),
        prize_id: text((w) => w.opening.prizeId),
        item_id: text((w) => w.opening.draw.item.id),
        item_name: text((w) => w.opening.draw.item.name),
        kind: text((w) => w.opening.draw.item.kind),
        cashback_amount_minor: bigint((w) => w.opening.draw.item.cashback?.amountMinor ?? null),
        cashback_currency: text((w) => w.opening.draw.item.cashback?.currency ?? null),
        expires_at: timestamptz((w) => w.opening.expiresAt),
        actor: text((w) => w.request.actor),
        request_id: text((w) => w.request.requestId),
        key: text((w) => w.request.claim?.key ?? null),
        fingerprint: bytea((w) => w.request.claim?.fingerprint ?? null),
        response: text((w) => (w.request.claim === undefined ? null : w.response)),
        ...(currentSpan() === undefined ? {} : traceColumn),
      })}
    ),
    seed_still_secret AS (
      SELECT id FROM server_seed
       WHERE id = ANY(ARRAY(SELECT DISTINCT seed_id FROM input)) AND state IN ('active', 'retired')
    ),
    player_locked AS (
      SELECT input.*
        FROM input JOIN player ON player.casino_id = input.casino_id AND player.id = input.player_id
       WHERE player.opening_count = input.opening_count
         AND player.client_seed IS NOT DISTINCT FROM input.wanted_client_seed
         AND input.seed_id = ANY(ARRAY(SELECT id FROM seed_still_secret))
       ORDER BY player.casino_id, player.id
         FOR UPDATE OF player ${locks.players}
    ),
    ${stockInTurn('player_locked', locks.stocks)},
    ${keysClaimed},
    ${openingsCounted},
    ${stocksTaken},
    grant_used AS (
      UPDATE opening_grant SET used = opening_grant.used + 1
        FROM accepted WHERE opening_grant.casino_id = accepted.casino_id AND opening_grant.id = accepted.grant_id
    ),
    opening_recorded AS (
      ${insertedOpenings(now)}
    ),
    ${wonPrizes(now)}
    SELECT opening_id FROM accepted`

  const stored = new Set(rows.map((row) => row.opening_id))
  return new Map(
    writes
      .filter((write) => stored.has(write.opening.id))
      .map((write) => [write, { response: write.response, replayed: false }]),
  )
}
