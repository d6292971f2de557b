import type { Database, Prisma } from '../../core/platform/database.ts'
import { eventually } from './eventually.ts'
import { countLockWaits } from './lock-waits.ts'

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
    await eventually('all wait', async () => ended + (await countLockWaits(database)) === ask.length)
    return { asked }
  })
  return asked
}
