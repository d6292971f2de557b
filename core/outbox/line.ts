import type { Database, Prisma } from '../platform/database.ts'
import { batchInput, bigintArray, int, sql, text } from '../platform/sql.ts'
import { isJobName } from '../queue/jobs.ts'
import type { DueWork } from '../queue/jobs.ts'
import { isNotSetAside, workAroundDamage } from '../set-aside/set-aside.ts'
import type { SetAsideDeps } from '../set-aside/set-aside.ts'
import { toDueWork } from './due-row.ts'
import type { DueRow } from './due-row.ts'

/**
 * Work without a slot for its call waits in a line: rows of the outbox with the line's name, ordered by the start of
 * their wait (`created_at`), then by id. For new work this is the order in which it was caused; repeated work, a poll
 * or a retry, waits since it was due again. A process with a free slot takes the first of them (`takeFromLines`).
 * Meanwhile the work is not handed over, and no job is kept waiting for it.
 */

/**
 * Every worker checks the lines every second, or twice as often while it rests; this is for when no worker has done so
 * for very long.
 */
export const lineFallbackMs = 10 * 60_000
/** The same for work that begins in a line. */
export const dueInLine = sql`now() + ${lineFallbackMs}::float8 * interval '1 millisecond'`
/**
 * When the relay checks work that was taken from a line. By then either the call is over, so its worker must have died,
 * or its lease is still running and determines the wait.
 */
const takenRescueMs = 30_000
/** The number of lines examined per run. */
export const linesMax = 1_000

/** SQL: the name of the line, `line`, if it is not empty; uses the index with this order. */
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
 * Takes the first rows of each line, up to a limit, for one process: their work starts now. In order. A line with a
 * damaged row is set aside; its work goes through the queues once the relay finds it.
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

interface TakenRow extends DueRow {
  line: string
  outbox_id: bigint
  job_name: string
  object_id: string
}

async function take({ database, clock }: SetAsideDeps, wants: readonly LineWant[]): Promise<TakenWork[]> {
  const isWanted = isNotSetAside('serve-lines', clock.now(), { casinoId: sql`''`, id: sql`input.line` })
  const rows = await database.$queryRaw<TakenRow[]>`
    WITH taken AS (
      SELECT input.line, first.id, first.created_at, first.job_name, first.object_id,
             first.casino_id, first.traceparent
        FROM ${batchInput(wants, {
          line: text((want) => want.line),
          count: int((want) => want.count),
        })}
       CROSS JOIN LATERAL (
         SELECT id, created_at, job_name, object_id, casino_id, traceparent FROM outbox
          WHERE outbox.line = input.line ORDER BY outbox.created_at, outbox.id LIMIT input.count FOR UPDATE SKIP LOCKED
       ) AS first
       WHERE ${isWanted}
    ),
    moved AS (
      UPDATE outbox SET line = NULL, snoozed_until = NULL, created_at = least(created_at, now()),
                        due_at = now() + ${takenRescueMs}::float8 * interval '1 millisecond'
       WHERE id = ANY(ARRAY(SELECT id FROM taken))
    )
    SELECT line, id AS outbox_id, job_name, object_id, casino_id, traceparent FROM taken ORDER BY created_at, id`
  return rows.flatMap(({ line, job_name: jobName, ...row }) =>
    isJobName(jobName) ? toDueWork(jobName, row.object_id, row).map((work) => ({ line, ...work })) : [],
  )
}

/** Gives back work that was taken and not started: the relay hands it over next. */
export async function giveBackTaken(database: Database, works: readonly DueWork[]): Promise<void> {
  await database.$executeRaw`
    UPDATE outbox SET due_at = now() WHERE id = ANY(${bigintArray(works.map((work) => work.outboxId))})`
}

/** The next non-empty lines, by name; one index look-up each, however long they are. */
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
