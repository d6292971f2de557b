import { cappedCount } from '../platform/capped-count.ts'
import type { Database } from '../platform/database.ts'
import { singleRow } from '../platform/single-row.ts'
import { sql } from '../platform/sql.ts'

export interface OutboxState {
  depth: number
  ageSeconds: number
}

/** The rows due soonest are enough; the rest may be any number of snoozed rows. */
const lookedAtMax = 100_000

/** The number of unfinished due rows, and the age of the oldest. */
export async function readOutboxState(database: Database): Promise<OutboxState> {
  const rows = await database.$queryRaw<OutboxState[]>`
    SELECT count(*)::int AS depth,
           coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 AS "ageSeconds"
      FROM (SELECT created_at, snoozed_until FROM outbox ORDER BY due_at LIMIT ${lookedAtMax}::int) AS looked_at
     WHERE snoozed_until IS NULL OR snoozed_until <= now()`
  return singleRow(rows)
}

/** The number of rows that are snoozed until a later time, up to `countedMax`. */
export async function countRestingWork(database: Database): Promise<number> {
  const rows = await database.$queryRaw<{ snoozed: number }[]>`
    SELECT ${cappedCount(sql`SELECT FROM outbox WHERE snoozed_until > now()`)} AS snoozed`
  return singleRow(rows).snoozed
}
