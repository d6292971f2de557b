import type pg from 'pg'
import { historyBox, historyBoxEntries, historyOddsHash } from './fill-management.ts'

/** The casino with half of all players; the others share nine. */
export const largeCasino = 'earlier'
/** A player with one in 101 of the first million prizes; the others have about ten. */
export const busyPlayer = 'player_0'

/** Small enough that progress shows, and that the feed of events has many transactions. */
const rowsAtOnce = 200_000
const busyUntil = 1_000_000
/** Less than the default of the setting `privacy` leaves: nothing becomes due while the benchmark runs. */
const erasedAfterDays = 89

/**
 * Fills a migrated database with this many prizes of the last 180 days, each with its opening and its history: 5 % were
 * ordered (of these, 2 % wait and 2 % have a problem), 20 % cashed back, 30 % have expired, and 45 % can be claimed. The
 * addresses of old orders are erased.
 * Secondary indexes are dropped and built again, which takes a fraction of the time.
 */
export async function fill(
  client: pg.Client,
  count: number,
  onProgress: (text: string) => void,
): Promise<void> {
  // Without triggers: the rows agree with each other, and openings from before seeds had no proof.
  await client.query(`SET session_replication_role = 'replica'`)
  await client.query(`SET synchronous_commit = off`)
  await client.query(`SET statement_timeout = 0`)
  await client.query(`SET maintenance_work_mem = '512MB'`)
  await client.query(`SET max_parallel_maintenance_workers = 1`)
  const indexes = await dropIndexes(client)
  await fillOnce(client, count)
  for (let first = 1; first <= count; first += rowsAtOnce) {
    const last = Math.min(count, first + rowsAtOnce - 1)
    for (const statement of perPrize(first, last, count)) await client.query(statement)
    if (last % 1_000_000 === 0) onProgress(`${last} of ${count} prizes`)
  }
  for (const { definition } of indexes) await client.query(definition)
  // It has passed all events, so that they can be archived.
  await client.query(
    `UPDATE webhook_endpoint SET cursor_txid = (pg_current_xact_id()::text)::bigint + event_txid_offset()`,
  )
  await client.query('ANALYZE')
  await client.query(`SET session_replication_role = 'origin'`)
}

const filledTables = [
  'prize',
  'opening',
  'event',
  'prize_order',
  'cashback',
  'ledger_transaction',
  'ledger_entry',
  'webhook_delivery',
  'idempotency_record',
  'opening_grant',
  'audit_entry',
  'outbox',
  'player',
]

/** All but those of primary keys and other constraints. */
async function dropIndexes(client: pg.Client): Promise<{ definition: string }[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition
       FROM pg_index
      WHERE indrelid::regclass::text = ANY($1) AND NOT indisunique
        AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)`,
    [filledTables],
  )
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`)
  return rows
}

const casinoOf = (player: string) =>
  `CASE WHEN ${player} % 2 = 0 THEN '${largeCasino}' ELSE 'casino-' || 1 + ${player} % 9 END`

/** Casinos, items, players, grants, deliveries, stored answers, the audit trail and acts. */
async function fillOnce(client: pg.Client, count: number): Promise<void> {
  const tenth = Math.max(1, Math.floor(count / 10))
  const month = (n: string) => `now() - interval '29 days' * (1 - ${n}::float8 / ${tenth})`
  const each = `FROM generate_series(1, ${tenth}) AS n`
  await client.query(`
    INSERT INTO casino (id, name, updated_at)
    SELECT id, id, now() FROM (SELECT '${largeCasino}' AS id UNION ALL SELECT 'casino-' || n FROM generate_series(1, 9) AS n) AS ids`)
  await client.query(`
    INSERT INTO item (casino_id, id, name, kind, cashback_amount_minor, cashback_currency, claim_days, updated_at)
    SELECT casino.id, 'item-' || n, 'Coffee maker ' || n, 'physical', 2500, 'EUR', 30, now()
      FROM casino, generate_series(1, 200) AS n WHERE casino.id <> 'bench'`)
  await client.query(`
    INSERT INTO server_seed (id, casino_id, state, commitment, sealed_seed, sealed_key, sealed_key_id, revealed_seed, created_at,
                             activated_at, retired_at, revealed_at)
    SELECT 'sed_' || md5(id), id, 'revealed', encode(sha256(seed), 'hex'), '', '', 'bench', encode(seed, 'hex'), now(), now(), now(), now()
      FROM (SELECT id, sha256(convert_to(id, 'UTF8')) AS seed FROM casino WHERE id <> 'bench') AS seeds`)
  await client.query(`
    INSERT INTO player (casino_id, id, opening_count)
    SELECT ${casinoOf('n')}, 'player_' || n, 10 FROM generate_series(0, ${tenth}) AS n`)
  await client.query(`
    INSERT INTO opening_grant (casino_id, id, player_id, box_id, count, used, created_at)
    SELECT ${casinoOf('n')}, 'grant_' || n, 'player_' || n, '${historyBox}', 1, 1, ${month('n')} ${each}`)
  await client.query(`
    INSERT INTO webhook_endpoint (casino_id, id, url, event_types, state, cursor_txid, cursor_event_id, created_at, updated_at)
    SELECT '${largeCasino}', 'main', 'https://receiver.example.com/events', '{}', 'disabled', 0, 0, now(), now()`)
  await client.query(`
    INSERT INTO webhook_delivery (id, casino_id, endpoint_id, event_id, object_type, object_id, sequence, state, attempts,
                                  last_status, created_at, updated_at)
    SELECT 'dlv_' || lpad(to_hex(n), 32, '0'), '${largeCasino}', 'main', n, 'prize', 'prz_old_' || lpad(to_hex(n), 32, '0'), 1,
           CASE WHEN n % 100 = 0 THEN 'failed' ELSE 'delivered' END, 1, CASE WHEN n % 100 = 0 THEN 500 ELSE 200 END,
           ${month('n')}, ${month('n')} ${each}`)
  await client.query(`
    INSERT INTO idempotency_record (casino_id, key, operation, fingerprint, response)
    SELECT ${casinoOf('n')}, 'key_' || lpad(to_hex(n), 32, '0'), 'box_open', decode(repeat('00', 32), 'hex'), repeat('{"ok":true}', 40) ${each}`)
  await client.query(`
    INSERT INTO audit_entry (id, casino_id, at, actor, action, params, request_id, outcome)
    SELECT 'aud_' || lpad(to_hex(n), 32, '0'), ${casinoOf('n')}, ${month('n')}, 'operator:old', 'GET /admin/casinos/:casino_id/orders', '{}',
           'req_' || n, '200' ${each}`)
  await client.query(`INSERT INTO audit_chain (casino_id) SELECT id FROM casino WHERE id <> 'bench'`)
  await client.query(`
    INSERT INTO act (id, casino_id, action, params, state, amounts, needs_approval, object_count, done_count, made_by,
                     created_at, expires_at, reason, started_at, ended_at)
    SELECT 'act_' || lpad(to_hex(n), 32, '0'), '${largeCasino}', 'order.confirm', '{}', 'done', '[]', false, 100, 100, 'operator:old',
           now() - interval '30 days', now() - interval '29 days', 'Weekly batch', now() - interval '30 days',
           now() - interval '30 days' FROM generate_series(1, 1000) AS n`)
}

/** The statements for prizes `first` to `last` of `count`. */
function perPrize(first: number, last: number, count: number): string[] {
  // A prize's place among 100 says what became of it; its hundred says how far that got.
  const rows = `(
    SELECT n, 'prz_old_' || hex AS prize_id, hex, casino_id, 'player_' || player AS player_id, place, hundred, at,
           CASE WHEN place >= 5 THEN NULL WHEN hundred % 50 = 0 THEN 'pending_confirmation' WHEN hundred % 50 = 1 THEN 'exception'
                WHEN hundred % 50 = 2 THEN 'shipped' WHEN hundred % 50 = 3 THEN 'cancelled' ELSE 'delivered' END AS order_state,
           CASE WHEN place NOT BETWEEN 5 AND 24 THEN NULL WHEN hundred % 1000 = 0 THEN 'manual_review'
                WHEN hundred % 1000 = 1 THEN 'declined' ELSE 'credited' END AS cashback_state
      FROM (SELECT n, lpad(to_hex(n), 32, '0') AS hex, n % 100 AS place, n / 100 AS hundred, player, ${casinoOf('player')} AS casino_id,
                   now() - interval '180 days' * (1 - n::float8 / ${count}) AS at
              FROM (SELECT n, CASE WHEN n % 101 = 0 AND n <= ${busyUntil} THEN 0 ELSE n % ${Math.max(1, Math.floor(count / 10))} END AS player
                      FROM generate_series(${first}, ${last}) AS n) AS numbered) AS placed) AS won`
  const openOrders = `order_state IN ('pending_confirmation', 'exception')`
  const isErased = `order_state IN ('delivered', 'cancelled') AND at < now() - interval '${erasedAfterDays} days'`
  const event = (
    type: string,
    object: 'prize' | 'prize_order' | 'cashback',
    sequence: number,
    state: string,
    where = 'true',
  ) => {
    const id = { prize: 'prize_id', prize_order: `'ord_old_' || hex`, cashback: `'cbk_old_' || hex` }[object]
    return `SELECT casino_id, '${object}', ${id}, ${sequence}, '${type}', '${state}', 'key:old', at, n FROM won WHERE ${where}`
  }
  return [
    `INSERT INTO prize (casino_id, id, player_id, item_id, item_name, kind, cashback_amount_minor, cashback_currency, state, revision,
                        opening_id, expires_at, expiry_warned_at, created_at, updated_at)
     SELECT casino_id, prize_id, player_id, 'item-' || 1 + n % 200, 'Coffee maker', 'physical', 2500, 'EUR',
            CASE WHEN order_state = 'delivered' THEN 'fulfilled' WHEN order_state = 'cancelled' THEN 'won'
                 WHEN order_state IS NOT NULL THEN 'ordered'
                 WHEN cashback_state = 'credited' THEN 'cashed_back' WHEN cashback_state = 'declined' THEN 'won'
                 WHEN cashback_state IS NOT NULL THEN 'cashback_pending' WHEN place < 55 THEN 'expired' ELSE 'won' END,
            2, 'opn_' || hex, CASE WHEN place < 55 THEN at + interval '200 days' ELSE now() + interval '40 days' * (1 + n::float8 / ${count}) END, at, at, at
       FROM ${rows}`,
    `INSERT INTO opening (id, casino_id, player_id, sequence, box_id, version, position, item_id, substituted, prize_id, request_id,
                          odds_hash, seed_id, nonce, client_seed, opened_at)
     SELECT 'opn_' || hex, casino_id, player_id, n, '${historyBox}', 1, 1 + n % ${historyBoxEntries},
            'item-' || 1 + n % ${historyBoxEntries}, false, prize_id, 'req_' || n, '${historyOddsHash}', 'sed_' || md5(casino_id), n,
            'client', at FROM ${rows}`,
    `INSERT INTO prize_order (id, casino_id, prize_id, player_id, state, revision, delivery_ciphertext, delivery_key, delivery_key_id,
                              announced_at, exception_reason, ended_at, created_at, updated_at)
     SELECT 'ord_old_' || hex, casino_id, prize_id, player_id, order_state, 6,
            CASE WHEN ${isErased} THEN '' ELSE decode(repeat('00', 350), 'hex') END,
            CASE WHEN ${isErased} THEN NULL ELSE decode(repeat('00', 60), 'hex') END,
            CASE WHEN ${isErased} THEN NULL ELSE 'bench' END, at, CASE order_state WHEN 'exception' THEN 'lost' END,
            CASE WHEN order_state IN ('delivered', 'cancelled') THEN at END, at, at
       FROM ${rows} WHERE order_state IS NOT NULL`,
    `INSERT INTO outbox (job_name, object_id, due_at, snoozed_until)
     SELECT 'fulfil-prize-order', 'ord_old_' || hex, now() + interval '30 days', now() + interval '30 days'
       FROM ${rows} WHERE ${openOrders}`,
    `INSERT INTO cashback (id, casino_id, prize_id, player_id, amount_minor, currency, state, revision, created_at, updated_at)
     SELECT 'cbk_old_' || hex, casino_id, prize_id, player_id, 2500, 'EUR', cashback_state, 2, at, at
       FROM ${rows} WHERE cashback_state IS NOT NULL`,
    `INSERT INTO ledger_transaction (id, casino_id, kind, cashback_id, created_at)
     SELECT prefix || 'cbk_old_' || hex, casino_id, kind, 'cbk_old_' || hex, at
       FROM ${rows}, (VALUES ('rsv_', 'cashback_reserve', true), ('txn_', 'cashback_credit', false)) AS kinds(prefix, kind, is_first)
      WHERE cashback_state IS NOT NULL AND (is_first OR cashback_state = 'credited')`,
    `INSERT INTO ledger_entry (transaction_id, position, casino_id, account, player_id, amount_minor, currency)
     SELECT prefix || 'cbk_old_' || hex, position, casino_id, account, CASE account WHEN 'casino_cashback' THEN NULL ELSE player_id END,
            amount, 'EUR'
       FROM ${rows}, (VALUES ('rsv_', 1, 'casino_cashback', -2500), ('rsv_', 2, 'player_pending', 2500),
                             ('txn_', 1, 'player_pending', -2500), ('txn_', 2, 'player_wallet', 2500)) AS sides(prefix, position, account, amount)
      WHERE cashback_state IS NOT NULL AND (prefix = 'rsv_' OR cashback_state = 'credited')`,
    `WITH won AS MATERIALIZED (SELECT * FROM ${rows})
     INSERT INTO event (casino_id, object_type, object_id, sequence, type, to_state, actor, created_at)
     SELECT casino_id, object_type, object_id, sequence, type, to_state, actor, at
       FROM (${[
         event('prize.won', 'prize', 1, 'won'),
         event('prize.expired', 'prize', 2, 'expired', 'place BETWEEN 25 AND 54'),
         event('prize.ordered', 'prize', 2, 'ordered', 'order_state IS NOT NULL'),
         event('prize.fulfilled', 'prize', 3, 'fulfilled', `order_state = 'delivered'`),
         event('prize_order.placed', 'prize_order', 1, 'pending_confirmation', 'order_state IS NOT NULL'),
         event(
           'prize_order.confirmation_requested',
           'prize_order',
           2,
           'pending_confirmation',
           'order_state IS NOT NULL',
         ),
         event(
           'prize_order.confirmed',
           'prize_order',
           3,
           'confirmed',
           `order_state <> 'pending_confirmation'`,
         ),
         event(
           'prize_order.submitted',
           'prize_order',
           4,
           'submitted',
           `order_state <> 'pending_confirmation'`,
         ),
         event('prize_order.delivered', 'prize_order', 5, 'delivered', `order_state = 'delivered'`),
         event(
           'prize_order.delivery_erased',
           'prize_order',
           6,
           'delivered',
           `order_state = 'delivered' AND ${isErased}`,
         ),
         event('prize.cashback_pending', 'prize', 2, 'cashback_pending', 'cashback_state IS NOT NULL'),
         event('prize.cashed_back', 'prize', 3, 'cashed_back', `cashback_state = 'credited'`),
         event('cashback.requested', 'cashback', 1, 'requested', 'cashback_state IS NOT NULL'),
         event('cashback.credited', 'cashback', 2, 'credited', `cashback_state = 'credited'`),
       ].join(
         ' UNION ALL ',
       )}) AS events(casino_id, object_type, object_id, sequence, type, to_state, actor, at, n)
      ORDER BY n`,
  ]
}
