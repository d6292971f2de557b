import type { Database } from '../platform/database.ts'
import { instant, sql } from '../platform/sql.ts'

/**
 * A position in the feed, which is ordered by (txid, id): the transaction that wrote an event, and the event. Numbers
 * are text, since they exceed what JSON carries.
 */
export interface FeedPosition {
  txid: string
  eventId: string
}

/** After all events, for reading backwards. */
export const feedEnd: FeedPosition = { txid: String(2n ** 63n - 1n), eventId: '0' }

/** Before all events. */
export const feedStart: FeedPosition = { txid: '0', eventId: '0' }

/**
 * The horizon as a SQL expression: the oldest transaction of this database that still runs. All below have ended, and
 * later ones get higher numbers, so nothing can be added to the events below, and a reader misses none. (Ids alone are
 * not enough: a lower one may be committed later.)
 *
 * Numbers are shared by the server's databases, so its snapshots include transactions of other databases, which write
 * no events here and may last for hours. Only those of sessions that are currently seen in another database are left
 * out. One that has ended since the snapshot is not seen any more, in any database, and counts. A standby's
 * snapshots do not distinguish transactions.
 */
export const feedHorizon = sql`(
        SELECT event_txid_offset() + CASE
                 WHEN pg_is_in_recovery() THEN (pg_snapshot_xmin(pg_current_snapshot())::text)::bigint
                 ELSE coalesce(
                   (SELECT min((running.txid::text)::bigint)
                      FROM pg_snapshot_xip(pg_current_snapshot()) AS running (txid)
                     WHERE NOT EXISTS (
                             SELECT FROM pg_stat_get_activity(NULL) AS session
                              WHERE session.backend_xid = running.txid::xid
                                AND session.datid <> (SELECT oid FROM pg_database WHERE datname = current_database()))),
                   (pg_snapshot_xmax(pg_current_snapshot())::text)::bigint)
               END)`

/** Numbers from here on belong to transactions that have not begun: an event cannot have them yet. */
export const feedFuture = sql`(
        (pg_snapshot_xmax(pg_current_snapshot())::text)::bigint + event_txid_offset())`

/**
 * A position before all events written at `time` or later. Events are roughly in order of time; the clocks of our
 * machines differ, so subtract more than that difference.
 */
export async function findPositionBefore(
  database: Database,
  casinoId: string,
  time: Date,
): Promise<FeedPosition> {
  // A binary search over transaction numbers: about forty look-ups in the feed's index.
  const rows = await database.$queryRaw<{ txid: bigint }[]>`
    WITH RECURSIVE search (low, high) AS (
      SELECT 0::bigint, ${feedHorizon}
       UNION ALL
      SELECT CASE WHEN probe.created_at < ${instant(time)} THEN probe.txid + 1 ELSE search.low END,
             CASE WHEN probe.created_at < ${instant(time)} THEN search.high ELSE middle END
        FROM search
       CROSS JOIN LATERAL (SELECT search.low + (search.high - search.low) / 2 AS middle) AS halved
        LEFT JOIN LATERAL (
          SELECT event.txid, event.created_at FROM event
           WHERE event.casino_id = ${casinoId}::text AND event.txid >= middle
           ORDER BY event.txid, event.id LIMIT 1
        ) AS probe ON true
       WHERE search.low < search.high
    )
    SELECT low AS txid FROM search WHERE low >= high LIMIT 1`
  return { txid: String(rows[0]?.txid ?? 0n), eventId: '0' }
}
