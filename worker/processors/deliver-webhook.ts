import type { ProcessJob, WorkerDeps } from '../deps.ts'

/** Delivers an event to a webhook endpoint. */
export function createDeliverWebhook({ deliverWebhook }: Pick<WorkerDeps, 'deliverWebhook'>): ProcessJob {
  return (job, holder) => deliverWebhook(job, holder)
}
