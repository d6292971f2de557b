import { withinMs } from '../../core/platform/deadline.ts'
import { monotonicMs } from '../../core/platform/clock.ts'
import { countStates } from '../../core/queue/count-jobs.ts'
import { jobNames } from '../../core/queue/jobs.ts'
import type { JobName } from '../../core/queue/jobs.ts'
import type { JobQueue } from '../../core/queue/queue-backend.ts'
import type { WorkerDeps } from '../deps.ts'

/**
 * After an outage of Redis, BullMQ workers have been seen to stay asleep while the connection answers every PING
 * (taskforcesh/bullmq #3185, #3088, #4138). Nothing but a new process helps. A healthy worker takes a waiting job within
 * milliseconds, and one that is reconnecting within seconds; a minute is beyond doubt and costs little, since the work
 * is safe in the outbox.
 */
const stuckAfterMs = 60_000
/** Short enough that a minute is judged by several looks, not by two that both happened to see a job waiting. */
export const watchLivenessIdleMs = 10_000
/** After a longer gap the process itself was asleep (suspended, or short of CPU), and so were its workers. */
const gapMaxMs = 2.5 * watchLivenessIdleMs
const lookTimeoutMs = 3_000

/** The result of one look at a queue and at this process's part in it. */
export interface Look {
  atMs: number
  /** Undefined when the backend could not be asked: then nothing is known about the worker either. */
  waitingCount: number | undefined
  /** Paused, or limited to fewer parallel jobs: an operator wants these jobs to wait. */
  isHeld: boolean
  startedCount: number
  activeCount: number
}

/** Since when every look has shown jobs waiting while this process started none and ran none. */
export interface Suspicion {
  sinceMs: number
  lastLookMs: number
  startedCount: number
}

/**
 * The suspicion against a queue's worker after another look. Other workers being faster raises no suspicion: between
 * them the queue is empty at most looks, and a single such look clears it. If the queue is never empty for a minute,
 * then there is work for this worker too.
 */
export function suspect(suspicion: Suspicion | undefined, look: Look): Suspicion | undefined {
  const { atMs, startedCount } = look
  if (look.waitingCount === undefined || look.waitingCount === 0) return undefined
  if (look.isHeld || look.activeCount > 0) return undefined
  const isSame =
    suspicion !== undefined &&
    suspicion.startedCount === startedCount &&
    atMs - suspicion.lastLookMs <= gapMaxMs
  return { sinceMs: isSame ? suspicion.sinceMs : atMs, lastLookMs: atMs, startedCount }
}

/** Whether the suspicion has lasted long enough to act on it. */
export function isStuck(suspicion: Suspicion | undefined): boolean {
  return suspicion !== undefined && suspicion.lastLookMs - suspicion.sinceMs >= stuckAfterMs
}

type Deps = Pick<WorkerDeps, 'queues' | 'activity' | 'log'>

/** Looks at all queues once; calls `onStuck` when the worker of one is stuck. To be run every `watchLivenessIdleMs`. */
export function createWatchLiveness(
  deps: Deps,
  onStuck: () => void,
  nowMs: () => number = monotonicMs,
): () => Promise<number> {
  const suspicions = new Map<JobName, Suspicion | undefined>()
  return async () => {
    const looks = await Promise.all(
      jobNames.map(async (name) => [name, await lookAt(name, deps, nowMs)] as const),
    )
    for (const [name, look] of looks) suspicions.set(name, suspect(suspicions.get(name), look))
    const stuck = jobNames.filter((name) => isStuck(suspicions.get(name)))
    if (stuck.length > 0) {
      deps.log.fatal({ queues: stuck }, 'jobs are waiting but this worker starts none: stopping the worker')
      onStuck()
    }
    return 0
  }
}

async function lookAt(name: JobName, { queues, activity }: Deps, nowMs: () => number): Promise<Look> {
  const seen = await withinMs(ask(queues.of(name)), lookTimeoutMs).catch(() => undefined)
  return {
    // Read after the answer, so that a job which was started meanwhile counts.
    atMs: nowMs(),
    startedCount: activity.startedCount(name),
    activeCount: activity.activeCount(name),
    waitingCount: seen?.waitingCount,
    isHeld: seen?.isHeld ?? false,
  }
}

/** An empty queue, as most are, costs one question. */
async function ask(queue: JobQueue): Promise<{ waitingCount: number; isHeld: boolean }> {
  const { waiting: waitingCount = 0 } = await countStates(queue, 'waiting')
  if (waitingCount === 0) return { waitingCount, isHeld: false }
  const [isPaused, isMaxed] = await Promise.all([queue.isPaused(), queue.isMaxed()])
  return { waitingCount, isHeld: isPaused || isMaxed }
}
