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
    SELECT table_name::text AS name FROM information_schema.tables
     WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' AND left(table_name, 1) <> '_'
     ORDER BY 1`
  if (tables.length <= 12) throw new Error(`only ${tables.length} tables`)
  const dump = new Map<string, string[]>()
  for (const { name } of tables) {
    if (except.includes(name)) continue
    const rows = await database.$queryRaw<{ row: string }[]>`
      SELECT (to_jsonb(t) - 'last_used_at' - 'due_at')::text AS row FROM ${Prisma.raw(`"${name}"`)} AS t ORDER BY 1`
    dump.set(
      name,
      rows.map(({ row }) => row),
    )
  }
  return dump
}

/** The same once nothing changes any more: what was asked for before may still be on its way to the queues. */
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
