import { feedFuture } from '../event/feed-position.ts'
import type { Database } from '../platform/database.ts'
import { isFull } from './fan-out.ts'

/** The number of webhook endpoints of all casinos, by condition. */
export interface EndpointCounts {
  byState: {
    /** Enabled, and deliveries succeed. */
    working: number
    /** Enabled, and all recent deliveries failed. */
    failing: number
    /** Disabled, automatically or by an operator. */
    disabled: number
    /** Enabled, and slower than the events come: later events wait in the feed. */
    full: number
    /** In any state, with a feed position in the future: a dump was restored without migrating. */
    ahead: number
  }
  /** The age of the oldest event without a delivery, for endpoints that work and are not full. */
  oldestWaitingSeconds: number
}

export async function countEndpoints(database: Database): Promise<EndpointCounts> {
  const [row] = await database.$queryRaw<(EndpointCounts['byState'] & { waiting: number })[]>`
    SELECT count(*) FILTER (WHERE state = 'enabled' AND failing_since IS NULL)::int AS working,
           count(*) FILTER (WHERE state = 'enabled' AND failing_since IS NOT NULL)::int AS failing,
           count(*) FILTER (WHERE state = 'disabled')::int AS disabled,
           count(*) FILTER (WHERE state = 'enabled' AND is_full)::int AS full,
           count(*) FILTER (WHERE cursor_txid > ${feedFuture})::int AS ahead,
           coalesce(max(extract(epoch FROM now() - next.created_at))
                    FILTER (WHERE state = 'enabled' AND failing_since IS NULL AND NOT is_full), 0)::float8 AS waiting
      FROM webhook_endpoint AS endpoint
     CROSS JOIN LATERAL (SELECT ${isFull} AS is_full) AS room
      LEFT JOIN LATERAL (
        SELECT event.created_at FROM event
         WHERE event.casino_id = endpoint.casino_id
           AND (event.txid, event.id) > (endpoint.cursor_txid, endpoint.cursor_event_id)
         ORDER BY event.txid, event.id LIMIT 1
      ) AS next ON true`
  if (row === undefined) throw new Error('a statement returned no row')
  const { waiting, ...byState } = row
  return { byState, oldestWaitingSeconds: waiting }
}
