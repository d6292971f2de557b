import type { Database } from '../platform/database.ts'
import { singleRow } from '../platform/single-row.ts'

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
