import { DeadlineError, withinMs } from '../core/platform/deadline.ts'
import type { JobName } from '../core/queue/jobs.ts'
import type { JobWorker } from '../core/queue/queue-backend.ts'
import type { WorkerDeps } from './deps.ts'
import { createRunFromLine, createRunJob } from './jobs.ts'
import { createLineServer } from '../core/outbound/serve-lines.ts'
import type { LineServer } from '../core/outbound/serve-lines.ts'

/** A worker that died is noticed after this; its jobs go to others. */
const lockDurationMs = 10_000
const stalledIntervalMs = 5_000
/** Jobs may be interrupted as often as workers die: a processor that runs twice changes nothing. */
const stalledCountMax = 1_000

/**
 * A worker that lost its connection while it asked for a job asks again after this. BullMQ's own 15 seconds cannot be cut
 * short: the queue would not be served meanwhile, and a process could not stop in time.
 */
const askAgainMs = 250

const keepCompletedSeconds = 24 * 3600
/** Failed jobs are kept for operators; their work is safe in the outbox. */
const keepFailed = { age: 7 * 24 * 3600, count: 10_000 }

/** Starts working on all queues. */
export function startWorkers(deps: WorkerDeps): JobWorker[] {
  return Object.entries(deps.processors).map(([key, run]) => {
    const name = key as JobName
    const worker = deps.backend.createWorker(name, createRunJob(name, run, deps), {
      concurrency: deps.config.workerConcurrency,
      lockDuration: lockDurationMs,
      stalledInterval: stalledIntervalMs,
      maxStalledCount: stalledCountMax,
      runRetryDelay: askAgainMs,
      removeOnComplete: { age: keepCompletedSeconds, count: deps.config.keepCompletedJobs },
      removeOnFail: keepFailed,
    })
    // Without a listener an 'error' event would end the process. It comes with every try to reconnect, so it is logged once
    // per outage; the connection logs the end of the outage.
    let isFailing = false
    worker.on('error', (error) => {
      deps.log[isFailing ? 'debug' : 'warn']({ err: error, queue: name }, 'worker error')
      isFailing = true
    })
    worker.on('active', () => {
      isFailing = false
    })
    return worker
  })
}

/** Begins to give slots that come free to the work that waits for them; its `lookOnce` is one of the worker's loops. */
export function startLines(deps: WorkerDeps): LineServer {
  return createLineServer({
    ...deps,
    slots: deps.callSlots,
    run: createRunFromLine(deps.processors, deps),
  })
}

/**
 * Finishes the running jobs and the work taken from lines, but does not wait longer than `timeoutMs`: other workers do
 * the rest. If the queue backend is down, closing hangs too, so it has a time-out; the end of the process does the
 * rest.
 */
export async function stopWorkers(
  workers: readonly JobWorker[],
  lines: LineServer,
  timeoutMs: number,
): Promise<void> {
  await Promise.all([
    endsWithin(lines.stop(), timeoutMs),
    ...workers.map(async (worker) => {
      if (!(await endsWithin(worker.close(), timeoutMs)))
        await endsWithin(worker.close(true), giveUpTimeoutMs)
    }),
  ])
}

const giveUpTimeoutMs = 1_000

function endsWithin(closing: Promise<void>, timeoutMs: number): Promise<boolean> {
  return withinMs(closing, timeoutMs).then(
    () => true,
    (error: unknown) => {
      if (error instanceof DeadlineError) return false
      throw error
    },
  )
}
