import type { ProcessJob, WorkerDeps } from '../deps.ts'

/** Has a wallet take a credit back, through the same batches, slots and leases as `credit-cashback`. */
export function createDebitCashback({ creditCashback }: Pick<WorkerDeps, 'creditCashback'>): ProcessJob {
  return (job, holder) => creditCashback.run(job, holder)
}
