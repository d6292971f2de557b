import { pruneWebhooks } from '../../core/webhook/prune.ts'
import type { WorkerDeps } from '../deps.ts'

/** Removes old deliveries of webhooks, a batch at a time. Returns how many. */
export function pruneWebhooksOnce(deps: Pick<WorkerDeps, 'database' | 'clock' | 'log'>): Promise<number> {
  return pruneWebhooks(deps)
}
