import { movedWork } from '../outbox/moved-work.ts'
import type { Database } from '../platform/database.ts'
import { batchInput, bigint, boolean, instant, int, text, timestamptz } from '../platform/sql.ts'
import type { JobPayload } from '../queue/jobs.ts'
import type { DeliverySnapshot, DeliveryState, AnswerFault } from './delivery.ts'
import { shownEndpoints } from './endpoint-steps.ts'

/** A step of a delivery, and its effect on the work. */
export interface DeliveryWrite {
  job: JobPayload
  /** The delivery at this attempt; undefined if only the work is finished. */
  delivery: Pick<DeliverySnapshot, 'id' | 'casinoId' | 'endpointId' | 'attempts' | 'attemptUntil'> | undefined
  /** If given, the write takes effect only if the work is still due then: another worker may have woken it. */
  seenDueAt: Date | null
  state: DeliveryState
  attempts: number
  attemptUntil: Date | null
  nextAttemptAt: Date | null
  /** How the attempt ended; null keeps the previous attempt's result. */
  ended: { status: number | null; problem: string | null } | null
  work: { kind: 'delete' } | { kind: 'keep' } | { kind: 'snooze'; until: Date; line?: string | undefined }
  /** The findings of the call about the endpoint, if it still has the called URL; null without a call. */
  endpoint: {
    url: string
    works: boolean
    /** It asks for no calls until then. */
    restUntil: Date | null
    disable: AnswerFault | null
  } | null
}

/** A write that took effect; `hasDisabled` if it disabled the endpoint. */
export interface StoredDelivery {
  hasDisabled: boolean
}

/**
 * Stores steps of deliveries in one statement, in the order endpoints → deliveries → outbox. The end of a delivery
 * wakes the next one of the same object. A success counts however late it is recorded; any other result only if no
 * later attempt has begun.
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
    ${shownEndpoints(now)},
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
    ${movedWork('work_wanted')},
    delivery_changed AS (
      UPDATE webhook_delivery AS delivery
         SET state = to_state, attempts = to_attempts, attempt_until = to_attempt_until,
             next_attempt_at = to_next_attempt_at,
             last_status = CASE WHEN has_ended THEN status ELSE last_status END,
             last_problem = CASE WHEN has_ended THEN problem ELSE last_problem END,
             outbox_id = CASE locked.work WHEN 'delete' THEN NULL ELSE delivery.outbox_id END,
             updated_at = CASE WHEN to_state <> 'pending' OR has_ended OR to_attempts <> delivery.attempts
                               THEN ${instant(now)} ELSE delivery.updated_at END -- waiting changes nothing
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
