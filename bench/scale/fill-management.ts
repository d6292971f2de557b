import type pg from 'pg'
import { hashOddsTable } from '../../core/box/odds-table.ts'
import { createEnvelopeCipher } from '../../core/crypto/envelope.ts'
import { formatApiKey, generateApiKey, hashApiKeySecret } from '../../core/casino/api-key.ts'
import { encryptionKeyOf } from '../run-service.ts'

/** The box of the filled openings, with so many entries. */
export const historyBox = 'old-box'
export const historyBoxEntries = 200
export const historyOddsHash = oddsHashOf(historyBoxEntries)
export const severalVersionsBox = 'box-1'
export const operatorId = 'opr_1'
/** The last of the thousand acts of the fill, with more objects than the others. */
export const busyAct = `act_${(1_000).toString(16).padStart(32, '0')}`

/** More than a page. */
const listed = 150
const entriesPerBox = 4

/**
 * Adds what management lists and the number of prizes does not change: boxes and versions, keys, seeds, the objects of an
 * act, operators and their sessions, the service's audit trail, and an event that several endpoints received.
 * Returns an API key of the casino.
 */
export async function fillManagement(
  client: pg.Client,
  casinoId: string,
  hashSecret: string,
): Promise<string> {
  const each = `FROM generate_series(1, ${listed}) AS n`
  await client.query('BEGIN')
  await client.query(`SET LOCAL session_replication_role = 'replica'`) // without triggers, as in fill()
  await fillBoxes(client, casinoId)
  const key = generateApiKey()
  await client.query(
    `INSERT INTO api_key (id, casino_id, scopes, secret_hash)
     SELECT id, $1, '{play}', hash
       FROM (SELECT 'key_old_' || n, ''::bytea ${each} UNION ALL SELECT $2, $3::bytea) AS keys(id, hash)`,
    [casinoId, key.id, hashApiKeySecret(hashSecret, key)],
  )
  await client.query(
    `INSERT INTO casino_setting (casino_id, name, value, updated_at) VALUES ($1, 'privacy', '{"delivery_retention_days":90}', now())`,
    [casinoId],
  )
  // Their ids come before that of the seed with openings, as the newest seeds are those of boxes that are opened.
  await client.query(
    `INSERT INTO server_seed (id, casino_id, state, commitment, sealed_seed, sealed_key, sealed_key_id, revealed_seed,
                              created_at, activated_at, retired_at, revealed_at)
     SELECT 'sed_' || lpad(n::text, 32, '0'), $1, 'revealed', encode(sha256(seed), 'hex'), '', '', 'bench', encode(seed, 'hex'),
            now(), now(), now(), now()
       FROM (SELECT n, sha256(n::text::bytea) AS seed FROM generate_series(1, 500) AS n) AS seeds`,
    [casinoId],
  )
  await client.query(
    `INSERT INTO act_object (act_id, object_id, position, revision, state, code, message, attempts, settled_at)
     SELECT $1, 'ord_old_' || lpad(to_hex(n), 32, '0'), n, 1, CASE WHEN n % 100 = 0 THEN 'refused' ELSE 'done' END,
            CASE WHEN n % 100 = 0 THEN 'order_state' END, CASE WHEN n % 100 = 0 THEN 'It has changed.' END, 1, now()
       FROM generate_series(1, 10000) AS n`,
    [busyAct],
  )
  await client.query(
    `UPDATE act SET object_count = 10000, done_count = 9900, refused_count = 100 WHERE id = $1`,
    [busyAct],
  )
  await fillDeliveries(client, casinoId)
  await sealNewestOrder(client, casinoId, hashSecret)
  await client.query(`
    INSERT INTO operator (id, username, name, role, has_all_casinos, created_at, created_by, updated_at)
    SELECT 'opr_' || n, 'operator-' || n, 'Operator ' || n, 'viewer', true, now(), 'admin', now() ${each}`)
  await client.query(
    `INSERT INTO operator_session (id, operator_id, token_hash, created_at, seen_at, expires_at, address, user_agent)
     SELECT 'ses_old_' || n, $1, sha256(n::text::bytea), now(), now(), now() + interval '30 days', '192.0.2.1', 'Browser' ${each}`,
    [operatorId],
  )
  await client.query(`
    INSERT INTO audit_entry (id, casino_id, at, actor, action, params, request_id, outcome)
    SELECT 'aud_service_' || lpad(n::text, 6, '0'), '', now(), 'operator:old', 'GET /admin/work', '{}', 'req_' || n, '200'
      FROM generate_series(1, 1000) AS n`)
  await client.query(`INSERT INTO audit_chain (casino_id) VALUES ('')`)
  await client.query('COMMIT')
  return formatApiKey(key)
}

/** Many boxes of one version, one of many versions, and in every casino the box of the openings. */
async function fillBoxes(client: pg.Client, casinoId: string): Promise<void> {
  await client.query(
    `INSERT INTO box (casino_id, id, current_version)
     SELECT id, $1, 1 FROM casino WHERE id <> 'bench'
      UNION ALL SELECT $2, 'box-' || n, CASE 'box-' || n WHEN $3 THEN ${listed} ELSE 1 END FROM generate_series(1, ${listed}) AS n`,
    [historyBox, casinoId, severalVersionsBox],
  )
  await client.query(
    `INSERT INTO box_version (casino_id, box_id, version, name, access, limit_count, limit_period, odds_hash)
     SELECT casino_id, id, version, 'Box ' || id, 'limited', 1, 'day', CASE id WHEN $1 THEN $2 ELSE $3 END
       FROM box, generate_series(1, current_version) AS version WHERE casino_id <> 'bench'`,
    [historyBox, historyOddsHash, oddsHashOf(entriesPerBox)],
  )
  await client.query(
    `INSERT INTO box_entry (casino_id, box_id, version, position, item_id, weight)
     SELECT casino_id, box_id, version, n, 'item-' || n, 1
       FROM box_version, generate_series(1, CASE box_id WHEN $1 THEN ${historyBoxEntries} ELSE ${entriesPerBox} END) AS n
      WHERE casino_id <> 'bench'`,
    [historyBox],
  )
}

/** The filled orders have no address that can be read; this one is read by itself. */
async function sealNewestOrder(client: pg.Client, casinoId: string, hashSecret: string): Promise<void> {
  const { rows } = await client.query<{ id: string }>(
    `SELECT id FROM prize_order WHERE casino_id = $1 ORDER BY id DESC LIMIT 1`,
    [casinoId],
  )
  const id = rows[0]?.id ?? ''
  const cipher = createEnvelopeCipher([{ id: 'bench', key: encryptionKeyOf(hashSecret) }])
  const delivery = {
    recipient_name: 'Ann Example',
    street: '1 High Street',
    city: 'Springfield',
    country: 'US',
  }
  const { ciphertext, wrappedKey, keyId } = cipher.seal(JSON.stringify(delivery), id)
  await client.query(
    `UPDATE prize_order SET delivery_ciphertext = $2, delivery_key = $3, delivery_key_id = $4 WHERE id = $1`,
    [id, ciphertext, wrappedKey, keyId],
  )
}

/** The casino's newest event went to twenty endpoints, five times to each. They have passed all events, so that these can be archived. */
async function fillDeliveries(client: pg.Client, casinoId: string): Promise<void> {
  await client.query(
    `INSERT INTO webhook_endpoint (casino_id, id, url, event_types, state, cursor_txid, cursor_event_id, created_at, updated_at)
     SELECT $1, 'endpoint-' || n, 'https://receiver.example.com/' || n, '{}', 'disabled',
            (pg_current_xact_id()::text)::bigint + event_txid_offset(), 0, now(), now() FROM generate_series(1, ${listed}) AS n`,
    [casinoId],
  )
  await client.query(
    `INSERT INTO webhook_delivery (id, casino_id, endpoint_id, event_id, object_type, object_id, sequence, replay_number, state,
                                   attempts, last_status, created_at, updated_at)
     SELECT 'dlv_event_' || n || '_' || replay, casino_id, 'endpoint-' || n, id, object_type, object_id, sequence, replay, 'delivered',
            1, 200, now(), now()
       FROM (SELECT * FROM event WHERE casino_id = $1 ORDER BY id DESC LIMIT 1) AS newest,
            generate_series(1, 20) AS n, generate_series(0, 4) AS replay`,
    [casinoId],
  )
}

/** That of a box with the first items, each as probable as the others. */
function oddsHashOf(entryCount: number): string {
  const entries = Array.from({ length: entryCount }, (_, index) => ({
    itemId: `item-${index + 1}`,
    weight: 1,
    stock: null,
  }))
  return hashOddsTable({ entries, fallbackItemId: null })
}
