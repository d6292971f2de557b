import { createFanOutDue } from '../../core/webhook/fan-out-due.ts'
import {
  fanOutEvents,
  findLastEvent,
  findNewEvents,
  wakeRestingDeliveries,
} from '../../core/webhook/fan-out.ts'
import { monotonicMs } from '../../core/platform/clock.ts'
import type { WorkerDeps } from '../deps.ts'

type Deps = Pick<WorkerDeps, 'database' | 'clock' | 'log' | 'handOver'>

/**
 * Turns new events into deliveries to the endpoints that want them, and hands their work over. Any number of workers may
 * do this at once. Each turn looks where something is due, and gives how much there was to do.
 */
export function createFanOutLoop(deps: Deps): () => Promise<number> {
  const { database, handOver } = deps
  const fanOutDue = createFanOutDue({
    nowMs: monotonicMs,
    fanOut: (scope) => fanOutEvents(deps, scope),
    findLastEvent: () => findLastEvent(database),
    findNewEvents: (afterId) => findNewEvents(database, afterId),
  })
  const wakeDue = createWakeDue(database)
  return async () => {
    const { eventCount, works } = (await fanOutDue()) ?? { eventCount: 0, works: [] }
    handOver(works)
    const woken = await wakeDue()
    handOver(woken)
    return eventCount + woken.length
  }
}

/** What rests waits for a person who switches its endpoint on or asks for a replay: nobody minds a second. */
const wakeEveryMs = 1_000

function createWakeDue(database: Deps['database']) {
  let wakeAtMs = -Infinity
  return async () => {
    const now = monotonicMs()
    if (now < wakeAtMs) return []
    const woken = await wakeRestingDeliveries(database)
    if (woken.length === 0) wakeAtMs = now + wakeEveryMs
    return woken
  }
}
