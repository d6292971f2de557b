import { workOfJobs } from '../outbox/work-steps.ts'
import type { Database } from '../platform/database.ts'
import type { JobPayload } from '../queue/jobs.ts'
import type { DeliverySnapshot, DeliveryState } from './delivery.ts'

/** A job's work in the outbox, and its delivery. */
export interface DeliveryWork {
  /** When the outbox row is due; a different time shows that another worker has moved it. */
  dueAt: Date
  /** Undefined if the delivery was deleted with its endpoint. */
  delivery: DeliverySnapshot | undefined
}

interface Row {
  outbox_id: bigint
  due_at: Date
  id: string | null
  casino_id: string
  endpoint_id: string
  event_id: bigint
  state: DeliveryState
  attempts: number
  attempt_until: Date | null
  url: string | null
  is_enabled: boolean
  failing_since: Date | null
  resting_until: Date | null
  before_count: number
  busy_until: Date | null
}

/** Earlier events are counted up to this number. */
const beforeMax = 100

/** Finished work is not found: its row is gone. By the outbox row's id. */
export async function loadDeliveries(
  database: Database,
  jobs: readonly JobPayload[],
): Promise<Map<string, DeliveryWork>> {
  const rows = await database.$queryRaw<Row[]>`
    SELECT work.id AS outbox_id, work.due_at, delivery.id, delivery.casino_id, delivery.endpoint_id,
           delivery.event_id, delivery.state, delivery.attempts, delivery.attempt_until,
           endpoint.url, endpoint.state = 'enabled' AS is_enabled, endpoint.failing_since,
           endpoint.resting_until, before.count AS before_count,
           greatest(before.busy_until, in_line.snoozed_until) AS busy_until
      FROM ${workOfJobs(jobs, ['deliver-webhook'])}
      LEFT JOIN webhook_delivery AS delivery ON delivery.id = work.object_id
      LEFT JOIN webhook_endpoint AS endpoint
        ON endpoint.casino_id = delivery.casino_id AND endpoint.id = delivery.endpoint_id
      LEFT JOIN LATERAL (
        SELECT count(*)::int AS count, (array_agg(busy_until))[1] AS busy_until, (array_agg(outbox_id))[1] AS outbox_id
          FROM (SELECT greatest(earlier.next_attempt_at, earlier.attempt_until) AS busy_until, earlier.outbox_id
                  FROM webhook_delivery AS earlier
                 WHERE earlier.casino_id = delivery.casino_id AND earlier.endpoint_id = delivery.endpoint_id
                   AND earlier.object_type = delivery.object_type AND earlier.object_id = delivery.object_id
                   AND earlier.state = 'pending'
                   AND (earlier.sequence, earlier.replay_number) < (delivery.sequence, delivery.replay_number)
                 ORDER BY earlier.sequence, earlier.replay_number LIMIT ${beforeMax}::int) AS earlier
      ) AS before ON true
      -- The first one may wait in the line of its endpoint; its end wakes the next.
      LEFT JOIN outbox AS in_line ON in_line.id = before.outbox_id AND in_line.line IS NOT NULL`
  return new Map(rows.map((row) => [String(row.outbox_id), { dueAt: row.due_at, delivery: toSnapshot(row) }]))
}

function toSnapshot(row: Row): DeliverySnapshot | undefined {
  if (row.id === null) return undefined
  return {
    id: row.id,
    casinoId: row.casino_id,
    endpointId: row.endpoint_id,
    eventId: String(row.event_id),
    state: row.state,
    attempts: row.attempts,
    attemptUntil: row.attempt_until,
    endpoint:
      row.url === null
        ? undefined
        : {
            url: row.url,
            isEnabled: row.is_enabled,
            failingSince: row.failing_since,
            restingUntil: row.resting_until,
          },
    before: row.before_count > 0 ? { busyUntil: row.busy_until, count: row.before_count } : undefined,
  }
}
