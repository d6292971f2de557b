import type { Prisma } from './database.ts'
import { sql } from './sql.ts'

/** Whether there are ten thousand or a million, people have the same to do; counting them all takes too long. */
export const countedMax = 10_000

/** How many rows a query has, up to `countedMax`, as an expression. An index has to lead to them. */
export function cappedCount(query: Prisma.Sql): Prisma.Sql {
  return sql`(SELECT count(*)::int FROM (${query} LIMIT ${countedMax}::int) AS counted)`
}
