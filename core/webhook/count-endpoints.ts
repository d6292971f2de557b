import { feedFuture } from '../event/feed-position.ts'
import type { Database } from '../platform/database.ts'
import { isFull } from './fan-out.ts'

/** How the webhook endpoints of all casinos are doing. */
export interface EndpointCounts {
  byState: {
    /** On, and taking events. */
    working: number
    /** On, and nothing has got through lately. */
    failing: number
    /** Switched off, by itself or by somebody. */
    disabled: number
    /** On, and slower than the events come: later ones wait in the feed. */
    full: number
    /** In any state, with a place in the feed that lies in the future: a dump was restored without migrating. */
    ahead: number
  }
  /** How old the oldest event is that no worker has turned into a delivery yet, of endpoints that work and have room. */
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
  if (row === undefined) throw new Error('a statement gave no row')
  const { waiting, ...byState } = row
  return { byState, oldestWaitingSeconds: waiting }
}
