import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'

/** Long enough to investigate last quarter's actions; the audit trail stays. */
const keepMs = 90 * 86_400_000
const batchSizeMax = 1_000

/** Removes sessions that expired long ago. Returns the number; if the batch is full, there may be more. */
export async function pruneSessions({
  database,
  clock,
}: {
  database: Database
  clock: Clock
}): Promise<number> {
  const old = { expiresAt: { lt: new Date(clock.now().getTime() - keepMs) } }
  const found = await database.operatorSession.findMany({
    where: old,
    select: { id: true },
    orderBy: { expiresAt: 'asc' },
    take: batchSizeMax,
  })
  if (found.length === 0) return 0
  const { count } = await database.operatorSession.deleteMany({
    where: { id: { in: found.map(({ id }) => id) }, ...old },
  })
  return count
}
