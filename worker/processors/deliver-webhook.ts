import type { JobPayload, JobReport } from '../../core/queue/jobs.ts'
import type { WorkerDeps } from '../deps.ts'

/** Delivers an event to a webhook endpoint. */
export function createDeliverWebhook({
  deliverWebhook,
}: Pick<WorkerDeps, 'deliverWebhook'>): (job: JobPayload) => Promise<JobReport> {
  return (job) => deliverWebhook(job)
}
