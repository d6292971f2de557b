import { createFanOutDue } from '../../core/webhook/fan-out-due.ts'
import { fanOutEvents, findLastEvent, findNewEvents } from '../../core/webhook/fan-out.ts'
import { wakeParkedDeliveries } from '../../core/webhook/wake-parked.ts'
import type { Woken } from '../../core/webhook/wake-parked.ts'
import { monotonicMs } from '../../core/platform/clock.ts'
import type { WorkerDeps } from '../deps.ts'

type Deps = Pick<WorkerDeps, 'database' | 'clock' | 'log' | 'handOver'>

/**
 * Turns new events into deliveries to the endpoints that want them, and hands their work over. Any number of workers may
 * do this at the same time. Each turn looks where something is due, and gives how much there was to do.
 */
export function createFanOutLoop(deps: Deps): () => Promise<number> {
  const { database, handOver } = deps
  const fanOutDue = createFanOutDue({
    nowMs: monotonicMs,
    fanOut: (scope) => fanOutEvents(deps, scope),
    findLastEvent: () => findLastEvent(database),
    findNewEvents: (afterId) => findNewEvents(database, afterId),
  })
  const wakeDue = createWakeDue(deps)
  return async () => {
    const fannedOut = await fanOutDue()
    if (fannedOut !== undefined) handOver(fannedOut.works)
    const woken = await wakeDue()
    if (woken !== undefined) handOver(woken.works)
    return (fannedOut?.eventCount ?? 0) + (woken?.count ?? 0)
  }
}

/**
 * Parked deliveries wait for a person to enable the endpoint or to ask for a replay: a second, or five in a worker that
 * rests, does not matter.
 */
const wakeEveryMs = 1_000

/** Returns undefined if it was not time yet. */
function createWakeDue(deps: Deps): () => Promise<Woken | undefined> {
  let wakeAtMs = -Infinity
  let afterCasinoId = ''
  return async () => {
    const now = monotonicMs()
    if (now < wakeAtMs) return undefined
    const woken = await wakeParkedDeliveries(deps, afterCasinoId)
    afterCasinoId = woken.lastCasinoId
    if (woken.count === 0) wakeAtMs = now + wakeEveryMs
    return woken
  }
}
