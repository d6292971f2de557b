import { UnrecoverableError } from 'bullmq'
import { newHolder } from '../core/partner/call-slots.ts'
import type { Holder } from '../core/partner/call-slots.ts'
import { monotonicMs } from '../core/platform/clock.ts'
import { parseJobPayload } from '../core/queue/jobs.ts'
import type { DueWork, JobName, JobPayload } from '../core/queue/jobs.ts'
import type { JobProcessor } from '../core/queue/queue-backend.ts'
import type { ProcessJob, WorkerDeps } from './deps.ts'

/**
 * Runs a processor for a job and tells log and metrics how it ended; the outcome is kept with the job. A thrown error
 * makes BullMQ try again later, up to the queue's limit; after that the outbox row brings the work back. An invalid
 * payload can never succeed.
 */
export function createRunJob(
  name: JobName,
  processJob: ProcessJob,
  { log, metrics }: Pick<WorkerDeps, 'log' | 'metrics'>,
): JobProcessor {
  return async (job) => {
    const startedMs = monotonicMs()
    const seconds = () => (monotonicMs() - startedMs) / 1000
    try {
      const payload = parsePayload(job.data)
      const { result, outcome } = await processJob(payload, newHolder())
      metrics.observeJob(name, result, seconds())
      log.debug({ job: name, objectId: payload.objectId, result, outcome }, 'job finished')
      return outcome
    } catch (error) {
      metrics.observeJob(name, 'failed', seconds())
      log.error({ err: error, job: name, jobId: job.id, attempt: job.attemptsMade + 1 }, 'job failed')
      throw withoutValues(error)
    }
  }
}

/**
 * The same for work that was taken from the line for its slot, without a job: what fails is brought back by its row in
 * the outbox.
 */
export function createRunFromLine(
  processors: Readonly<Record<JobName, ProcessJob>>,
  { log, metrics }: Pick<WorkerDeps, 'log' | 'metrics'>,
): (work: DueWork, holder: Holder) => Promise<void> {
  return async ({ jobName, outboxId, objectId }, holder) => {
    const startedMs = monotonicMs()
    const seconds = () => (monotonicMs() - startedMs) / 1000
    try {
      const { result, outcome } = await processors[jobName]({ outboxId, objectId }, holder)
      metrics.observeJob(jobName, result, seconds())
      log.debug({ job: jobName, objectId, result, outcome }, 'work from a line finished')
    } catch (error) {
      metrics.observeJob(jobName, 'failed', seconds())
      log.error({ err: error, job: jobName, objectId }, 'work from a line failed')
    }
  }
}

function parsePayload(data: unknown): JobPayload {
  try {
    return parseJobPayload(data)
  } catch {
    throw new UnrecoverableError('the payload is none')
  }
}

/** BullMQ keeps the message and stack of a failed job for the dashboard; a database's message may repeat values. */
function withoutValues(error: unknown): Error {
  if (error instanceof UnrecoverableError) return error
  const clean = new Error(`${error instanceof Error ? error.name : 'error'}, see the worker's log`)
  clean.stack = clean.message
  return clean
}
