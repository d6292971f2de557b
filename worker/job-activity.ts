import type { JobName } from '../core/queue/jobs.ts'

/** The work of this process for each queue; only of this process, not of all workers. */
export interface JobActivity {
  /** Runs a work, counted. */
  track<Result>(name: JobName, run: () => Promise<Result>): Promise<Result>
  /** Works that were started since the process was. */
  startedCount(name: JobName): number
  /** Works that are running now. */
  activeCount(name: JobName): number
  /** Calls `listener` at the end of each tracked work, which may have caused other work. Work from lines is not tracked. */
  onEnded(listener: () => void): void
}

export function createJobActivity(
  onEnd: (name: JobName, end: 'out' | 'failed') => void = () => undefined,
): JobActivity {
  const started = new Map<JobName, number>()
  const active = new Map<JobName, number>()
  const listeners: (() => void)[] = []
  const add = (counts: Map<JobName, number>, name: JobName, by: number) => {
    counts.set(name, (counts.get(name) ?? 0) + by)
  }
  return {
    track: async (name, run) => {
      add(started, name, 1)
      add(active, name, 1)
      try {
        const result = await run()
        onEnd(name, 'out')
        return result
      } catch (error) {
        onEnd(name, 'failed')
        throw error
      } finally {
        add(active, name, -1)
        for (const listener of listeners) listener()
      }
    },
    startedCount: (name) => started.get(name) ?? 0,
    activeCount: (name) => active.get(name) ?? 0,
    onEnded: (listener) => {
      listeners.push(listener)
    },
  }
}
