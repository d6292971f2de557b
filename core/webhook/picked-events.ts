import { isWantedType } from '../event/event-types.ts'
import { findPositionBefore } from '../event/feed-position.ts'
import type { FeedPosition } from '../event/feed-position.ts'
import { clockDifferenceMaxMs } from '../platform/clock.ts'
import { Prisma } from '../platform/database.ts'
import type { Database } from '../platform/database.ts'
import { instant, sql } from '../platform/sql.ts'
import type { EndpointName } from './endpoints.ts'

/** The limits of one statement; the caller repeats it for the rest. */
export const pickedMax = 1_000
const scanMax = 10_000

/**
 * The condition that the endpoint's cursor has passed the event. A replay of a later event would overtake the object's
 * earlier ones, and the endpoint gets it anyway.
 */
export function hasPassed(event: string): Prisma.Sql {
  const [txid, id] = [Prisma.raw(`${event}.txid`), Prisma.raw(`${event}.id`)]
  return sql`(${txid}, ${id}) <= (endpoint.cursor_txid, endpoint.cursor_event_id)`
}

/** A part of the feed that has all events of a time, and little else; `after` is where an earlier call stopped. */
export async function findBounds(
  database: Database,
  casinoId: string,
  { from, until, after }: { from: Date; until: Date; after: FeedPosition | undefined },
): Promise<{ start: FeedPosition; end: FeedPosition }> {
  const start = after ?? (await findPositionBefore(database, casinoId, shifted(from, -clockDifferenceMaxMs)))
  return { start, end: await findPositionBefore(database, casinoId, shifted(until, clockDifferenceMaxMs)) }
}

/**
 * Steps that end in `picked`: the next events of a time that the endpoint wants and its cursor has passed, in the order
 * of the feed.
 */
export function pickedOfRange(
  { casinoId, endpointId }: EndpointName,
  { from, until, start, end }: { from: Date; until: Date; start: FeedPosition; end: FeedPosition },
): Prisma.Sql {
  return sql`
    scanned AS (
      SELECT event.txid, event.id AS event_id, event.type, event.object_type, event.object_id, event.sequence,
             event.created_at, endpoint.casino_id, endpoint.id AS endpoint_id, endpoint.event_types
        FROM webhook_endpoint AS endpoint
       CROSS JOIN LATERAL (
         SELECT * FROM event
          WHERE event.casino_id = endpoint.casino_id
            AND (event.txid, event.id) > (${start.txid}::bigint, ${start.eventId}::bigint)
            AND event.txid < ${end.txid}::bigint AND ${hasPassed('event')}
          ORDER BY event.txid, event.id LIMIT ${scanMax}::int
       ) AS event
       WHERE endpoint.casino_id = ${casinoId}::text AND endpoint.id = ${endpointId}::text
    ),
    picked AS (
      SELECT scanned.*, row_number() OVER (ORDER BY txid, event_id) AS number
        FROM scanned
       WHERE created_at >= ${instant(from)} AND created_at < ${instant(until)}
         AND ${isWantedType('scanned.type', 'scanned.event_types')}
       ORDER BY txid, event_id LIMIT ${pickedMax}::int
    )`
}

/** A step after `pickedOfRange`: how many events were looked at, and picked. */
export const seenOfRange = sql`
    seen AS (
      SELECT (SELECT count(*) FROM scanned)::int AS scanned, (SELECT count(*) FROM picked)::int AS picked
    )`

/** The tables `seen` and `last`: the position to continue from, null at the end of the range. */
export const lastOfRange = sql`
      seen
      LEFT JOIN LATERAL (
        (SELECT txid, event_id FROM picked WHERE seen.picked = ${pickedMax}::int
          ORDER BY txid DESC, event_id DESC LIMIT 1)
         UNION ALL
        (SELECT txid, event_id FROM scanned WHERE seen.picked < ${pickedMax}::int AND seen.scanned = ${scanMax}::int
          ORDER BY txid DESC, event_id DESC LIMIT 1)
      ) AS last ON true`

/** Steps that end in `picked`: the endpoint's next permanently failed deliveries, without those replayed since. */
export function pickedOfFailed(
  { casinoId, endpointId }: EndpointName,
  { from, until, afterId }: { from: Date; until: Date; afterId: string | undefined },
): Prisma.Sql {
  return sql`
    scanned AS (
      SELECT delivery.* FROM webhook_delivery AS delivery
       WHERE delivery.casino_id = ${casinoId}::text AND delivery.endpoint_id = ${endpointId}::text
         AND delivery.state = 'failed' AND delivery.id > ${afterId ?? ''}::text
       ORDER BY delivery.id LIMIT ${pickedMax}::int
    ),
    picked AS (
      SELECT scanned.casino_id, scanned.endpoint_id, scanned.event_id, scanned.object_type, scanned.object_id,
             scanned.sequence, row_number() OVER (ORDER BY scanned.id) AS number
        FROM scanned
        JOIN LATERAL (SELECT created_at FROM every_event WHERE id = scanned.event_id LIMIT 1) AS event ON true
       WHERE event.created_at >= ${instant(from)} AND event.created_at < ${instant(until)}
         AND scanned.replay_number = (
               SELECT latest.replay_number FROM webhook_delivery AS latest
                WHERE latest.casino_id = scanned.casino_id AND latest.endpoint_id = scanned.endpoint_id
                  AND latest.event_id = scanned.event_id
                ORDER BY latest.replay_number DESC LIMIT 1)
    )`
}

function shifted(time: Date, byMs: number): Date {
  return new Date(time.getTime() + byMs)
}
