import type pg from 'pg'
import type { Operation } from './operations.ts'
import type { QueueDepth } from './queue-depth.ts'

/** The requests that were acknowledged to the clients, over all runs against one database. */
export interface Acknowledged {
  count: number
  /** The highest number of requests that were in progress when a run ended: perhaps carried out, but not answered. */
  underWayMax: number
}

/**
 * Compares the acknowledged requests with the records, after all work is done. Returns a sentence for each problem: a
 * lost or doubled row, job, credit or event.
 */
export async function findMismatches(
  operation: Operation,
  database: pg.Client,
  queueDepth: QueueDepth,
  acknowledged: Acknowledged,
): Promise<string[]> {
  const mismatches: string[] = []
  await database.query('ANALYZE') // the tables were empty when their statistics were taken
  const { rows: found } = await database.query<{ id: string }>(
    `SELECT id FROM ${operation.table} WHERE casino_id = 'bench'`,
  )
  const ids = new Set(found.map((row) => row.id))
  const surplus = ids.size - acknowledged.count
  if (surplus < 0) mismatches.push(`${-surplus} acknowledged requests have no row in ${operation.table}`)
  if (surplus > acknowledged.underWayMax) {
    mismatches.push(
      `${surplus} rows in ${operation.table} were never acknowledged; at most ${acknowledged.underWayMax} could be`,
    )
  }
  for (const check of operation.checks) {
    const { rows } = await database.query<{ count: string }>(check.sql)
    const count = Number(rows[0]?.count)
    const expected = ids.size * check.perRow
    if (count !== expected) mismatches.push(`${check.what}: ${count} instead of ${expected}`)
  }
  return operation.jobName === undefined
    ? mismatches
    : [...mismatches, ...(await compareJobs(ids, queueDepth))]
}

async function compareJobs(rowIds: ReadonlySet<string>, queueDepth: QueueDepth): Promise<string[]> {
  const mismatches: string[] = []
  const { failedJobs } = await queueDepth.read()
  const jobs = (await queueDepth.readFinishedWorks()).map((job) => job.rowId)
  const finished = new Set(jobs)
  if (failedJobs > 0) mismatches.push(`${failedJobs} jobs failed`)
  if (jobs.length !== finished.size) {
    mismatches.push(`${jobs.length - finished.size} rows were in more than one finished job`)
  }
  const without = [...rowIds].filter((id) => !finished.has(id)).length
  if (without > 0) mismatches.push(`${without} rows have no finished job`)
  const strangers = [...finished].filter((id) => !rowIds.has(id)).length
  if (strangers > 0) mismatches.push(`${strangers} finished jobs are about no row`)
  return mismatches
}
