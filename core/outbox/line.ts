import type { Database } from '../platform/database.ts'
import { batchInput, bigintArray, int, text } from '../platform/sql.ts'
import { isJobName } from '../queue/jobs.ts'
import type { DueWork } from '../queue/jobs.ts'

/**
 * Work that has found no slot for its call stands in a line: rows of the outbox with the line's name, in the order of since
 * when they wait (`created_at`), and of their ids where that is the same. For work that was caused once that is the order
 * in which it was caused; work that comes back, a poll or a retry, waits since it was due again. Who has a slot takes the
 * first of them (`takeFromLines`). Nobody hands them over meanwhile, and no job is kept waiting for them.
 */

/** Lines are looked at every second by every worker; this is for when none has looked for very long. */
export const lineFallbackMs = 10 * 60_000
/**
 * When the relay looks at work that was taken from a line: whoever took it must have died, for by then the call is over,
 * or its lease runs and says how long to wait.
 */
const takenRescueMs = 30_000
/** Looked at in one go. */
export const linesMax = 1_000

/** The first so many of each line, for one process: their work is to be done now. In order. */
export async function takeFromLines(
  database: Database,
  wants: readonly { line: string; count: number }[],
): Promise<(DueWork & { line: string })[]> {
  const rows = await database.$queryRaw<{ line: string; id: bigint; job_name: string; object_id: string }[]>`
    WITH taken AS (
      SELECT input.line, first.id, first.created_at, first.job_name, first.object_id
        FROM ${batchInput(wants, {
          line: text((want) => want.line),
          count: int((want) => want.count),
        })}
       CROSS JOIN LATERAL (
         SELECT id, created_at, job_name, object_id FROM outbox
          WHERE outbox.line = input.line ORDER BY outbox.created_at, outbox.id LIMIT input.count FOR UPDATE SKIP LOCKED
       ) AS first
    ),
    moved AS (
      UPDATE outbox SET line = NULL, snoozed_until = NULL, created_at = least(created_at, now()),
                        due_at = now() + ${takenRescueMs}::float8 * interval '1 millisecond'
       WHERE id = ANY(ARRAY(SELECT id FROM taken))
    )
    SELECT line, id, job_name, object_id FROM taken ORDER BY created_at, id`
  return rows.flatMap(({ line, id, job_name: jobName, object_id: objectId }) =>
    isJobName(jobName) ? [{ line, jobName, outboxId: String(id), objectId }] : [],
  )
}

/** Gives back what was taken and not begun: the relay hands it over next. */
export async function giveBackTaken(database: Database, works: readonly DueWork[]): Promise<void> {
  await database.$executeRaw`
    UPDATE outbox SET due_at = now() WHERE id = ANY(${bigintArray(works.map((work) => work.outboxId))})`
}

/** The next lines in which anything stands, by name; the index is asked once for each, however long it is. */
export async function findLines(database: Database, after = ''): Promise<string[]> {
  const rows = await database.$queryRaw<{ line: string }[]>`
    WITH RECURSIVE found AS (
      (SELECT line FROM outbox WHERE line > ${after}::text ORDER BY line LIMIT 1)
       UNION ALL
      SELECT (SELECT outbox.line FROM outbox WHERE outbox.line > found.line ORDER BY outbox.line LIMIT 1)
        FROM found WHERE found.line IS NOT NULL
    )
    SELECT line FROM found WHERE line IS NOT NULL LIMIT ${linesMax}::int`
  return rows.map(({ line }) => line)
}
