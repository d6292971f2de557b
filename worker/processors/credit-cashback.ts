import type { JobPayload, JobReport } from '../../core/queue/jobs.ts'
import type { WorkerDeps } from '../deps.ts'

/** Credits a requested cashback to the player's wallet. */
export function createCreditCashback({
  creditCashback,
}: Pick<WorkerDeps, 'creditCashback'>): (job: JobPayload) => Promise<JobReport> {
  return (job) => creditCashback.run(job)
}
