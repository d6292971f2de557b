import { movedWork } from '../outbox/moved-work.ts'
import { Prisma } from '../platform/database.ts'
import type { Database } from '../platform/database.ts'
import { batchInput, bigint, boolean, instant, int, sql, text, timed, timestamptz } from '../platform/sql.ts'
import type { JobPayload } from '../queue/jobs.ts'
import { currentTraceparent } from '../trace/current-span.ts'
import type { DeliverySnapshot, DeliveryState } from './delivery.ts'
import { shownEndpoints } from './endpoint-steps.ts'
import type { ShownEndpoint } from './endpoint-steps.ts'

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
  work: { kind: 'finish' } | { kind: 'keep' } | { kind: 'snooze'; until: Date; line?: string | undefined }
  /** The findings of the call about the endpoint; null without a call. */
  endpoint: Omit<ShownEndpoint, 'casinoId' | 'endpointId' | 'traceparent'> | null
}

/** A write that took effect; `hasDisabled` if it disabled the endpoint. */
export interface StoredDelivery {
  hasDisabled: boolean
}

/**
 * Stores steps of deliveries in one statement, in the order endpoints → deliveries → outbox; endpoints only if a call
 * was made. The end of a delivery wakes the next one of the same object. A success counts however late it is recorded;
 * any other result only if no later attempt has begun.
 */
export async function storeDeliveries(
  database: Database,
  now: Date,
  writes: readonly DeliveryWrite[],
): Promise<ReadonlyMap<DeliveryWrite, StoredDelivery>> {
  const shown = writes.flatMap(({ job, delivery, endpoint }) =>
    delivery === undefined || endpoint === null
      ? []
      : [{ ...delivery, ...endpoint, traceparent: job.traceparent ?? currentTraceparent() }],
  )
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
      })}
    ),
    ${shown.length === 0 ? Prisma.empty : sql`${shownEndpoints(shown, now)},`}
    delivery_locked AS (
      SELECT input.*, delivery.object_type, delivery.object_id, delivery.sequence, delivery.replay_number
        FROM input JOIN webhook_delivery AS delivery ON delivery.id = input.delivery_id
       WHERE ${shown.length === 0 ? sql`true` : areEndpointsLocked}
         AND delivery.state NOT IN ('delivered', 'failed') -- not "= 'pending'": that would go through all that are
         AND (to_state = 'delivered' OR (delivery.attempts = seen_attempts AND delivery.attempt_until IS NOT DISTINCT FROM seen_attempt_until))
       ORDER BY delivery.id FOR UPDATE OF delivery
    ),
    work_wanted AS (
      SELECT outbox_id, seen_due_at, work, snooze_until, line FROM delivery_locked
       UNION ALL
      SELECT outbox_id, seen_due_at, work, snooze_until, line FROM input WHERE delivery_id IS NULL
       UNION ALL
      SELECT ${nextOfObject}, NULL, 'wake', NULL, NULL FROM delivery_locked AS ended WHERE ended.to_state <> 'pending'
    ),
    ${movedWork('work_wanted')},
    delivery_changed AS (
      UPDATE webhook_delivery AS delivery
         SET state = to_state, attempts = to_attempts,
             attempt_until = to_attempt_until, next_attempt_at = to_next_attempt_at,
             last_status = CASE WHEN has_ended THEN status ELSE last_status END,
             last_problem = CASE WHEN has_ended THEN problem ELSE last_problem END,
             attempt_log = CASE WHEN has_ended THEN ${loggedAttempts(now)} ELSE attempt_log END,
             outbox_id = CASE locked.work WHEN 'finish' THEN NULL ELSE delivery.outbox_id END,
             updated_at = CASE WHEN to_state <> 'pending' OR has_ended OR to_attempts <> delivery.attempts
                               THEN ${instant(now)} ELSE delivery.updated_at END -- waiting changes nothing
        FROM delivery_locked AS locked
       WHERE delivery.id = locked.delivery_id AND EXISTS (SELECT FROM work_locked WHERE work_locked.id = locked.outbox_id)
    )
    SELECT work_locked.id, ${shown.length === 0 ? sql`false` : isDisabled} AS has_disabled
      FROM input JOIN work_locked ON work_locked.id = input.outbox_id AND work_locked.work <> 'wake'`

  const stored = new Map(rows.map((row) => [String(row.id), row.has_disabled]))
  return new Map(
    writes.flatMap((write) => {
      const hasDisabled = stored.get(write.job.outboxId)
      return hasDisabled === undefined ? [] : [[write, { hasDisabled }] as const]
    }),
  )
}

/** A delivery has fewer attempts, except at an endpoint that is switched off and on: this bounds its row. */
const loggedAttemptsMax = 20

/** The log with the attempt that has ended, and without the oldest one if it would be too long. */
const loggedAttempts = timed(
  (
    now,
  ) => sql`(CASE WHEN jsonb_array_length(attempt_log) >= ${loggedAttemptsMax}::int THEN attempt_log - 0 ELSE attempt_log END
               || jsonb_build_object('attempt', to_attempts, 'at', ${now}, 'status', status, 'problem', problem))`,
)

/** The work of the next delivery of the same object as `ended`; null if there is none, or if it is parked. */
const nextOfObject = sql`(SELECT outbox_id FROM webhook_delivery AS later
               WHERE later.casino_id = ended.casino_id AND later.endpoint_id = ended.endpoint_id
                 AND later.object_type = ended.object_type AND later.object_id = ended.object_id
                 AND later.state = 'pending'
                 AND (later.sequence, later.replay_number) > (ended.sequence, ended.replay_number)
               ORDER BY later.sequence, later.replay_number LIMIT 1)`

/**
 * Always true. PostgreSQL locks rows of a step when another step reads it, and asks what depends on no row first: without
 * this, it would lock the endpoints last.
 */
const areEndpointsLocked = sql`(SELECT count(*) FROM endpoint_locked) >= 0`

/** Whether the endpoint of a row of `input` was disabled, after `shownEndpoints`. */
const isDisabled = sql`(input.casino_id, input.endpoint_id) IN (SELECT casino_id, id FROM endpoint_locked WHERE reason IS NOT NULL)`
