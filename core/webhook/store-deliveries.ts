import type { Database } from '../platform/database.ts'
import { batchInput, bigint, boolean, instant, int, text, timestamptz } from '../platform/sql.ts'
import type { JobPayload } from '../queue/jobs.ts'
import type { DeliverySnapshot, DeliveryState, AnswerFault } from './delivery.ts'

/** A step of a delivery, and what becomes of its work. */
export interface DeliveryWrite {
  job: JobPayload
  /** The delivery at the attempt that the step belongs to; undefined when only the work is to be crossed off. */
  delivery: Pick<DeliverySnapshot, 'id' | 'casinoId' | 'endpointId' | 'attempts' | 'attemptUntil'> | undefined
  /** Takes effect only while the work is still due then, if given: somebody else may have woken it. */
  seenDueAt: Date | null
  state: DeliveryState
  attempts: number
  attemptUntil: Date | null
  nextAttemptAt: Date | null
  /** How the attempt ended; null leaves what the delivery says of its last one. */
  ended: { status: number | null; problem: string | null } | null
  work: { kind: 'delete' } | { kind: 'keep' } | { kind: 'snooze'; until: Date; line?: string | undefined }
  /** What the endpoint has shown of itself, as far as it still has the URL that was called; null without a call. */
  endpoint: {
    url: string
    works: boolean
    /** It wants to be left alone until then. */
    restUntil: Date | null
    disable: AnswerFault | null
  } | null
}

/** What took effect; `hasDisabled` says that it switched the endpoint off. */
export interface StoredDelivery {
  hasDisabled: boolean
}

/** So that the job that put the work to rest has surely ended when the relay makes a new one. */
const wakeAfterMs = 100

/**
 * Stores steps of deliveries in one statement, in the order endpoints → deliveries → outbox. With the end of a delivery
 * the next one of the same object is woken. A delivery that was made counts however late its attempt tells; anything else
 * only while no other attempt has begun.
 */
export async function storeDeliveries(
  database: Database,
  now: Date,
  writes: readonly DeliveryWrite[],
): Promise<ReadonlyMap<DeliveryWrite, StoredDelivery>> {
  const rows = await database.$queryRaw<{ id: bigint; has_disabled: boolean }[]>`
    WITH input AS (
      SELECT * FROM ${batchInput(writes, {
        outbox_id: bigint((w) => w.job.outboxId),
        seen_due_at: timestamptz((w) => w.seenDueAt),
        delivery_id: text((w) => w.delivery?.id ?? null),
        casino_id: text((w) => w.delivery?.casinoId ?? null),
        endpoint_id: text((w) => w.delivery?.endpointId ?? null),
        seen_attempts: int((w) => w.delivery?.attempts ?? null),
        seen_attempt_until: timestamptz((w) => w.delivery?.attemptUntil ?? null),
        to_state: text((w) => w.state),
        to_attempts: int((w) => w.attempts),
        to_attempt_until: timestamptz((w) => w.attemptUntil),
        to_next_attempt_at: timestamptz((w) => w.nextAttemptAt),
        has_ended: boolean((w) => w.ended !== null),
        status: int((w) => w.ended?.status ?? null),
        problem: text((w) => w.ended?.problem ?? null),
        work: text((w) => w.work.kind),
        snooze_until: timestamptz((w) => (w.work.kind === 'snooze' ? w.work.until : null)),
        line: text((w) => (w.work.kind === 'snooze' ? (w.work.line ?? null) : null)),
        url: text((w) => w.endpoint?.url ?? null),
        works: boolean((w) => w.endpoint?.works ?? null),
        rest_until: timestamptz((w) => w.endpoint?.restUntil ?? null),
        disable_reason: text((w) => w.endpoint?.disable ?? null),
      })}
    ),
    endpoint_shown AS (
      SELECT casino_id, endpoint_id, url, bool_or(works) AS works, max(rest_until) AS rest_until,
             -- One success in the batch, and it cannot be that nothing gets through.
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
       -- What another URL has shown, that it had when the call began, says nothing about it.
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
      INSERT INTO event (casino_id, object_type, object_id, sequence, type, from_state, to_state, actor, data, created_at)
      SELECT casino_id, 'webhook_endpoint', id,
             1 + coalesce((SELECT max(sequence) FROM event
                            WHERE event.casino_id = disabled.casino_id AND event.object_type = 'webhook_endpoint'
                              AND event.object_id = disabled.id), 0),
             'webhook_endpoint.disabled', 'enabled', 'disabled', 'worker',
             jsonb_build_object('reason', reason), ${instant(now)}
        FROM endpoint_disabled AS disabled
    ),
    delivery_locked AS (
      SELECT input.*, delivery.object_type, delivery.object_id, delivery.sequence, delivery.replay_number
        FROM input JOIN webhook_delivery AS delivery ON delivery.id = input.delivery_id
       WHERE delivery.state NOT IN ('delivered', 'failed') -- not "= 'pending'": that would go through all that are
         AND (to_state = 'delivered'
              OR (delivery.attempts = seen_attempts AND delivery.attempt_until IS NOT DISTINCT FROM seen_attempt_until))
       ORDER BY delivery.id
         FOR UPDATE OF delivery
    ),
    next_of_object AS (
      SELECT next.outbox_id
        FROM delivery_locked AS ended
       CROSS JOIN LATERAL (
         SELECT outbox_id FROM webhook_delivery AS later
          WHERE later.casino_id = ended.casino_id AND later.endpoint_id = ended.endpoint_id
            AND later.object_type = ended.object_type AND later.object_id = ended.object_id
            AND later.state = 'pending'
            AND (later.sequence, later.replay_number) > (ended.sequence, ended.replay_number)
          ORDER BY later.sequence, later.replay_number LIMIT 1
       ) AS next
       WHERE ended.to_state <> 'pending' AND next.outbox_id IS NOT NULL
    ),
    work_wanted AS (
      SELECT outbox_id, seen_due_at, work, snooze_until, line FROM delivery_locked
       UNION ALL
      SELECT outbox_id, seen_due_at, work, snooze_until, line FROM input WHERE delivery_id IS NULL
       UNION ALL
      SELECT outbox_id, NULL, 'wake', NULL, NULL FROM next_of_object
    ),
    work_locked AS (
      SELECT outbox.id, wanted.work, wanted.snooze_until, wanted.line
        FROM (SELECT * FROM work_wanted ORDER BY outbox_id) AS wanted
       CROSS JOIN LATERAL (
         SELECT id FROM outbox
          WHERE outbox.id = wanted.outbox_id AND (wanted.seen_due_at IS NULL OR outbox.due_at = wanted.seen_due_at)
            FOR UPDATE
       ) AS outbox
    ),
    work_done AS (
      DELETE FROM outbox WHERE id = ANY(ARRAY(SELECT id FROM work_locked WHERE work = 'delete'))
    ),
    work_moved AS (
      UPDATE outbox
         SET due_at = moved.due_at, snoozed_until = moved.snooze_until, line = moved.line,
             created_at = CASE WHEN moved.line IS NULL THEN moved.due_at ELSE outbox.created_at END,
             relayed = CASE moved.work WHEN 'snooze' THEN 1 ELSE outbox.relayed END
        FROM (SELECT id, work, snooze_until, line,
                     coalesce(snooze_until, now() + ${wakeAfterMs}::float8 * interval '1 millisecond') AS due_at
                FROM work_locked WHERE work IN ('snooze', 'wake')) AS moved
       WHERE outbox.id = moved.id
    ),
    delivery_changed AS (
      UPDATE webhook_delivery AS delivery
         SET state = to_state, attempts = to_attempts, attempt_until = to_attempt_until,
             next_attempt_at = to_next_attempt_at,
             last_status = CASE WHEN has_ended THEN status ELSE last_status END,
             last_problem = CASE WHEN has_ended THEN problem ELSE last_problem END,
             outbox_id = CASE locked.work WHEN 'delete' THEN NULL ELSE delivery.outbox_id END,
             updated_at = ${instant(now)}
        FROM delivery_locked AS locked
       WHERE delivery.id = locked.delivery_id
         AND EXISTS (SELECT FROM work_locked WHERE work_locked.id = locked.outbox_id)
    )
    SELECT work_locked.id,
           EXISTS (SELECT FROM endpoint_disabled AS disabled
                    WHERE disabled.casino_id = input.casino_id AND disabled.id = input.endpoint_id) AS has_disabled
      FROM input JOIN work_locked ON work_locked.id = input.outbox_id AND work_locked.work <> 'wake'`

  const stored = new Map(rows.map((row) => [String(row.id), row.has_disabled]))
  return new Map(
    writes.flatMap((write) => {
      const hasDisabled = stored.get(write.job.outboxId)
      return hasDisabled === undefined ? [] : [[write, { hasDisabled }] as const]
    }),
  )
}
