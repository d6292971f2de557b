import { isDeepStrictEqual } from 'node:util'
import { Prisma } from '../../core/platform/database.ts'
import { eventually } from './eventually.ts'
import type { TestService } from './service.ts'

/**
 * All rows of all tables, as JSON, but for when keys were used last and when the relay looks at work again, which are
 * written behind the requests. Tables may be left out.
 */
export async function dumpDatabase(
  { database }: Pick<TestService, 'database'>,
  except: readonly string[] = [],
): Promise<Map<string, string[]>> {
  const tables = await database.$queryRaw<{ name: string }[]>`
    SELECT relname::text AS name FROM pg_class
     WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND left(relname, 1) <> '_'
     ORDER BY 1`
  if (tables.length <= 12) throw new Error(`only ${tables.length} tables`)
  const dump = new Map(tables.flatMap(({ name }) => (except.includes(name) ? [] : [[name, [] as string[]]])))
  const selects = [...dump.keys()].map(
    (name) =>
      `SELECT '${name}' AS name, (to_jsonb(t) - 'last_used_at' - 'due_at')::text AS row FROM "${name}" AS t`,
  )
  const rows = await database.$queryRaw<{ name: string; row: string }[]>`
    ${Prisma.raw(selects.join(' UNION ALL '))} ORDER BY 1, 2`
  for (const { name, row } of rows) dump.get(name)?.push(row)
  return dump
}

/** The same once nothing changes any more: earlier work may still be on its way to the queues. */
export async function dumpSettled(
  service: Pick<TestService, 'database'>,
  except: readonly string[] = [],
): Promise<Map<string, string[]>> {
  let last = await dumpDatabase(service, except)
  return eventually('the database comes to rest', async () => {
    const next = await dumpDatabase(service, except)
    const isSettled = isDeepStrictEqual(last, next)
    last = next
    return isSettled && next
  })
}

/** The rows that came and went between two dumps, in a form that a failing test can show. */
export function differences(
  before: ReadonlyMap<string, string[]>,
  after: ReadonlyMap<string, string[]>,
): string[] {
  const linesOf = (dump: ReadonlyMap<string, string[]>) =>
    new Set([...dump].flatMap(([table, rows]) => rows.map((row) => `${table} ${row}`)))
  const [old, now] = [linesOf(before), linesOf(after)]
  return [
    ...[...old].filter((line) => !now.has(line)).map((line) => `- ${line}`),
    ...[...now].filter((line) => !old.has(line)).map((line) => `+ ${line}`),
  ]
}
