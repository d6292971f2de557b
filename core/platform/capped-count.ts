import type { Prisma } from './database.ts'
import { sql } from './sql.ts'

/** Beyond this the exact number makes no difference to operators, and counting all rows takes too long. */
export const countedMax = 10_000

/** SQL: the number of rows of a query, up to `countedMax`. The query needs an index. */
export function cappedCount(query: Prisma.Sql): Prisma.Sql {
  return sql`(SELECT count(*)::int FROM (${query} LIMIT ${countedMax}::int) AS counted)`
}
