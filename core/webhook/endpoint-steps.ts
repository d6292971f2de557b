import { nextInHistory, writtenEvents } from '../event/written-events.ts'
import type { Prisma } from '../platform/database.ts'
import { batchInput, boolean, instant, sql, text, timestamptz } from '../platform/sql.ts'
import { laterOf } from './decide-delivery.ts'
import { endpointKeyOf } from './delivery.ts'
import type { AnswerFault } from './delivery.ts'

/** The findings of a call about its endpoint; they count if it still has the called URL. */
export interface ShownEndpoint {
  casinoId: string
  endpointId: string
  url: string
  works: boolean
  /** It asks for no calls until then. */
  restUntil: Date | null
  disable: AnswerFault | null
  /** Of the work that called, or of the batch that stores the result if nothing traced has caused that work. */
  traceparent: string | null
}

/**
 * Steps of a statement that store the results of calls for their endpoints: failures, and requests to wait. Rows of
 * `endpoint_locked` (casino_id, id) with a `reason` are those that were disabled.
 */
export function shownEndpoints(shown: readonly ShownEndpoint[], now: Date): Prisma.Sql {
  return sql`endpoint_locked AS (
      SELECT endpoint.casino_id, endpoint.id, input.works, input.rest_until,
             CASE WHEN endpoint.state = 'enabled' THEN input.reason END AS reason, input.traceparent
        FROM ${batchInput(mergedByUrl(shown), {
          casino_id: text((one) => one.casinoId),
          endpoint_id: text((one) => one.endpointId),
          url: text((one) => one.url),
          works: boolean((one) => one.works),
          rest_until: timestamptz((one) => one.restUntil),
          reason: text((one) => one.disable),
          traceparent: text((one) => one.traceparent),
        })}
        JOIN webhook_endpoint AS endpoint ON endpoint.casino_id = input.casino_id AND endpoint.id = input.endpoint_id
       -- A result of the endpoint's previous URL does not count.
       WHERE endpoint.url = input.url
         AND (input.works = (endpoint.failing_since IS NOT NULL)
              OR input.rest_until > coalesce(endpoint.resting_until, '-infinity')
              OR (input.reason IS NOT NULL AND endpoint.state = 'enabled'))
       ORDER BY endpoint.casino_id, endpoint.id
         FOR UPDATE OF endpoint
    ),
    endpoint_changed AS (
      UPDATE webhook_endpoint AS endpoint
         SET failing_since = CASE WHEN NOT locked.works THEN coalesce(endpoint.failing_since, ${instant(now)}) END,
             resting_until = greatest(endpoint.resting_until, locked.rest_until),
             state = CASE WHEN locked.reason IS NULL THEN endpoint.state ELSE 'disabled' END,
             disabled_reason = coalesce(locked.reason, endpoint.disabled_reason),
             revision = endpoint.revision + (locked.reason IS NOT NULL)::int, updated_at = ${instant(now)}
        FROM endpoint_locked AS locked
       WHERE endpoint.casino_id = locked.casino_id AND endpoint.id = locked.id
    ),
    event_written AS (
      ${writtenEvents(instant(now), {
        from: sql`endpoint_locked WHERE reason IS NOT NULL`,
        objectType: 'webhook_endpoint',
        objectId: sql`id`,
        sequence: nextInHistory('webhook_endpoint', 'endpoint_locked'),
        type: 'webhook_endpoint.disabled',
        fromState: 'enabled',
        toState: 'disabled',
        actor: 'worker',
        data: sql`jsonb_build_object('reason', reason)`,
        traceparent: sql`traceparent`,
      })}
    )`
}

/** The findings of all calls of one URL as one. If one succeeded, the endpoint is not disabled for the failures. */
export function mergedByUrl(shown: readonly ShownEndpoint[]): ShownEndpoint[] {
  const byUrl = new Map<string, ShownEndpoint>()
  for (const one of shown) {
    const key = `${endpointKeyOf(one)}\n${one.url}`
    const other = byUrl.get(key)
    byUrl.set(key, other === undefined ? one : mergedOf(other, one))
  }
  return [...byUrl.values()].map((one) =>
    one.works && one.disable === 'failing' ? { ...one, disable: null } : one,
  )
}

function mergedOf(one: ShownEndpoint, other: ShownEndpoint): ShownEndpoint {
  const isGone = one.disable === 'gone' || other.disable === 'gone'
  const disabling = one.disable === null || (isGone && one.disable !== 'gone') ? other : one
  return {
    ...one,
    works: one.works || other.works,
    restUntil: other.restUntil === null ? one.restUntil : laterOf(one.restUntil, other.restUntil),
    disable: disabling.disable,
    traceparent: disabling.traceparent,
  }
}
