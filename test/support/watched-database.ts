import type { Database, Prisma } from '../../core/platform/database.ts'
import { sql } from '../../core/platform/sql.ts'
import type { SqlValue } from '../../core/platform/sql.ts'

/** Told of each statement that reads, or writes and returns: before it is sent, and with its result. */
export interface Watch {
  before?: (statement: string, query: Prisma.Sql) => unknown
  after?: (statement: string, rows: readonly unknown[]) => unknown
}

/** The same database, watched. */
export function watchDatabase(database: Database, { before, after }: Watch): Database {
  const queryRaw = async (query: TemplateStringsArray | Prisma.Sql, ...values: readonly SqlValue[]) => {
    const statement = 'sql' in query ? query : sql(query, ...values)
    await before?.(statement.sql, statement)
    const rows = await database.$queryRaw<unknown[]>(statement)
    await after?.(statement.sql, rows)
    return rows
  }
  return new Proxy(database, {
    get: (target, name) => (name === '$queryRaw' ? queryRaw : (Reflect.get(target, name) as unknown)),
  })
}

/** How much the rows are as JSON. */
export function bytesOf(rows: unknown): number {
  return JSON.stringify(rows, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
    .length
}
