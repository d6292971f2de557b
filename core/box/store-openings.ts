import type { Answer } from '../idempotency/idempotency.ts'
import type { Database } from '../platform/database.ts'
import { batchInput, bigint, boolean, bytea, instant, int, text, timestamptz } from '../platform/sql.ts'
import type { RowLocks } from '../platform/sql.ts'
import type { OpeningWrite } from './opening.ts'

export interface OpeningLocks {
  players: RowLocks
  stocks: RowLocks
}

/**
 * Gives players whom we have not seen yet their row, which the store below locks. On its own it means nothing, so it
 * does not matter if the opening is not stored after all.
 */
export async function ensurePlayers(database: Database, writes: readonly OpeningWrite[]): Promise<void> {
  const unseen = writes.filter((write) => write.isNewPlayer).map((write) => write.request)
  if (unseen.length === 0) return
  await database.$executeRaw`
    INSERT INTO player (casino_id, id)
    SELECT casino_id, id FROM ${batchInput(unseen, {
      casino_id: text((request) => request.casinoId),
      id: text((request) => request.playerId),
    })}
    ORDER BY casino_id, id
    ON CONFLICT DO NOTHING`
}

/**
 * Players first, then stocks, then keys, each in key order: every process locks in this order, so none waits for another
 * in a circle. The player's lock covers grants and limits too, since every opening moves that player's count. A seed
 * that is revealed already gives no outcome any more.
 *
 * Players and stocks that somebody holds are waited for, or passed over: their openings are not stored then.
 *
 * An entry's stock is locked for those who take from it and for those who get the fallback instead. Both were decided on
 * what was left earlier: the ones are stored as far as there is enough, the others only where the locked stock is used up.
 * Where another version was published since, the stock is closed, and both are decided again under that version.
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
        body: text((w) => w.body),
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
    in_turn AS (
      SELECT *,
             row_number() OVER (
               PARTITION BY casino_id, box_id, version, position, takes_stock ORDER BY opening_id
             ) AS place
        FROM player_locked
    ),
    stock_locked AS (
      SELECT casino_id, box_id, version, position, remaining, state FROM box_stock
       WHERE (casino_id, box_id, version, position) IN (
         SELECT casino_id, box_id, version, position FROM in_turn WHERE takes_stock OR substituted
       )
       ORDER BY casino_id, box_id, version, position
         FOR UPDATE ${locks.stocks}
    ),
    in_stock AS (
      SELECT in_turn.*
        FROM in_turn LEFT JOIN stock_locked USING (casino_id, box_id, version, position)
       WHERE CASE
               WHEN in_turn.takes_stock THEN stock_locked.state = 'open' AND in_turn.place <= stock_locked.remaining
               WHEN in_turn.substituted THEN stock_locked.state = 'open' AND stock_locked.remaining = 0
               ELSE true
             END
    ),
    key_claimed AS (
      INSERT INTO idempotency_record (casino_id, key, operation, fingerprint, response)
      SELECT casino_id, key, 'box_open', fingerprint, body
        FROM in_stock WHERE key IS NOT NULL
       ORDER BY casino_id, key
          ON CONFLICT DO NOTHING
      RETURNING casino_id, key, fingerprint
    ),
    accepted AS (
      SELECT * FROM in_stock
       WHERE key IS NULL
          OR (casino_id, key, fingerprint) IN (SELECT casino_id, key, fingerprint FROM key_claimed)
    ),
    player_moved AS (
      UPDATE player SET opening_count = player.opening_count + 1, seed_id = accepted.seed_id, nonce = accepted.nonce,
                        seed_client_seed = accepted.client_seed
        FROM accepted WHERE player.casino_id = accepted.casino_id AND player.id = accepted.player_id
    ),
    stock_taken AS (
      UPDATE box_stock SET remaining = box_stock.remaining - taken.count
        FROM (
          SELECT casino_id, box_id, version, position, count(*)::int AS count
            FROM accepted WHERE takes_stock GROUP BY casino_id, box_id, version, position
        ) AS taken
       WHERE box_stock.casino_id = taken.casino_id AND box_stock.box_id = taken.box_id
         AND box_stock.version = taken.version AND box_stock.position = taken.position
    ),
    grant_used AS (
      UPDATE opening_grant SET used = opening_grant.used + 1
        FROM accepted WHERE opening_grant.casino_id = accepted.casino_id AND opening_grant.id = accepted.grant_id
    ),
    opening_recorded AS (
      INSERT INTO opening (id, casino_id, player_id, sequence, box_id, version, position, item_id, substituted,
                           grant_id, prize_id, request_id, odds_hash, seed_id, nonce, client_seed, forced,
                           opened_at)
      SELECT opening_id, casino_id, player_id, opening_count + 1, box_id, version, position, item_id, substituted,
             grant_id, prize_id, request_id, odds_hash, seed_id, nonce, client_seed, forced,
             ${instant(now)}
        FROM accepted
    ),
    prize_won AS (
      INSERT INTO prize (casino_id, id, player_id, item_id, item_name, kind, cashback_amount_minor, cashback_currency,
                         state, opening_id, expires_at, created_at, updated_at)
      SELECT casino_id, prize_id, player_id, item_id, item_name, kind, cashback_amount_minor, cashback_currency,
             'won', opening_id, expires_at, ${instant(now)}, ${instant(now)}
        FROM accepted
    ),
    event_written AS (
      INSERT INTO event (casino_id, object_type, object_id, sequence, type, from_state, to_state, actor, request_id,
                         created_at)
      SELECT casino_id, 'prize', prize_id, 1, 'prize.won', NULL, 'won', actor, request_id, ${instant(now)}
        FROM accepted
    )
    SELECT opening_id FROM accepted`

  const stored = new Set(rows.map((row) => row.opening_id))
  return new Map(
    writes
      .filter((write) => stored.has(write.opening.id))
      .map((write) => [write, { body: write.body, replayed: false }]),
  )
}
