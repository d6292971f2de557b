import { startLoop } from '../core/platform/lifecycle.ts'
import type { RunningLoop, Stoppable } from '../core/platform/lifecycle.ts'
import type { WorkerDeps } from './deps.ts'
import type { Heartbeats } from './heartbeats.ts'
import type { ObserveTurn } from './loop-metrics.ts'
import type { Loop } from './loops.ts'
import { createWatchForWork, watchForWorkIdleMs } from './maintenance/watch-for-work.ts'
import type { Rester } from './maintenance/watch-for-work.ts'

/** Starts the loops, and one more that ends the rests of the others when there is work for them. */
export function startLoops(
  { database, activity, log, metrics }: Pick<WorkerDeps, 'database' | 'activity' | 'log' | 'metrics'>,
  loops: readonly Loop[],
  heartbeats: Heartbeats,
): Stoppable[] {
  const start = (loop: Loop): RunningLoop => {
    const { name, idleMs, rest } = loop
    const counted = observed(loop, metrics.observeTurn)
    return startLoop({ name, runOnce: heartbeats.watch(name, counted), log, idleMs, rest })
  }
  const resters: Rester[] = []
  const started = loops.map((loop) => {
    const running = start(loop)
    if (loop.rest === undefined) return running
    activity.onEnded(running.wake)
    resters.push({ ...running, isOver: loop.rest.isOver })
    return running
  })
  const runOnce = createWatchForWork(database, resters)
  return [...started, start({ name: 'watch-for-work', idleMs: watchForWorkIdleMs, runOnce })]
}

/** The guarded turn, counted: as a success only if the guard let it run. A guard can fail too. */
function observed(
  { name, runOnce, guard = (unguarded) => unguarded }: Loop,
  observe: ObserveTurn,
): Loop['runOnce'] {
  const guarded = guard(async () => {
    const done = await runOnce()
    observe(name, 'done')
    return done
  })
  return async () => {
    try {
      return await guarded()
    } catch (error) {
      observe(name, 'failed')
      throw error
    }
  }
}
