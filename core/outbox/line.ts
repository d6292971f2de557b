import type { Database, Prisma } from '../platform/database.ts'
import { batchInput, bigintArray, int, sql, text } from '../platform/sql.ts'
import { isJobName } from '../queue/jobs.ts'
import type { DueWork } from '../queue/jobs.ts'
import { isNotSetAside, workAroundDamage } from '../set-aside/set-aside.ts'
import type { SetAsideDeps } from '../set-aside/set-aside.ts'

/**
 * Work that has found no slot for its call stands in a line: rows of the outbox with the line's name, in the order of since
 * when they wait (`created_at`), and of their ids where that is the same. For work that was caused once that is the order
 * in which it was caused; work that comes back, a poll or a retry, waits since it was due again. Who has a slot takes the
 * first of them (`takeFromLines`). Nobody hands them over meanwhile, and no job is kept waiting for them.
 */

/** Lines are looked at every second by every worker; this is for when none has looked for very long. */
export const lineFallbackMs = 10 * 60_000
/** The same for work that begins in a line. */
export const dueInLine = sql`now() + ${lineFallbackMs}::float8 * interval '1 millisecond'`
/**
 * When the relay looks at work that was taken from a line: its worker must have died, because by then the call is over,
 * or its lease runs and says how long to wait.
 */
const takenRescueMs = 30_000
/** Looked at in one go. */
export const linesMax = 1_000

/** SQL: the name of the line, `line`, if anything stands in it; by the index that has it in this order. */
export function lineIfAny(line: Prisma.Sql): Prisma.Sql {
  return sql`(
    SELECT outbox.line FROM outbox WHERE outbox.line = ${line} ORDER BY outbox.created_at, outbox.id LIMIT 1)`
}

interface LineWant {
  line: string
  count: number
}

type TakenWork = DueWork & { line: string }

/**
 * The first so many of each line, for one process: their work is to be done now. In order. A line with a damaged row is set
 * aside; what stands in it goes through the queues once the relay looks at it.
 */
export async function takeFromLines(deps: SetAsideDeps, wants: readonly LineWant[]): Promise<TakenWork[]> {
  const works: TakenWork[] = []
  const found = wants.map((want) => ({ ...want, casinoId: '', id: want.line }))
  await workAroundDamage(deps, 'serve-lines', found, async (some) => {
    const taken = await take(deps, some)
    works.push(...taken)
    return taken.length
  })
  return works
}

async function take({ database, clock }: SetAsideDeps, wants: readonly LineWant[]): Promise<TakenWork[]> {
  const isWanted = isNotSetAside('serve-lines', clock.now(), { casinoId: sql`''`, id: sql`input.line` })
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
       WHERE ${isWanted}
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
