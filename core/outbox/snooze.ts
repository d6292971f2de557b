import { Prisma } from '../platform/database.ts'
import { bigint, sql, text, timestamptz } from '../platform/sql.ts'

/**
 * The work of a change: finished if `snoozeUntil` is null, or snoozed until then, possibly in a line for a slot
 * (line.ts).
 */
interface NextWork {
  outboxId: string
  snoozeUntil: Date | null
  line?: string | undefined
}

/** The input columns for it. */
export function workColumns<Row>(workOf: (row: Row) => NextWork | undefined) {
  return {
    outbox_id: bigint((row: Row) => workOf(row)?.outboxId ?? null),
    snooze_until: timestamptz((row: Row) => workOf(row)?.snoozeUntil ?? null),
    line: text((row: Row) => workOf(row)?.line ?? null),
  }
}

/**
 * Steps of a statement that snooze work: the outbox rows of `source` (outbox_id, snooze_until, line; rows with a null
 * snooze_until are skipped) become due then. The relay adds their job again in any case.
 * `relayed` is 1 afterwards, as if the relay had handed the row over once: the next time counts as a repetition.
 * `created_at` is the start of the wait, so it moves too, unless the work is in a line, where it keeps its place.
 */
export function snoozedWork(source: string): Prisma.Sql {
  return sql`work_to_snooze AS (
      SELECT outbox.id, wanted.snooze_until, wanted.line
        FROM ${Prisma.raw(source)} AS wanted
       CROSS JOIN LATERAL (SELECT id FROM outbox WHERE outbox.id = wanted.outbox_id FOR UPDATE) AS outbox
       WHERE wanted.snooze_until IS NOT NULL ORDER BY outbox.id
    ),
    work_snoozed AS (
      UPDATE outbox
         SET due_at = wanted.snooze_until, snoozed_until = wanted.snooze_until, line = wanted.line, relayed = 1,
             created_at = CASE WHEN wanted.line IS NULL THEN wanted.snooze_until ELSE outbox.created_at END
        FROM work_to_snooze AS wanted WHERE outbox.id = wanted.id
    )`
}
