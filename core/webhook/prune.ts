import type { Database } from '../platform/database.ts'
import { instant } from '../platform/sql.ts'

const day = 86_400_000
/** Long enough to look into what happened last month. */
const keepDeliveredMs = 30 * day
/** What has failed for good can be replayed; after that long nobody will. */
const keepFailedMs = 90 * day
/** One statement for so many, in well under a second. */
const batchSizeMax = 1_000

/**
 * Removes deliveries that are over and old, and secrets that sign no more; never events. Bounded: returns how much it
 * removed, and is to be called again while there is more.
 */
export async function pruneWebhooks(database: Database, now: Date): Promise<number> {
  const before = (ms: number) => new Date(now.getTime() - ms)
  const removed = await database.$executeRaw`
    DELETE FROM webhook_delivery WHERE id = ANY(ARRAY(
      (SELECT id FROM webhook_delivery
        WHERE state = 'delivered' AND updated_at < ${instant(before(keepDeliveredMs))}
        ORDER BY updated_at LIMIT ${batchSizeMax}::int FOR UPDATE SKIP LOCKED)))`
  const removedFailed = await database.$executeRaw`
    DELETE FROM webhook_delivery WHERE id = ANY(ARRAY(
      (SELECT id FROM webhook_delivery
        WHERE state = 'failed' AND updated_at < ${instant(before(keepFailedMs))}
        ORDER BY updated_at LIMIT ${batchSizeMax}::int FOR UPDATE SKIP LOCKED)))`
  const removedSecrets = await database.$executeRaw`
    DELETE FROM webhook_secret WHERE id = ANY(ARRAY(
      SELECT id FROM webhook_secret WHERE expires_at < ${instant(now)} LIMIT ${batchSizeMax}::int))`
  return removed + removedFailed + removedSecrets
}
