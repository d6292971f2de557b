import type { Logger } from '../platform/logger.ts'
import { jobIdOf, jobNames, tracedFrom } from './jobs.ts'
import type { DueWork, JobName } from './jobs.ts'
import type { JobQueue, QueueBackend } from './queue-backend.ts'

/** The producing side of all queues. */
export interface Queues {
  /** Ensures that each work has a job. Idempotent: work that has a job does not get a second one. */
  add(works: readonly DueWork[]): Promise<void>
  /** Like `add`, for work whose job may have ended without finishing it: such a job is restarted. */
  addAgain(works: readonly DueWork[]): Promise<void>
  of(name: JobName): JobQueue
  close(): Promise<void>
}

/**
 * A processor's temporary failure is over within about a minute, or needs an operator. After that the relay retries, at
 * growing intervals, until the work is done.
 */
const attemptsMax = 8
const backoff = { type: 'exponential', delay: 500, jitter: 0.5 }

/**
 * The number of jobs checked at the same time when work is added again. Each takes a few round trips. One after
 * another, a full claim of the relay on a slow Redis would outlast the heartbeat of its worker; all together, they
 * would block other users of the queues.
 */
const lookAtOnceMax = 50

export function createQueues({
  backend,
  log,
  onAdded = () => undefined,
}: {
  backend: QueueBackend
  log: Logger
  /** Jobs that were handed to a queue, those among them that it already has. */
  onAdded?: (name: JobName, count: number) => void
}): Queues {
  const queues = new Map(
    jobNames.map((name) => {
      const queue = backend.createQueue(name, {
        // Stored with every job, so only what is necessary; the workers decide how long to keep finished ones.
        defaultJobOptions: { attempts: attemptsMax, backoff },
        streams: { events: { maxLen: 1_000 } },
      })
      // Without a listener an 'error' event would end the process; the connection itself reports the problem.
      queue.on('error', (error) => {
        log.debug({ err: error, queue: name }, 'queue error')
      })
      return [name, queue]
    }),
  )
  const of = (name: JobName): JobQueue => {
    const queue = queues.get(name)
    if (queue === undefined) throw new Error(`no queue ${name}`)
    return queue
  }

  const add = async (works: readonly DueWork[]) => {
    await Promise.all(
      jobNames.map(async (name) => {
        const jobs = works.filter((work) => work.jobName === name)
        if (jobs.length === 0) return
        await of(name).addBulk(jobs.map(toJob))
        onAdded(name, jobs.length)
      }),
    )
  }
  const clearTheWay = async (work: DueWork) => {
    const job = await of(work.jobName).getJob(jobIdOf(work))
    if (job === undefined) return
    const state = await job.getState()
    // Both can collide with another process at this job; the outbox row brings us back here.
    if (state === 'failed') await job.retry('failed', { resetAttemptsMade: true })
    else if (state === 'completed') await job.remove()
    // The delay was set by a worker's own clock, which may be hours ahead. The outbox says that it is due.
    else if (state === 'delayed') await job.promote()
  }
  return {
    add,
    addAgain: async (works) => {
      for (let start = 0; start < works.length; start += lookAtOnceMax) {
        await Promise.all(works.slice(start, start + lookAtOnceMax).map(clearTheWay))
      }
      await add(works)
    },
    of,
    close: async () => {
      await Promise.all([...queues.values()].map((queue) => queue.close()))
    },
  }
}

function toJob({ jobName, outboxId, objectId, traceparent }: DueWork) {
  return {
    name: jobName,
    data: { outboxId, objectId, ...tracedFrom(traceparent) },
    opts: { jobId: jobIdOf({ outboxId, objectId }) },
  }
}
