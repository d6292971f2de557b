import { nextInHistory, writtenEvents } from '../event/written-events.ts'
import type { Prisma } from '../platform/database.ts'
import { instant, sql } from '../platform/sql.ts'

/**
 * Steps of a statement that store what the attempts of `input` (casino_id, endpoint_id, url, works, rest_until,
 * disable_reason) show about their endpoints: failures, and requests to wait. `endpoint_disabled` (casino_id, id) are
 * those that were disabled.
 */
export function shownEndpoints(now: Date): Prisma.Sql {
  return sql`endpoint_shown AS (
      SELECT casino_id, endpoint_id, url, bool_or(works) AS works, max(rest_until) AS rest_until,
             -- One success in the batch: not all deliveries fail.
             max(disable_reason) FILTER (WHERE disable_reason = 'gone') AS gone,
             max(disable_reason) AS reason
        FROM input WHERE url IS NOT NULL
       GROUP BY casino_id, endpoint_id, url
    ),
    endpoint_locked AS (
      SELECT endpoint.casino_id, endpoint.id, shown.works, shown.rest_until, endpoint.state,
             CASE WHEN shown.works THEN shown.gone ELSE shown.reason END AS reason
        FROM webhook_endpoint AS endpoint
        JOIN endpoint_shown AS shown ON shown.casino_id = endpoint.casino_id AND shown.endpoint_id = endpoint.id
       -- A result of the endpoint's previous URL does not count.
       WHERE endpoint.url = shown.url
         AND ((shown.works AND endpoint.failing_since IS NOT NULL)
              OR (NOT shown.works AND endpoint.failing_since IS NULL)
              OR shown.rest_until > endpoint.resting_until
              OR (shown.rest_until IS NOT NULL AND endpoint.resting_until IS NULL)
              OR (shown.reason IS NOT NULL AND endpoint.state = 'enabled'))
       ORDER BY endpoint.casino_id, endpoint.id
         FOR UPDATE OF endpoint
    ),
    endpoint_changed AS (
      UPDATE webhook_endpoint AS endpoint
         SET failing_since = CASE WHEN locked.works THEN NULL
                                  ELSE coalesce(endpoint.failing_since, ${instant(now)}) END,
             resting_until = greatest(endpoint.resting_until, locked.rest_until),
             state = CASE WHEN locked.reason IS NULL THEN endpoint.state ELSE 'disabled' END,
             disabled_reason = coalesce(endpoint.disabled_reason, locked.reason),
             updated_at = ${instant(now)}
        FROM endpoint_locked AS locked
       WHERE endpoint.casino_id = locked.casino_id AND endpoint.id = locked.id
    ),
    endpoint_disabled AS (
      SELECT * FROM endpoint_locked WHERE state = 'enabled' AND reason IS NOT NULL
    ),
    event_written AS (
      ${writtenEvents(instant(now), {
        from: sql`endpoint_disabled`,
        objectType: 'webhook_endpoint',
        objectId: sql`id`,
        sequence: nextInHistory('webhook_endpoint', 'endpoint_disabled'),
        type: 'webhook_endpoint.disabled',
        fromState: 'enabled',
        toState: 'disabled',
        actor: 'worker',
        data: sql`jsonb_build_object('reason', reason)`,
      })}
    )`
}
