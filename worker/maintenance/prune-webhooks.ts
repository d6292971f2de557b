import { pruneWebhooks } from '../../core/webhook/prune.ts'
import type { WorkerDeps } from '../deps.ts'

/** Removes old deliveries of webhooks, a batch at a time. Returns how many. */
export function pruneWebhooksOnce({
  database,
  clock,
}: Pick<WorkerDeps, 'database' | 'clock'>): Promise<number> {
  return pruneWebhooks(database, clock.now())
}
