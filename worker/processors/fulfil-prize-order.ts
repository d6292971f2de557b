import type { ProcessJob, WorkerDeps } from '../deps.ts'

/** Announces a new order to the casino, or submits a confirmed one to the fulfilment provider. */
export function createFulfilPrizeOrder({ fulfilOrder }: Pick<WorkerDeps, 'fulfilOrder'>): ProcessJob {
  return (job, holder) => fulfilOrder.run(job, holder)
}
