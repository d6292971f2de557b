import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import type { Operation } from '../core/idempotency/idempotency.ts'
import type { Database } from '../core/platform/database.ts'
import type { Queues } from '../core/queue/queues.ts'
import { jobNames } from '../core/queue/jobs.ts'

export interface ApiMetrics {
  registry: Registry
  /** `route` is the route's pattern, never the path: paths have ids in them. */
  observeRequest(route: string, status: number, seconds: number): void
  observeBatch(operation: Operation): (size: number) => void
}

/** A scrape must not wait for a queue backend that is away. */
const scrapeTimeoutMs = 1_500

export function createApiMetrics(deps: { database: Database; queues: Queues }): ApiMetrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Counter({
    name: 'http_requests_total',
    help: 'Requests answered, by route and status.',
    labelNames: ['route', 'status'],
    registers: [registry],
  })
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the first byte of the request read to the answer handed to the socket.',
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
  addOutboxGauges(registry, deps.database)
  addQueueGauge(registry, deps.queues)
  return {
    registry,
    observeRequest: (route, status, seconds) => {
      requests.inc({ route, status })
      durations.observe({ route }, seconds)
    },
    observeBatch: (operation) => (size) => {
      batchSizes.observe({ operation }, size)
    },
  }
}

function addOutboxGauges(registry: Registry, database: Database): void {
  const depth = new Gauge({
    name: 'outbox_depth',
    help: 'Work that is due and not finished.',
    registers: [registry],
  })
  const age = new Gauge({
    name: 'outbox_oldest_age_seconds',
    help: 'How long the oldest unfinished work has been waiting.',
    registers: [registry],
    async collect() {
      const [row] = await database.$queryRaw<{ depth: bigint; age: number }[]>`
        SELECT count(*) AS depth, coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 AS age FROM outbox`
      depth.set(Number(row?.depth ?? 0))
      age.set(row?.age ?? 0)
    },
  })
}

function addQueueGauge(registry: Registry, queues: Queues): void {
  new Gauge({
    name: 'queue_jobs',
    help: 'Jobs in each queue, by state. Absent while the queue backend is away.',
    labelNames: ['queue', 'state'],
    registers: [registry],
    async collect() {
      this.reset()
      for (const name of jobNames) {
        const counts = await orUndefined(
          queues.of(name).getJobCounts('waiting', 'active', 'delayed', 'failed', 'completed'),
          scrapeTimeoutMs,
        )
        for (const [state, count] of Object.entries(counts ?? {})) this.set({ queue: name, state }, count)
      }
    },
  })
}

/** The value, or undefined when it fails or takes too long. */
async function orUndefined<Value>(promise: Promise<Value>, timeoutMs: number): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      resolve(undefined)
    }, timeoutMs)
  })
  try {
    return await Promise.race([promise, timeout])
  } catch {
    return undefined // an absent gauge is how "unknown" is told to Prometheus
  } finally {
    clearTimeout(timer)
  }
}
