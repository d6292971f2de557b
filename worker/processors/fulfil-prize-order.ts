import type { JobPayload, JobReport } from '../../core/queue/jobs.ts'
import type { WorkerDeps } from '../deps.ts'

/** Announces a new order to the casino, or submits a confirmed one to the fulfilment provider. */
export function createFulfilPrizeOrder({
  fulfilOrder,
}: Pick<WorkerDeps, 'fulfilOrder'>): (job: JobPayload) => Promise<JobReport> {
  return (job) => fulfilOrder.run(job)
}
