import type { Database } from '../platform/database.ts'

/** One statement for so many, in a few dozen milliseconds. */
const batchSizeMax = 1_000

/**
 * Removes the oldest answers that have been kept for `keepMs`, by the clock that they were stored by: the database's.
 * Returns how many, and is to be called again while there are more. Any number of workers may do this at once: each skips
 * what another one is removing. Nobody else changes a row so old, so it stays where it was found.
 */
export function pruneAnswers(database: Database, keepMs: number): Promise<number> {
  return database.$executeRaw`
    DELETE FROM idempotency_record WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM idempotency_record
       WHERE created_at < now() - ${keepMs}::float8 * interval '1 millisecond'
       ORDER BY created_at
       LIMIT ${batchSizeMax}::int
         FOR UPDATE SKIP LOCKED
    ))`
}
