import type { JobPayload, JobReport } from '../../core/queue/jobs.ts'
import type { WorkerDeps } from '../deps.ts'

/** Applies what a fulfilment provider has told to the order that it is about. */
export function createApplyShipmentNews({
  applyNews,
}: Pick<WorkerDeps, 'applyNews'>): (job: JobPayload) => Promise<JobReport> {
  return (job) => applyNews.run(job)
}
