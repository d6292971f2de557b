import { countedMax } from '../platform/capped-count.ts'
import type { Clock } from '../platform/clock.ts'
import { findDatabaseProblem, findSqlState } from '../platform/database-error.ts'
import { classifyFailure } from '../platform/database.ts'
import type { Database, Prisma } from '../platform/database.ts'
import type { Logger } from '../platform/logger.ts'
import { instant, sql } from '../platform/sql.ts'
import { insertInto } from '../platform/sql-insert.ts'

/** The loops that set objects aside. */
const setAsideLoops = [
  'relay-outbox',
  'serve-lines',
  'expire-acts',
  'expire-prizes',
  'warn-expiring',
  'erase-deliveries',
  'erase-players',
  'fan-out-events',
  'wake-deliveries',
  'prune-webhooks',
  'prune-idempotency',
  'rotate-seeds',
  'reveal-seeds',
  'drop-secrets',
  'archive-events',
  'archive-prizes',
] as const
export type SetAsideLoop = (typeof setAsideLoops)[number]

export interface SetAsideDeps {
  database: Database
  clock: Clock
  log: Logger
}

/** An object that a loop has found; `id` is unique within its casino. The outbox has no casinos: there it is ''. */
export interface Found {
  casinoId: string
  id: string
}

/** Callers choose their objects' ids, which may be personal: they are in the table, but not in the log. */
const namedByCallers: readonly SetAsideLoop[] = ['prune-idempotency', 'erase-players']

const retryAfterMs = 3_600_000
/** Repaired objects stay listed for this long. */
const keptForMs = 30 * 24 * 3_600_000

/** The condition that an object is not set aside, or is due for a retry. */
export function isNotSetAside(
  loop: SetAsideLoop,
  now: Date,
  columns: { casinoId: Prisma.Sql; id: Prisma.Sql },
): Prisma.Sql {
  return sql`NOT EXISTS (
    SELECT FROM set_aside
     WHERE set_aside.loop = ${loop}::text AND set_aside.casino_id = ${columns.casinoId}
       AND set_aside.object_id = ${columns.id} AND set_aside.retry_at > ${instant(now)})`
}

/**
 * Does `work` for everything that was found. If the database refuses it because of a row's contents, a binary search
 * isolates the damaged rows. They are set aside for an hour and logged, so that one damaged row does not block the
 * others. Returns the number that `work` has handled, plus those set aside. Work for many skips locked rows; if work
 * for one cannot, it is left for the next run. Other errors (the database is away or older than this release, a bug)
 * are thrown: they are not the fault of a row.
 */
export async function workAroundDamage<Object extends Found>(
  deps: SetAsideDeps,
  loop: SetAsideLoop,
  found: readonly Object[],
  work: (found: readonly Object[]) => Promise<number>,
): Promise<number> {
  if (found.length === 0) return 0
  try {
    return await work(found)
  } catch (error) {
    const [first, ...others] = found
    const isAlone = first !== undefined && others.length === 0
    if (isAlone && classifyFailure(error) === 'locked') return 0
    if (!isDamage(error)) throw error
    if (isAlone) return setAside(deps, loop, first, error)
  }
  const middle = Math.ceil(found.length / 2)
  return (
    (await workAroundDamage(deps, loop, found.slice(0, middle), work)) +
    (await workAroundDamage(deps, loop, found.slice(middle), work))
  )
}

/** The number of objects that are set aside now, by loop; together up to `countedMax`. */
export async function countSetAside(database: Database): Promise<ReadonlyMap<SetAsideLoop, number>> {
  const rows = await database.$queryRaw<{ loop: SetAsideLoop; count: number }[]>`
    SELECT loop, count(*)::int AS count
      FROM (SELECT loop FROM set_aside WHERE retry_at > now() LIMIT ${countedMax}::int) AS counted GROUP BY loop`
  const counts = new Map<SetAsideLoop, number>(setAsideLoops.map((loop) => [loop, 0]))
  for (const { loop, count } of rows) counts.set(loop, count)
  return counts
}

/** PostgreSQL's error classes for a refused value, constraint or trigger, and for a damaged page. */
const damageStates = /^(21|22|23|38|39|54|P0|XX)/

/** Whether the database refuses a statement because of a row's contents. */
export function isDamage(error: unknown): boolean {
  return damageStates.test(findSqlState(error) ?? '')
}

async function setAside(
  { database, clock, log }: SetAsideDeps,
  loop: SetAsideLoop,
  { casinoId, id }: Found,
  error: unknown,
): Promise<number> {
  const now = clock.now()
  const problem = findDatabaseProblem(error)?.message ?? 'database error'
  const named = namedByCallers.includes(loop) ? {} : { objectId: id }
  log.error({ err: error, loop, casinoId, ...named }, 'object set aside')
  await database.$executeRaw`
    WITH mended AS (
      DELETE FROM set_aside WHERE retry_at < ${instant(new Date(now.getTime() - keptForMs))}
    )
    ${insertInto('set_aside', {
      columns: {
        loop: sql`${loop}::text`,
        casino_id: sql`${casinoId}::text`,
        object_id: sql`${id}::text`,
        problem: sql`${problem}::text`,
        set_aside_at: instant(now),
        retry_at: instant(new Date(now.getTime() + retryAfterMs)),
      },
    })}
        ON CONFLICT (loop, casino_id, object_id) DO UPDATE
       SET problem = excluded.problem, retry_at = excluded.retry_at`
  return 1
}
