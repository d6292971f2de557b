import type { Answer } from '../idempotency/idempotency.ts'
import type { Database } from '../platform/database.ts'
import type { OpeningWrite } from './opening.ts'

/**
 * Gives players whom we have not seen yet their row, which the store below locks. On its own it means nothing, so it
 * does not matter if the opening is not stored after all.
 */
export async function ensurePlayers(database: Database, writes: readonly OpeningWrite[]): Promise<void> {
  const unseen = writes.filter((write) => write.isNewPlayer).map((write) => write.request)
  if (unseen.length === 0) return
  await database.$executeRaw`
    INSERT INTO player (casino_id, id)
    SELECT casino_id, id FROM unnest(
      ${unseen.map((request) => request.casinoId)}::text[],
      ${unseen.map((request) => request.playerId)}::text[]
    ) AS input (casino_id, id)
    ORDER BY casino_id, id
    ON CONFLICT DO NOTHING`
}

/**
 * Players first, then stocks, then keys, each in key order: every process locks in this order, so none waits for another
 * in a circle. The player's lock covers grants and limits too, since every opening moves that player's count. A seed
 * that is revealed already gives no outcome any more.
 */
export async function storeOpenings(
  database: Database,
  now: Date,
  writes: readonly OpeningWrite[],
): Promise<ReadonlyMap<OpeningWrite, Answer>> {
  const draws = writes.map((w) => w.opening.draw)
  const rows = await database.$queryRaw<{ opening_id: string }[]>`
    WITH input AS (
      SELECT * FROM unnest(
        ${writes.map((w) => w.request.casinoId)}::text[],
        ${writes.map((w) => w.request.playerId)}::text[],
        ${writes.map((w) => String(w.openingCount))}::bigint[],
        ${writes.map((w) => w.opening.boxId)}::text[],
        ${writes.map((w) => w.opening.version)}::int[],
        ${writes.map((w) => w.opening.oddsHash)}::text[],
        ${writes.map((w) => w.opening.seedId)}::text[],
        ${writes.map((w) => String(w.opening.nonce))}::bigint[],
        ${writes.map((w) => w.opening.clientSeed)}::text[],
        ${writes.map((w) => w.wantedClientSeed)}::text[],
        ${draws.map((d) => d.entry.position)}::int[],
        ${draws.map((d) => d.entry.remaining !== null && !d.isSubstituted)}::boolean[],
        ${draws.map((d) => d.isSubstituted)}::boolean[],
        ${draws.map((d) => d.isForced)}::boolean[],
        ${draws.map((d) => d.grantId)}::text[],
        ${writes.map((w) => w.opening.id)}::text[],
        ${writes.map((w) => w.opening.prizeId)}::text[],
        ${draws.map((d) => d.item.id)}::text[],
        ${draws.map((d) => d.item.name)}::text[],
        ${draws.map((d) => d.item.kind)}::text[],
        ${draws.map((d) => d.item.cashback && String(d.item.cashback.amountMinor))}::bigint[],
        ${draws.map((d) => d.item.cashback && d.item.cashback.currency)}::text[],
        ${writes.map((w) => w.opening.expiresAt)}::timestamptz[],
        ${writes.map((w) => w.request.actor)}::text[],
        ${writes.map((w) => w.request.requestId)}::text[],
        ${writes.map((w) => w.request.claim?.key ?? null)}::text[],
        ${writes.map((w) => w.request.claim?.fingerprint ?? null)}::bytea[],
        ${writes.map((w) => w.body)}::text[]
      ) AS input (casino_id, player_id, opening_count, box_id, version, odds_hash, seed_id, nonce, client_seed,
                  wanted_client_seed, position, takes_stock, substituted, forced, grant_id, opening_id, prize_id, item_id,
                  item_name, kind, cashback_amount_minor, cashback_currency, expires_at, actor, request_id, key, fingerprint, body)
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
         FOR UPDATE OF player
    ),
    in_turn AS (
      SELECT *,
             row_number() OVER (
               PARTITION BY casino_id, box_id, version, position, takes_stock ORDER BY opening_id
             ) AS place
        FROM player_locked
    ),
    stock_locked AS (
      SELECT casino_id, box_id, version, position, remaining FROM box_stock
       WHERE (casino_id, box_id, version, position) IN (
         SELECT casino_id, box_id, version, position FROM in_turn WHERE takes_stock
       )
       ORDER BY casino_id, box_id, version, position
         FOR UPDATE
    ),
    in_stock AS (
      SELECT in_turn.*
        FROM in_turn LEFT JOIN stock_locked USING (casino_id, box_id, version, position)
       WHERE NOT in_turn.takes_stock OR in_turn.place <= stock_locked.remaining
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
             ${now}::timestamptz
        FROM accepted
    ),
    prize_won AS (
      INSERT INTO prize (casino_id, id, player_id, item_id, item_name, kind, cashback_amount_minor, cashback_currency,
                         state, opening_id, expires_at, created_at, updated_at)
      SELECT casino_id, prize_id, player_id, item_id, item_name, kind, cashback_amount_minor, cashback_currency,
             'won', opening_id, expires_at, ${now}::timestamptz, ${now}::timestamptz
        FROM accepted
    ),
    event_written AS (
      INSERT INTO event (casino_id, object_type, object_id, sequence, type, from_state, to_state, actor, request_id,
                         created_at)
      SELECT casino_id, 'prize', prize_id, 1, 'prize.won', NULL, 'won', actor, request_id, ${now}::timestamptz
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
