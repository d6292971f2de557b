import type { Database } from '../../../core/platform/database.ts'

/**
 * Wakes work that is snoozed after a fault, so that a test need not wait for it, and asks whether anything is left to
 * do.
 */
export async function isSettled(database: Database): Promise<boolean> {
  const [row] = await database.$queryRaw<{ count: number }[]>`
    WITH open AS (
      SELECT id FROM cashback WHERE state <> 'credited'
       UNION ALL
      SELECT id FROM prize_order WHERE announced_at IS NULL
       UNION ALL
      SELECT id FROM webhook_delivery WHERE state = 'pending'
    ),
    woken AS (
      -- Rows that a worker has locked are at work.
      UPDATE outbox SET due_at = now(), snoozed_until = NULL
       WHERE id IN (SELECT id FROM outbox
                     WHERE object_id IN (SELECT id FROM open) AND snoozed_until > now()
                       FOR UPDATE SKIP LOCKED)
    )
    SELECT (SELECT count(*) FROM open)::int
           + (SELECT count(*) FROM webhook_endpoint AS endpoint
                JOIN event ON event.casino_id = endpoint.casino_id
                 AND (event.txid, event.id) > (endpoint.cursor_txid, endpoint.cursor_event_id))::int AS count`
  return row?.count === 0
}
