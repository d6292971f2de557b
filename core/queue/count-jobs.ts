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
