import type { JobPayload, WorkResult } from '../../core/queue/jobs.ts'
import type { WorkerDeps } from '../deps.ts'

/** Credits a requested cashback to the player's wallet. */
export function createCreditCashback({
  creditCashback,
}: Pick<WorkerDeps, 'creditCashback'>): (job: JobPayload) => Promise<WorkResult> {
  return (job) => creditCashback.run(job)
}
