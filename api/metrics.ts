import { Registry, collectDefaultMetrics } from 'prom-client'
import type { Operation } from '../core/idempotency/idempotency.ts'
import { addClockGauge } from '../core/platform/clock-gauge.ts'
import type { DatabaseClock } from '../core/platform/database-clock.ts'
import { addCounter, addHistogram } from '../core/platform/known-series.ts'
import type { OperationEnd } from '../core/process/process-counts.ts'
import { createScrape } from './scrape.ts'
import type { Scraped } from './scrape.ts'
import { addStateGauges } from './state-metrics.ts'
import type { StateDeps } from './state-metrics.ts'

export interface ApiMetrics {
  registry: Registry
  /** All of them as text, as scrapes share it. */
  scrape: () => Promise<Scraped>
  /** Routes that there are: they are counted from 0 on. */
  expectRoutes(routes: readonly string[]): void
  /** `route` is the route's pattern, never the path: paths have ids in them. */
  observeRequest(route: string, status: number, seconds: number): void
  observeRefusedConnection: () => void
  observeBatch(operation: Operation): (size: number) => void
}

/** With `state` also what the database and the queues know, which is the same in all processes. */
export function createApiMetrics(deps: {
  databaseClock: DatabaseClock
  /** How each request of the three operations has ended. */
  onOperation?: (operation: Operation, end: OperationEnd) => void
  nowMs: () => number
  keepScrapedMs?: number | undefined
  state?: Omit<StateDeps, 'nowMs' | 'keepMs'>
}): ApiMetrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  addClockGauge(registry, deps.databaseClock)
  const requests = addCounter(registry, {
    name: 'http_requests_total',
    help: 'Requests answered, by route and status.',
    labels: { route: firstRoutes, status: alarmingStatuses },
  })
  const durations = addHistogram(registry, {
    name: 'http_request_duration_seconds',
    help: 'Time from the headers of the request read to its answer ready, by route.',
    labels: { route: firstRoutes },
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  })
  const batchSizes = addHistogram(registry, {
    name: 'batch_size',
    help: 'Requests that were stored together, by operation.',
    labels: { operation: ['box_open', 'prize_order', 'prize_cashback'] },
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
  })
  const refusedConnections = addCounter(registry, {
    name: 'http_connections_refused_total',
    help: 'Connections that were closed as they came because MAX_CONNECTIONS were open, or MAX_CONNECTIONS_PER_ADDRESS of their address.',
    labels: {},
  })
  const sharing = { nowMs: deps.nowMs, keepMs: deps.keepScrapedMs }
  if (deps.state !== undefined) addStateGauges(registry, { ...deps.state, ...sharing })
  return {
    registry,
    scrape: createScrape(registry, sharing),
    expectRoutes: (routes) => {
      for (const route of routes) {
        durations({ route })
        for (const status of alarmingStatuses) requests({ route, status })
      }
    },
    observeRequest: (route, status, seconds) => {
      requests({ route, status: String(status) }).inc()
      durations({ route }).observe(seconds)
      const operation = operationsOfRoutes.get(route)
      if (operation !== undefined) deps.onOperation?.(operation, endOf(status))
    },
    observeRefusedConnection: () => {
      refusedConnections({}).inc()
    },
    observeBatch: (operation) => {
      const sizes = batchSizes({ operation })
      return (size) => {
        sizes.observe(size)
      }
    },
  }
}

/** Of requests that no route is for; the table of routes tells the others. */
const firstRoutes: readonly string[] = ['unknown']
/**
 * What is counted from 0 on for every route: answers that are our own fault, of which the first one matters. What callers do
 * begins with its first answer; a series for each status of each route would make most of what is scraped.
 */
const alarmingStatuses: readonly string[] = ['500', '503']

const operationsOfRoutes: ReadonlyMap<string, Operation> = new Map([
  ['/box/open', 'box_open'],
  ['/prize/order', 'prize_order'],
  ['/prize/cashback', 'prize_cashback'],
])

function endOf(status: number): OperationEnd {
  return status >= 500 ? 'failed' : status >= 400 ? 'refused' : 'ok'
}
