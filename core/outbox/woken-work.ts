import type { Prisma } from '../platform/database.ts'
import { instant, sql } from '../platform/sql.ts'

/** One statement wakes this many in a fraction of a second. */
const wokenMax = 5_000

/** The snoozes that end early: those until a time between these two. */
interface Snoozes {
  after: Date
  until: Date
}

/**
 * Steps of a statement that make the snoozed work of objects due within seconds: at `wakeAt`, evaluated per row.
 * `objects` follows FROM and has an `object` (id, job_name). Locked rows are in use and skipped.
 */
export function wokenEarly(objects: Prisma.Sql, { after, until }: Snoozes, wakeAt: Prisma.Sql): Prisma.Sql {
  return sql`snoozed_work AS (
      SELECT snoozed.id
        FROM ${objects}
       CROSS JOIN LATERAL (
         SELECT id FROM outbox
          WHERE outbox.object_id = object.id AND outbox.job_name = object.job_name
            AND outbox.snoozed_until > ${instant(after)} AND outbox.snoozed_until <= ${instant(until)}
       ) AS snoozed
       LIMIT ${wokenMax}::int
    ),
    snoozed_work_locked AS (
      SELECT id, ${wakeAt} AS wake_at
        FROM outbox
       WHERE id = ANY(ARRAY(SELECT id FROM snoozed_work)) AND snoozed_until > ${instant(after)}
       ORDER BY id
         FOR UPDATE SKIP LOCKED
    ),
    snoozed_work_woken AS (
      UPDATE outbox SET due_at = wake_at, snoozed_until = wake_at, created_at = wake_at
        FROM snoozed_work_locked WHERE outbox.id = snoozed_work_locked.id
    )`
}
