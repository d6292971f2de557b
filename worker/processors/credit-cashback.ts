import type { ProcessJob, WorkerDeps } from '../deps.ts'

/** Credits a requested cashback to the player's wallet. */
export function createCreditCashback({ creditCashback }: Pick<WorkerDeps, 'creditCashback'>): ProcessJob {
  return (job, holder) => creditCashback.run(job, holder)
}
