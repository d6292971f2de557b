import { jobNames } from './jobs.ts'
import type { JobName } from './jobs.ts'
import type { JobQueue } from './queue-backend.ts'
import type { Queues } from './queues.ts'

export type JobCounts = Partial<Record<string, number>>

/** How many jobs each queue has, by state. */
export function countJobs(queues: Queues): Promise<[JobName, JobCounts][]> {
  return Promise.all(
    jobNames.map(async (name): Promise<[JobName, JobCounts]> => {
      return [name, await countStates(queues.of(name), 'waiting', 'active', 'delayed', 'failed', 'completed')]
    }),
  )
}

/** The jobs of a queue in these states. BullMQ counts waiting jobs with a priority apart; here they wait as all others. */
export async function countStates(
  queue: Pick<JobQueue, 'getJobCounts'>,
  ...states: ('waiting' | 'active' | 'delayed' | 'failed' | 'completed')[]
): Promise<JobCounts> {
  const { prioritized = 0, ...counts } = await queue.getJobCounts(
    ...states,
    ...(states.includes('waiting') ? (['prioritized'] as const) : []),
  )
  return 'waiting' in counts ? { ...counts, waiting: counts['waiting'] + prioritized } : counts
}

/** Jobs that have failed permanently, of all queues, and when the first of those that are kept has. */
export async function findFailedJobs(queues: Queues): Promise<{ count: number; oldestAt: Date | null }> {
  const ofQueues = await Promise.all(
    jobNames.map(async (name) => {
      const { failed: count = 0 } = await queues.of(name).getJobCounts('failed')
      // Read after they are counted: a counted one is only missing if it is tried again or removed in between.
      const [oldest] = count === 0 ? [] : await queues.of(name).getJobs(['failed'], 0, 0, true)
      return { count, finishedOn: oldest?.finishedOn }
    }),
  )
  const times = ofQueues.flatMap(({ finishedOn }) => (finishedOn === undefined ? [] : [finishedOn]))
  return {
    count: ofQueues.reduce((sum, { count }) => sum + count, 0),
    oldestAt: times.length === 0 ? null : new Date(Math.min(...times)),
  }
}

export interface QueueState {
  name: JobName
  waiting: number
  active: number
  delayed: number
  failed: number
  /** When the job that is next was added; null if none waits. */
  oldestAddedAt: Date | null
}

/** The jobs that each queue holds now. */
export function readQueueStates(queues: Queues): Promise<QueueState[]> {
  return Promise.all(
    jobNames.map(async (name) => {
      const [counts, [next]] = await Promise.all([
        countStates(queues.of(name), 'waiting', 'active', 'delayed', 'failed'),
        queues.of(name).getJobs(['waiting', 'prioritized'], 0, 0, true),
      ])
      const { waiting = 0, active = 0, delayed = 0, failed = 0 } = counts
      const oldestAddedAt = next === undefined ? null : new Date(next.timestamp)
      return { name, waiting, active, delayed, failed, oldestAddedAt }
    }),
  )
}
