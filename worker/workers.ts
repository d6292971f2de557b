import type { JobName } from '../core/queue/jobs.ts'
import type { JobWorker } from '../core/queue/queue-backend.ts'
import type { WorkerDeps } from './deps.ts'
import { createCreditCashback } from './processors/credit-cashback.ts'
import { createFulfilPrizeOrder } from './processors/fulfil-prize-order.ts'
import { createRunJob } from './run-job.ts'
import type { ProcessJob } from './run-job.ts'

/** Every job that the worker does. */
function createProcessors(deps: WorkerDeps): Record<JobName, ProcessJob> {
  return {
    'fulfil-prize-order': createFulfilPrizeOrder(deps),
    'credit-cashback': createCreditCashback(deps),
  }
}

/** A worker that died is noticed after this; its jobs go to others. */
const lockDurationMs = 10_000
const stalledIntervalMs = 5_000
/** Jobs may be interrupted as often as workers die: a processor that runs twice changes nothing. */
const stalledCountMax = 1_000

const keepCompletedSeconds = 24 * 3600
/** Failed jobs are for people to look at; what they stand for is safe in the outbox. */
const keepFailed = { age: 7 * 24 * 3600, count: 10_000 }

/** Starts working on all queues. */
export function startWorkers(deps: WorkerDeps): JobWorker[] {
  return Object.entries(createProcessors(deps)).map(([key, processJob]) => {
    const name = key as JobName
    const worker = deps.backend.createWorker(
      name,
      deps.activity.track(name, createRunJob(name, processJob, deps)),
      {
        concurrency: deps.config.workerConcurrency,
        lockDuration: lockDurationMs,
        stalledInterval: stalledIntervalMs,
        maxStalledCount: stalledCountMax,
        removeOnComplete: { age: keepCompletedSeconds, count: deps.config.keepCompletedJobs },
        removeOnFail: keepFailed,
      },
    )
    // Without a listener an 'error' event would end the process.
    worker.on('error', (error) => {
      deps.log.warn({ err: error, queue: name }, 'worker error')
    })
    return worker
  })
}

/** Finishes the jobs that are running, but does not wait longer than `timeoutMs`: other workers take over the rest. */
export async function stopWorkers(workers: readonly JobWorker[], timeoutMs: number): Promise<void> {
  await Promise.all(
    workers.map(async (worker) => {
      let timer: NodeJS.Timeout | undefined
      const deadline = new Promise<'late'>((resolve) => {
        timer = setTimeout(() => {
          resolve('late')
        }, timeoutMs)
      })
      const closed = await Promise.race([worker.close(), deadline])
      clearTimeout(timer)
      if (closed === 'late') await worker.close(true)
    }),
  )
}
