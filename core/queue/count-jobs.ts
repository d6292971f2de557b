import { jobNames } from './jobs.ts'
import type { JobName } from './jobs.ts'
import type { Queues } from './queues.ts'

export type JobCounts = Partial<Record<string, number>>

/** How many jobs each queue has, by state. */
export function countJobs(queues: Queues): Promise<[JobName, JobCounts][]> {
  return Promise.all(
    jobNames.map(async (name): Promise<[JobName, JobCounts]> => {
      const counts = queues.of(name).getJobCounts('waiting', 'active', 'delayed', 'failed', 'completed')
      return [name, await counts]
    }),
  )
}

/** Jobs that have failed permanently, of all queues, and when the first of those that are kept has. */
export async function findFailedJobs(queues: Queues): Promise<{ count: number; oldestAt: Date | null }> {
  const ofQueues = await Promise.all(
    jobNames.map(async (name) => {
      const [counts, [oldest]] = await Promise.all([
        queues.of(name).getJobCounts('failed'),
        queues.of(name).getJobs(['failed'], 0, 0, true),
      ])
      return { count: counts['failed'] ?? 0, finishedOn: oldest?.finishedOn }
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
      const [counts, [oldest]] = await Promise.all([
        queues.of(name).getJobCounts('waiting', 'active', 'delayed', 'failed'),
        queues.of(name).getJobs(['waiting'], 0, 0, true),
      ])
      const { waiting = 0, active = 0, delayed = 0, failed = 0 } = counts
      const oldestAddedAt = oldest === undefined ? null : new Date(oldest.timestamp)
      return { name, waiting, active, delayed, failed, oldestAddedAt }
    }),
  )
}
