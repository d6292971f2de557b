import { fanOutEvents, wakeRestingDeliveries } from '../../core/webhook/fan-out.ts'
import type { WorkerDeps } from '../deps.ts'

/**
 * Turns new events into deliveries to the endpoints that want them, and hands their work over. Any number of workers may
 * do this at once. Returns how much there was to do.
 */
export async function fanOutOnce(
  deps: Pick<WorkerDeps, 'database' | 'clock' | 'log' | 'handOver'>,
): Promise<number> {
  const { eventCount, works } = await fanOutEvents(deps)
  deps.handOver(works)
  const woken = await wakeRestingDeliveries(deps.database)
  deps.handOver(woken)
  return eventCount + woken.length
}
