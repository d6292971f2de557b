import type { JobPayload, JobReport } from '../../core/queue/jobs.ts'
import type { WorkerDeps } from '../deps.ts'

/** Has a wallet take a credit back, through the same batches, slots and leases as `credit-cashback`. */
export function createDebitCashback({
  creditCashback,
}: Pick<WorkerDeps, 'creditCashback'>): (job: JobPayload) => Promise<JobReport> {
  return (job) => creditCashback.run(job)
}
