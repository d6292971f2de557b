import type { Database, Prisma } from '../../core/platform/database.ts'
import { toDueWork } from '../../core/outbox/due-row.ts'
import type { DueRow } from '../../core/outbox/due-row.ts'
import { bigintArray, sql, textArray } from '../../core/platform/sql.ts'
import type { DueWork } from '../../core/queue/jobs.ts'
import { isJobName, jobNames } from '../../core/queue/jobs.ts'
import { isDamage, isNotSetAside, workAroundDamage } from '../../core/set-aside/set-aside.ts'
import type { Found } from '../../core/set-aside/set-aside.ts'
import type { WorkerDeps } from '../deps.ts'

/** One claim; the loop continues immediately while claims are full. */
const claimSizeMax = 500
/** The longest pause between two looks at the same work, however often it has come back. */
const rescuePauseMaxMs = 10 * 60_000
/** Work that is older when it is first relayed was not simply caused a moment ago. */
const newForMs = 10_000
/** How soon to look again when the queues could not be reached. */
const retryAfterMs = 1_000

interface Row extends DueRow {
  outbox_id: bigint
  job_name: string
  object_id: string
  /** Relayed before, or so old that it may have a job all the same: for example from before a backup was restored. */
  may_have_job: boolean
  /** How long the first work of the claim had been due. */
  lag_seconds: number
}

type Deps = Pick<WorkerDeps, 'database' | 'queues' | 'metrics' | 'config' | 'clock' | 'log'>

/**
 * Puts due work into its queue: work that its writer could not hand over (it died, or Redis was away), and work that
 * was handed over long ago and is still not finished (Redis lost the job, or the job failed permanently). Any number of
 * workers may do this at the same time. Returns how many rows it claimed.
 */
export async function relayOutbox(deps: Deps): Promise<number> {
  const { database, queues, metrics } = deps
  const rows = await claimDue(deps)
  const works = rows.flatMap(toWork)
  if (works.length === 0) return 0
  try {
    // A first relay nearly always finds no job. A later one may find a failed one, which must be started again.
    await queues.add(works.filter((_, index) => rows[index]?.may_have_job === false))
    await queues.addAgain(works.filter((_, index) => rows[index]?.may_have_job !== false))
  } catch (error) {
    await releaseClaim(database, rows)
    throw error
  }
  metrics.observeRelayed(works.length, Math.max(0, ...rows.map((row) => row.lag_seconds)))
  return works.length
}

/** In one statement, which any number may do at the same time; row by row only where the database refuses one. */
async function claimDue(deps: Deps): Promise<Row[]> {
  try {
    return await claim(deps, dueWork(deps))
  } catch (error) {
    if (!isDamage(error)) throw error
  }
  const found = await deps.database.$queryRaw<Found[]>`
    SELECT '' AS "casinoId", id::text FROM outbox WHERE ${dueWork(deps)} ORDER BY due_at LIMIT ${claimSizeMax}::int`
  const rows: Row[] = []
  await workAroundDamage(deps, 'relay-outbox', found, async (some) => {
    const ids = bigintArray(some.map(({ id }) => id))
    const claimed = await claim(deps, sql`id = ANY(${ids}) AND due_at <= now()`)
    rows.push(...claimed)
    return claimed.length
  })
  return rows
}

/** The condition for rows to claim. Work that only a newer version of this worker knows is left to it. */
function dueWork({ clock }: Deps): Prisma.Sql {
  const names = textArray([...jobNames])
  const isWanted = isNotSetAside('relay-outbox', clock.now(), { casinoId: sql`''`, id: sql`outbox.id::text` })
  return sql`due_at <= now() AND job_name = ANY(${names}) AND ${isWanted}`
}

/** Claiming sets the time of the next look: soon at first, then at growing intervals. */
function claim({ database, config }: Deps, where: Prisma.Sql): Promise<Row[]> {
  return database.$queryRaw<Row[]>`
    WITH due AS (
      SELECT id, due_at FROM outbox WHERE ${where}
       ORDER BY due_at LIMIT ${claimSizeMax}::int FOR UPDATE SKIP LOCKED
    )
    UPDATE outbox
       SET relayed = relayed + 1,
           snoozed_until = NULL,
           line = NULL,
           due_at = now() + least(${config.rescueAfterMs}::float8 * power(2, least(relayed, 20)), ${rescuePauseMaxMs}::float8)
                          * interval '1 millisecond'
     WHERE id = ANY(ARRAY(SELECT id FROM due))
    RETURNING id AS outbox_id, job_name, object_id, casino_id, traceparent,
              relayed > 1 OR created_at < now() - ${newForMs}::float8 * interval '1 millisecond' AS may_have_job,
              (SELECT extract(epoch FROM now() - min(due_at))::float8 FROM due) AS lag_seconds`
}

async function releaseClaim(database: Database, rows: readonly Row[]): Promise<void> {
  await database.$executeRaw`
    UPDATE outbox SET relayed = relayed - 1, due_at = now() + ${retryAfterMs}::float8 * interval '1 millisecond'
     WHERE id = ANY(ARRAY(
       SELECT id FROM outbox WHERE id = ANY(${bigintArray(rows.map((row) => String(row.outbox_id)))})
        ORDER BY id FOR UPDATE SKIP LOCKED
     ))`
}

function toWork(row: Row): DueWork[] {
  const { job_name: jobName } = row
  if (!isJobName(jobName)) throw new Error(`the outbox asks for an unknown job ${jobName}`)
  return toDueWork(jobName, row.object_id, row)
}
