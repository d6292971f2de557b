import { loadDecideStore } from '../batch/load-decide-store.ts'
import type { Change } from '../batch/load-decide-store.ts'
import type { Settled } from '../batch/batcher.ts'
import type { JobPayload, WorkResult } from '../queue/jobs.ts'
import { decideOrderWork } from './decide-work.ts'
import type { FulfilmentSettings } from './decide-work.ts'
import { loadOrdersOfWork } from './load-orders.ts'
import type { OrderChange, OrderSnapshot } from './order.ts'
import { storeOrderChanges } from './store-changes.ts'
import type { StoreChangesDeps } from './store-changes.ts'

export interface FulfilOrdersDeps extends StoreChangesDeps {
  /** The settings of each of the casinos. */
  findFulfilmentSettings: (casinoIds: readonly string[]) => Promise<ReadonlyMap<string, FulfilmentSettings>>
}

interface Loaded {
  orders: ReadonlyMap<string, OrderSnapshot>
  settings: ReadonlyMap<string, FulfilmentSettings>
}

/**
 * Takes orders one step further. The step, its event and the end of the work, or the time of the next look, are one
 * statement; doing it again changes nothing.
 */
export function createFulfilOrders(
  deps: FulfilOrdersDeps,
): (jobs: readonly JobPayload[]) => Promise<Settled<WorkResult>[]> {
  const change: Change<JobPayload, Loaded, OrderChange, WorkResult> = {
    load: async (jobs) => {
      const orders = await loadOrdersOfWork(deps.database, jobs)
      const casinoIds = new Set([...orders.values()].map((order) => order.casinoId))
      return { orders, settings: await deps.findFulfilmentSettings([...casinoIds]) }
    },
    decide: ({ outboxId }, { orders, settings }) => {
      const order = orders.get(outboxId)
      if (order === undefined) return { answer: 'nothing_to_do' }
      const ofCasino = settings.get(order.casinoId)
      if (ofCasino === undefined) throw new Error('a casino has no settings')
      const { plan, snoozeUntil } = decideOrderWork(order, ofCasino, deps.clock.now())
      return {
        write: {
          order,
          plan,
          actor: 'worker',
          reason: null,
          requestId: null,
          work: { outboxId, snoozeUntil },
        },
      }
    },
    store: async (changes) => {
      const stored = await storeOrderChanges(deps, changes)
      return new Map([...stored.keys()].map((stepped) => [stepped, resultOf(stepped)]))
    },
  }
  return (jobs) => loadDecideStore(change, jobs)
}

function resultOf({ plan, work }: OrderChange): WorkResult {
  if (plan.steps.length > 0) return 'done'
  return work?.snoozeUntil === null ? 'nothing_to_do' : 'snoozed'
}
