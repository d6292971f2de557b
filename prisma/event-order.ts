import type pg from 'pg'

/** Transactions that may begin while we look. */
const margin = 1_000n

/**
 * Makes new events, and entries of the audit trail, follow those that are there. They are in the order of the server's transaction numbers, and a server
 * that a dump was restored into counts from its own beginning: without this, new events would come before old ones, and
 * readers of the feed would never see them. Returns whether there was something to do; on the server that wrote the
 * events there never is.
 */
export async function keepEventOrder(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ next: string; txid: string; known: string | null }>(`
    SELECT (pg_current_xact_id()::text)::bigint AS txid,
           (pg_current_xact_id()::text)::bigint + event_txid_offset() AS next,
           greatest(
             (SELECT max(latest.txid)
                FROM casino
               CROSS JOIN LATERAL (
                 SELECT txid FROM event WHERE casino_id = casino.id ORDER BY txid DESC, id DESC LIMIT 1
               ) AS latest),
             (SELECT max(cursor_txid) FROM webhook_endpoint),
             (SELECT max(latest.txid)
                FROM audit_chain
               CROSS JOIN LATERAL (
                 SELECT txid FROM audit_entry WHERE casino_id = audit_chain.casino_id
                  ORDER BY txid DESC, id DESC LIMIT 1
               ) AS latest)
           ) AS known`)
  const [row] = rows
  if (row === undefined) throw new Error('a statement gave no row')
  if (row.known === null || BigInt(row.known) < BigInt(row.next)) return false
  const offset = BigInt(row.known) - BigInt(row.txid) + margin
  // A function's body takes no parameters; this is a number.
  await client.query(`
    CREATE OR REPLACE FUNCTION event_txid_offset() RETURNS BIGINT LANGUAGE sql STABLE PARALLEL SAFE
    AS 'SELECT ${offset}::bigint'`)
  return true
}
