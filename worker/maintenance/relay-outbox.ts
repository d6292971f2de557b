import type { Database } from '../../core/platform/database.ts'
import { bigintArray, textArray } from '../../core/platform/sql.ts'
import type { DueWork } from '../../core/queue/jobs.ts'
import { isJobName, jobNames } from '../../core/queue/jobs.ts'
import type { WorkerDeps } from '../deps.ts'

/** One claim; the loop goes on at once while claims are full. */
const claimSizeMax = 500
/** The longest pause between two looks at the same work, however often it has come back. */
const rescuePauseMaxMs = 10 * 60_000
/** Work that is older when it is first relayed was not simply caused a moment ago. */
const newForMs = 10_000
/** How soon to look again when the queues could not be reached. */
const retryAfterMs = 1_000

interface Row {
  id: bigint
  job_name: string
  object_id: string
  /** Relayed before, or so old that it may have a job all the same: of before a backup was restored, say. */
  may_have_job: boolean
}

/**
 * Puts work that is due into its queue: what its writer could not hand over (it died, or Redis was away), and what was
 * handed over long ago and is still not finished (Redis lost the job, or the job failed for good). Any number of workers
 * may do this at once. Returns how many rows it claimed.
 */
export async function relayOutbox({
  database,
  queues,
  metrics,
  config,
}: Pick<WorkerDeps, 'database' | 'queues' | 'metrics' | 'config'>): Promise<number> {
  const rows = await claimDue(database, config.rescueAfterMs)
  const works = rows.map(toDueWork)
  if (works.length === 0) return 0
  try {
    // A first relay nearly always finds no job. A later one may find a failed one, which must be started again.
    await queues.add(works.filter((_, index) => rows[index]?.may_have_job === false))
    await queues.addAgain(works.filter((_, index) => rows[index]?.may_have_job !== false))
  } catch (error) {
    await releaseClaim(database, rows)
    throw error
  }
  metrics.observeRelayed(works.length)
  return works.length
}

/**
 * Claiming sets the time of the next look: soon at first, then more and more seldom. Work that only a newer version of
 * this worker knows is left to it.
 */
async function claimDue(database: Database, rescueAfterMs: number): Promise<Row[]> {
  return database.$queryRaw<Row[]>`
    WITH due AS (
      SELECT id FROM outbox WHERE due_at <= now() AND job_name = ANY(${textArray([...jobNames])})
       ORDER BY due_at LIMIT ${claimSizeMax}::int FOR UPDATE SKIP LOCKED
    )
    UPDATE outbox
       SET relayed = relayed + 1,
           snoozed_until = NULL,
           line = NULL,
           due_at = now() + least(${rescueAfterMs}::float8 * power(2, least(relayed, 20)), ${rescuePauseMaxMs}::float8)
                          * interval '1 millisecond'
     WHERE id = ANY(ARRAY(SELECT id FROM due))
    RETURNING id, job_name, object_id,
              relayed > 1 OR created_at < now() - ${newForMs}::float8 * interval '1 millisecond' AS may_have_job`
}

async function releaseClaim(database: Database, rows: readonly Row[]): Promise<void> {
  await database.$executeRaw`
    UPDATE outbox SET relayed = relayed - 1, due_at = now() + ${retryAfterMs}::float8 * interval '1 millisecond'
     WHERE id = ANY(ARRAY(
       SELECT id FROM outbox WHERE id = ANY(${bigintArray(rows.map((row) => String(row.id)))})
        ORDER BY id FOR UPDATE SKIP LOCKED
     ))`
}

function toDueWork(row: Row): DueWork {
  if (!isJobName(row.job_name)) throw new Error(`the outbox asks for an unknown job ${row.job_name}`)
  return { jobName: row.job_name, outboxId: String(row.id), objectId: row.object_id }
}
