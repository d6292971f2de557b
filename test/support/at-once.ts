import type { Database, Prisma } from '../../core/platform/database.ts'
import { eventually } from './eventually.ts'

/**
 * The answers of requests that are all under way before any of them can take effect, since the rows that `lock` locks are
 * held until each waits for them, or has ended without.
 */
export async function atOnce<Reply>(
  database: Database,
  lock: Prisma.Sql,
  ask: readonly (() => Promise<Reply>)[],
): Promise<Reply[]> {
  let ended = 0
  const { asked } = await database.$transaction(async (holder) => {
    await holder.$queryRaw(lock)
    const asked = Promise.all(ask.map((one) => one().finally(() => (ended += 1))))
    await eventually('all wait', async () => {
      const [row] = await database.$queryRaw<{ count: number }[]>`
        SELECT count(*)::int AS count FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock'`
      return ended + (row?.count ?? 0) === ask.length
    })
    return { asked }
  })
  return asked
}
