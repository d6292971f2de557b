import type { Database, Prisma } from './database.ts'
import { singleRow } from './single-row.ts'
import { sql } from './sql.ts'

/**
 * Takes a lock that belongs to the connection and ends with it, so `database` must have a single one. Returns false if
 * another session holds it. The id is an arbitrary number that no other lock uses.
 */
export async function takeSessionLock(database: Database, id: number): Promise<boolean> {
  const rows = await database.$queryRaw<{ locked: boolean }[]>`
    SELECT pg_try_advisory_lock(${id}::bigint) AS locked`
  return singleRow(rows).locked
}

/**
 * Frees it, if the connection has it. A program that has ended may still have its lock for a moment, until the server has
 * noticed, and the next one would be refused.
 */
export async function freeSessionLock(database: Database, id: number): Promise<void> {
  await database.$executeRaw`SELECT pg_advisory_unlock(${id}::bigint)`
}

/** Whether the connection has it; false if the connection that took it was replaced. */
export async function hasSessionLock(database: Database, id: number): Promise<boolean> {
  const rows = await database.$queryRaw<{ locked: boolean }[]>`SELECT ${isLockedByUs(id)} AS locked`
  return singleRow(rows).locked
}

/** The same, as a condition of a statement. */
export function isLockedByUs(id: number): Prisma.Sql {
  return sql`EXISTS (
    SELECT FROM pg_locks
     WHERE locktype = 'advisory' AND pid = pg_backend_pid() AND granted
       AND (classid::bigint << 32) + objid::bigint = ${id}::bigint
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
  )`
}
