import { pruneAnswers } from '../../core/idempotency/prune.ts'
import type { WorkerDeps } from '../deps.ts'

/** Removes answers that were kept under their Idempotency-Key for long enough, a batch at a time. Returns how many. */
export function pruneIdempotencyOnce(
  deps: Pick<WorkerDeps, 'database' | 'clock' | 'log' | 'config'>,
): Promise<number> {
  return pruneAnswers(deps, deps.config.keepIdempotencyMs)
}
