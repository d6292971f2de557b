import type { JobName } from '../core/queue/jobs.ts'
import type { JobProcessor } from '../core/queue/queue-backend.ts'

/** The work of this process for each queue; only of this process, not of all workers. */
export interface JobActivity {
  /** The same processor, counted. */
  track(name: JobName, processor: JobProcessor): JobProcessor
  /** Jobs that were started since the process was. */
  startedCount(name: JobName): number
  /** Jobs that are running now. */
  activeCount(name: JobName): number
}

export function createJobActivity(
  onEnd: (name: JobName, end: 'out' | 'failed') => void = () => undefined,
): JobActivity {
  const started = new Map<JobName, number>()
  const active = new Map<JobName, number>()
  const add = (counts: Map<JobName, number>, name: JobName, by: number) => {
    counts.set(name, (counts.get(name) ?? 0) + by)
  }
  return {
    // One parameter only: for a processor with three, BullMQ makes an abort signal for every job.
    track: (name, processor) => async (job) => {
      add(started, name, 1)
      add(active, name, 1)
      try {
        const outcome = await processor(job)
        onEnd(name, 'out')
        return outcome
      } catch (error) {
        onEnd(name, 'failed')
        throw error
      } finally {
        add(active, name, -1)
      }
    },
    startedCount: (name) => started.get(name) ?? 0,
    activeCount: (name) => active.get(name) ?? 0,
  }
}
