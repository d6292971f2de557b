import type { Database } from './database.ts'
import { singleRow } from './single-row.ts'

/** PostgreSQL's estimates of a table's rows: they come from its statistics, without a look at the table. */
export interface TableRows {
  table: string
  live: number
  dead: number
}

/** More than the service has tables. */
const tablesMax = 100

/** The rows of each of the service's tables, those with the most dead rows first. */
export async function readTableRows(database: Database): Promise<TableRows[]> {
  return database.$queryRaw<TableRows[]>`
    SELECT relname::text AS table, n_live_tup::float8 AS live, n_dead_tup::float8 AS dead
      FROM pg_stat_user_tables WHERE schemaname = 'public'
     ORDER BY n_dead_tup DESC, relname LIMIT ${tablesMax}::int`
}

/**
 * How long the oldest transaction has been open that keeps dead rows from being removed, in seconds: one with a snapshot or
 * with writes, or a prepared one. Transactions of other roles show only to a role with `pg_read_all_stats`.
 */
export async function readOldestSnapshotSeconds(database: Database): Promise<number> {
  const rows = await database.$queryRaw<{ seconds: number }[]>`
    SELECT coalesce(extract(epoch FROM clock_timestamp() - min(began_at)), 0)::float8 AS seconds
      FROM (
        SELECT xact_start AS began_at FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid()
           AND (backend_xmin IS NOT NULL OR backend_xid IS NOT NULL)
           AND backend_type IS DISTINCT FROM 'autovacuum worker'
        UNION ALL
        SELECT prepared FROM pg_prepared_xacts WHERE database = current_database()
      ) AS open`
  return singleRow(rows).seconds
}
