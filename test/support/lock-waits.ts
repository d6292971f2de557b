import type { Database } from '../../core/platform/database.ts'

/**
 * The number of statements that wait for a lock, of those whose text has `part` in it (PostgreSQL shows the first
 * kilobyte). `database` must not be within a transaction: PostgreSQL repeats its first answer until that ends.
 */
export async function countLockWaits(database: Database, part = ''): Promise<number> {
  const [row] = await database.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE ${`%${part}%`}`
  return row?.count ?? 0
}
