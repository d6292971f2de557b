import { Registry } from 'prom-client'
import type { Operation } from '../core/idempotency/idempotency.ts'
import { addBuildInfo } from '../core/platform/build-info.ts'
import { addClockGauge } from '../core/platform/clock-gauge.ts'
import type { DatabaseClock } from '../core/platform/database-clock.ts'
import { addCounter, addHistogram } from '../core/platform/known-series.ts'
import { addPoolGauges } from '../core/platform/pool-gauges.ts'
import type { PoolsInUse } from '../core/platform/pool-gauges.ts'
import { addReplicaMetrics } from '../core/platform/replica-gauges.ts'
import type { Replica } from '../core/platform/replica.ts'
import { addProcessMetrics } from '../core/platform/process-metrics.ts'
import type { OperationEnd } from '../core/process/process-counts.ts'
import { createScrape } from './scrape.ts'
import type { Scraped } from './scrape.ts'
import { addNumberGauge } from './gauges.ts'
import { addStateGauges } from './state-metrics.ts'
import type { StateDeps } from './state-metrics.ts'

export interface ApiMetrics {
  registry: Registry
  /** All of them as text, as scrapes share it. */
  scrape: () => Promise<Scraped>
  /** Routes that there are: they are counted from 0 on. */
  expectRoutes(routes: readonly MethodAndPath[]): void
  observeRequest(request: AnsweredRequest): void
  observeRefusedConnection: () => void
  /** Adds a count of connections that wait to be read; it is asked at each scrape. */
  countPausedConnections(count: () => number): void
  observeBatch(operation: Operation): (size: number) => void
}

interface MethodAndPath {
  method: string
  path: string
}

interface AnsweredRequest {
  method: string
  /** The route's pattern, never the path: paths have ids in them. */
  route: string
  status: number
  /** Undefined if it was refused unread: such an answer takes no time, and would make the slowest ones look faster. */
  seconds: number | undefined
}

/** With `state`, also the gauges of the database and the queues, which are the same in all processes. */
export function createApiMetrics(deps: {
  program: 'api' | 'manage'
  databaseClock: DatabaseClock
  pools: PoolsInUse
  replica?: Replica | undefined
  /** How each request of the three operations has ended. */
  onOperation?: (operation: Operation, end: OperationEnd) => void
  nowMs: () => number
  keepScrapedMs?: number | undefined
  state?: Omit<StateDeps, 'nowMs' | 'keepMs'>
}): ApiMetrics {
  const registry = new Registry()
  addProcessMetrics(registry)
  addBuildInfo(registry, deps.program)
  addClockGauge(registry, deps.databaseClock)
  addPoolGauges(
    registry,
    deps.replica === undefined ? deps.pools : { ...deps.pools, replica: deps.replica.inUse },
  )
  addReplicaMetrics(registry, deps.replica)
  const requests = addCounter(registry, {
    name: 'rewards_http_requests_total',
    help: 'Requests answered, by method, route and status.',
    labels: { method: firstMethods, route: firstRoutes, status: alarmingStatuses },
  })
  const durations = addHistogram(registry, {
    name: 'rewards_http_request_duration_seconds',
    help: 'Time from the headers of a request to its answer, by method and route.',
    labels: { method: firstMethods, route: firstRoutes },
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  })
  const batchSizes = addHistogram(registry, {
    name: 'rewards_batch_size',
    help: 'Requests that were stored together, by operation.',
    labels: { operation: ['box_open', 'prize_order', 'prize_cashback'] },
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
  })
  const refusedConnections = addCounter(registry, {
    name: 'rewards_http_connections_refused_total',
    help: 'Connections that were refused because MAX_CONNECTIONS were open, or MAX_CONNECTIONS_PER_ADDRESS of their address.',
    labels: {},
  })
  const pausedCounts: (() => number)[] = []
  addNumberGauge(
    registry,
    {
      name: 'rewards_http_connections_paused',
      help: 'Connections that wait to be read, because there is no room for their next request.',
    },
    () => Promise.resolve(pausedCounts.reduce((sum, count) => sum + count(), 0)),
    Number,
  )
  const known = new Set<string>()
  const sharing = { nowMs: deps.nowMs, keepMs: deps.keepScrapedMs }
  if (deps.state !== undefined) addStateGauges(registry, { ...deps.state, ...sharing })
  return {
    registry,
    scrape: createScrape(registry, sharing),
    expectRoutes: (routes) => {
      for (const { method, path: route } of routes) {
        known.add(`${method} ${route}`)
        durations({ method, route })
        for (const status of alarmingStatuses) requests({ method, route, status })
      }
    },
    observeRequest: ({ method: asked, route, status, seconds }) => {
      const method = known.has(`${asked} ${route}`) ? asked : otherMethod
      requests({ method, route, status: String(status) }).inc()
      if (seconds !== undefined) durations({ method, route }).observe(seconds)
      const operation = operationsOfRoutes.get(route)
      if (operation !== undefined) deps.onOperation?.(operation, endOf(status))
    },
    observeRefusedConnection: () => {
      refusedConnections({}).inc()
    },
    countPausedConnections: (count) => {
      pausedCounts.push(count)
    },
    observeBatch: (operation) => {
      const sizes = batchSizes({ operation })
      return (size) => {
        sizes.observe(size)
      }
    },
  }
}

/** A method that a route does not have. Callers choose methods, so a series for each would let them make any number. */
const otherMethod = 'other'
const firstMethods: readonly string[] = [otherMethod]
/** Of requests without a route; the table of routes tells the others. */
const firstRoutes: readonly string[] = ['unknown']
/**
 * The statuses that are counted from 0 on for every route: answers that are our own fault, of which the first one
 * matters. Others begin with their first answer: a series for each would be most of a scrape.
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
