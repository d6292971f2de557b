import type { Database } from '../../core/platform/database.ts'
import { eventually } from './eventually.ts'

/**
 * Resolves when every transaction of the server that has begun by now is over. Feeds of events and of audit entries end
 * before the oldest one that is still running, and for a moment that may be one of another test's database: new rows
 * are in the feed for certain only afterwards. Not for tests that hold a transaction open.
 */
export async function untilTransactionsEnd(database: Database): Promise<void> {
  const [now] = await database.$queryRaw<{ next: string }[]>`
    SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS next`
  if (now === undefined) throw new Error('the database has no snapshot')
  await eventually('the transactions before are over', async () => {
    const [{ isOver } = { isOver: false }] = await database.$queryRaw<{ isOver: boolean }[]>`
      SELECT pg_snapshot_xmin(pg_current_snapshot()) >= ${now.next}::text::xid8 AS "isOver"`
    return isOver
  })
}
