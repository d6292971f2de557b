import { monotonicMs } from '../platform/clock.ts'
import type { Logger } from '../platform/logger.ts'
import { createCasinoPriority } from './casino-priority.ts'
import { jobIdOf, jobNames, originOf, sharedJobIdOf } from './jobs.ts'
import type { DueWork, JobData, JobName, JobPayload } from './jobs.ts'
import type { JobQueue, QueueBackend } from './queue-backend.ts'

/** The producing side of all queues. */
export interface Queues {
  /** Ensures that each work has a job of its own. Idempotent: work that has one does not get a second one. */
  add(works: readonly DueWork[]): Promise<void>
  /**
   * For work that has no job yet: works of one name share jobs. A work that is also added by itself runs twice, which
   * changes nothing the second time.
   */
  addShared(works: readonly DueWork[]): Promise<void>
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

/** The works of a shared job. A worker that dies leaves so many to another one, after its lock has run out. */
export const sharedMax = 256
/** Jobs that take a worker for minutes, so that others are better done by other workers. */
const isLong = (name: JobName) => name === 'carry-out-act'

export function createQueues({
  backend,
  log,
  onAdded = () => undefined,
  nowMs = monotonicMs,
}: {
  backend: QueueBackend
  log: Logger
  /** Jobs that were handed to a queue, those among them that it already has. */
  onAdded?: (name: JobName, count: number) => void
  nowMs?: () => number
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

  const priorityOf = createCasinoPriority(nowMs)
  const byPriority = (name: JobName, works: readonly DueWork[]) => {
    const groups = new Map<number, DueWork[]>()
    for (const work of works) {
      const priority = priorityOf(name, work.casinoId ?? '')
      const group = groups.get(priority)
      if (group === undefined) groups.set(priority, [work])
      else group.push(work)
    }
    return groups
  }
  const addInJobs = async (works: readonly DueWork[], isShared: boolean) => {
    await Promise.all(
      jobNames.map(async (name) => {
        const ofName = works.filter((work) => work.jobName === name)
        if (ofName.length === 0) return
        const worksMax = isShared && !isLong(name) ? sharedMax : 1
        const jobs = [...byPriority(name, ofName)].flatMap(([priority, some]) =>
          chunksOf(some, worksMax).map((chunk) => toJob(name, chunk, priority)),
        )
        await of(name).addBulk(jobs)
        onAdded(name, ofName.length)
      }),
    )
  }

  const add = (works: readonly DueWork[]) => addInJobs(works, false)
  const clearTheWay = async (work: DueWork) => {
    const job = await of(work.jobName).getJob(jobIdOf(work))
    if (job === undefined) return
    const state = await job.getState()
    try {
      if (state === 'failed') await job.retry('failed', { resetAttemptsMade: true })
      else if (state === 'completed') await job.remove()
      // The delay was set by a worker's own clock, which may be hours ahead. The outbox says that it is due.
      else if (state === 'delayed') await job.promote()
    } catch (error) {
      // Another process was quicker at this job, which must not keep the others from being added.
      if ((await job.getState()) === state) throw error
    }
  }
  return {
    add,
    addShared: (works) => addInJobs(works, true),
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

function toJob(name: JobName, works: readonly [DueWork, ...DueWork[]], priority: number) {
  const [first, ...others] = works
  const own = toPayload(first)
  const data: JobData = others.length === 0 ? own : { ...own, works: others.map(toPayload) }
  const jobId = others.length === 0 ? jobIdOf(first) : sharedJobIdOf(works)
  return { name, data, opts: { jobId, ...(priority > 0 ? { priority } : {}) } }
}

function toPayload({ outboxId, objectId, casinoId, traceparent }: DueWork): JobPayload {
  return { outboxId, objectId, ...originOf(casinoId, traceparent) }
}

function chunksOf<Value>(values: readonly Value[], size: number): [Value, ...Value[]][] {
  const chunks: [Value, ...Value[]][] = []
  for (let start = 0; start < values.length; start += size) {
    chunks.push(values.slice(start, start + size) as [Value, ...Value[]])
  }
  return chunks
}
