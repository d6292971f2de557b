import { Counter, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import type { Operation } from '../core/idempotency/idempotency.ts'
import { addClockGauge } from '../core/platform/clock-gauge.ts'
import type { DatabaseClock } from '../core/platform/database-clock.ts'
import type { Database } from '../core/platform/database.ts'
import type { Queues } from '../core/queue/queues.ts'
import { addStateGauges } from './state-metrics.ts'

export interface ApiMetrics {
  registry: Registry
  /** `route` is the route's pattern, never the path: paths have ids in them. */
  observeRequest(route: string, status: number, seconds: number): void
  observeRefusedConnection: () => void
  observeBatch(operation: Operation): (size: number) => void
}

export function createApiMetrics(deps: {
  database: Database
  databaseClock: DatabaseClock
  queues: Queues
}): ApiMetrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  addClockGauge(registry, deps.databaseClock)
  const requests = new Counter({
    name: 'http_requests_total',
    help: 'Requests answered, by route and status.',
    labelNames: ['route', 'status'],
    registers: [registry],
  })
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the headers of the request read to its answer ready, by route.',
    labelNames: ['route'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  const batchSizes = new Histogram({
    name: 'batch_size',
    help: 'Requests that were stored together, by operation.',
    labelNames: ['operation'],
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
    registers: [registry],
  })
  const refusedConnections = new Counter({
    name: 'http_connections_refused_total',
    help: 'Connections that were closed as they came because MAX_CONNECTIONS were open.',
    registers: [registry],
  })
  addStateGauges(registry, deps)
  // Finding a series by its labels takes longer than counting in it. There are as many as routes times statuses.
  const seriesOf = new Map<string, { request: Counter.Internal; duration: Histogram.Internal<'route'> }>()
  return {
    registry,
    observeRequest: (route, status, seconds) => {
      const key = `${status} ${route}`
      let series = seriesOf.get(key)
      if (series === undefined) {
        series = { request: requests.labels({ route, status }), duration: durations.labels({ route }) }
        seriesOf.set(key, series)
      }
      series.request.inc()
      series.duration.observe(seconds)
    },
    observeRefusedConnection: () => {
      refusedConnections.inc()
    },
    observeBatch: (operation) => {
      const sizes = batchSizes.labels({ operation })
      return (size) => {
        sizes.observe(size)
      }
    },
  }
}
