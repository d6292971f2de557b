import { Prisma } from '../platform/database.ts'
import { sql } from '../platform/sql.ts'

/** The job that snoozed the work must have ended when the relay adds a new one. */
const wakeAfterMs = 100

/**
 * Steps of a statement that change work, by the column `work` of each row of `source` (outbox_id, seen_due_at, work,
 * snooze_until, line): `finish`, `keep`, `snooze` until that time, possibly in a line, or `wake`. A row with
 * seen_due_at is skipped if its work is now due at another time. `work_locked` (id, work) has the rows that were not
 * skipped.
 */
export function movedWork(source: string): Prisma.Sql {
  return sql`work_locked AS (
      SELECT outbox.id, wanted.work, wanted.snooze_until, wanted.line,
             coalesce(wanted.snooze_until, now() + ${wakeAfterMs}::float8 * interval '1 millisecond') AS due_at
        FROM (SELECT * FROM ${Prisma.raw(source)} ORDER BY outbox_id) AS wanted
       CROSS JOIN LATERAL (
         SELECT id FROM outbox
          WHERE outbox.id = wanted.outbox_id AND (wanted.seen_due_at IS NULL OR outbox.due_at = wanted.seen_due_at)
            FOR UPDATE
       ) AS outbox
    ),
    work_finished AS (
      DELETE FROM outbox WHERE id = ANY(ARRAY(SELECT id FROM work_locked WHERE work = 'finish'))
    ),
    work_moved AS (
      UPDATE outbox
         SET due_at = moved.due_at, snoozed_until = moved.snooze_until, line = moved.line,
             created_at = CASE WHEN moved.line IS NULL THEN moved.due_at ELSE outbox.created_at END,
             relayed = CASE moved.work WHEN 'snooze' THEN 1 ELSE outbox.relayed END
        FROM work_locked AS moved
       WHERE outbox.id = moved.id AND moved.work IN ('snooze', 'wake')
    )`
}
