import { Gauge } from 'prom-client'
import type { Registry } from 'prom-client'
import { countPausedSettings } from '../core/casino/read-settings.ts'
import { countOpenCashbacks } from '../core/cashback/read-cashbacks.ts'
import { countContradicted } from '../core/cashback/read-answers.ts'
import { countOverdueSeeds } from '../core/fairness/reveal-seeds.ts'
import { countDoubtfulOrders, countWaitingOrders } from '../core/prize-order/count-waiting-orders.ts'
import { countOpenOrders } from '../core/prize-order/read-orders.ts'
import { withinMs } from '../core/platform/deadline.ts'
import type { Database } from '../core/platform/database.ts'
import { jobNames } from '../core/queue/jobs.ts'
import type { JobName } from '../core/queue/jobs.ts'
import type { Queues } from '../core/queue/queues.ts'
import { countSetAside } from '../core/set-aside/set-aside.ts'
import { countEndpoints } from '../core/webhook/count-endpoints.ts'

/** A scrape must not wait for what is away: Prometheus gives up on a target after ten seconds, and knows nothing then. */
const scrapeTimeoutMs = 1_500

/**
 * Gauges whose values lie in the database and in the queues; they are asked for when Prometheus asks. What cannot be
 * known is absent, and `database_up` or `queue_up` is 0.
 */
export function addStateGauges(registry: Registry, deps: { database: Database; queues: Queues }): void {
  addOutboxGauges(registry, deps.database)
  addSettingsGauge(registry, deps.database)
  addOpenGauge(registry, {
    name: 'cashbacks_open',
    help: 'Cashbacks that a wallet (unknown; of a reversal reversal_unknown) or a person (manual_review, reversal_review) must settle, or that wait because their casino’s wallet is paused, by state. Absent while the database is away.',
    count: () => countOpenCashbacks(deps.database),
  })
  addContradictedGauge(registry, deps.database)
  addOpenGauge(registry, {
    name: 'orders_open',
    help: 'Orders that people must settle, by state: held (confirmed, and kept back), exception, cancel_requested; placed more than three days ago: unconfirmed, unshipped (by people); with a provider that knows nothing of them (parcel_unknown) or says nothing (provider_silent), or that has contradicted them within seven days (contradicted). Absent while the database is away.',
    count: async () => {
      const [open, waiting, doubtful] = await Promise.all([
        countOpenOrders(deps.database),
        countWaitingOrders(deps.database),
        countDoubtfulOrders(deps.database),
      ])
      return new Map<string, number>([...open, ...waiting, ...doubtful])
    },
  })
  addSeedsGauge(registry, deps.database)
  addSetAsideGauge(registry, deps.database)
  addWebhookGauges(registry, deps.database)
  addQueueGauges(registry, deps.queues)
}

interface OutboxState {
  depth: number
  ageSeconds: number
}

function addOutboxGauges(registry: Registry, database: Database): void {
  const ask = shareWhileAsking(() => askOutbox(database))
  const addGauge = (
    name: string,
    help: string,
    valueOf: (state: OutboxState | undefined) => number | undefined,
  ) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const value = valueOf(await ask())
        if (value === undefined) this.remove()
        else this.set(value)
      },
    })
  addGauge('database_up', 'Whether the database answered this scrape.', (state) => (state ? 1 : 0))
  addGauge(
    'outbox_depth',
    'Work that is due and not finished (what rests until a later time is not due). Absent while the database is away.',
    (state) => state?.depth,
  )
  addGauge(
    'outbox_oldest_age_seconds',
    'How long the oldest unfinished work has been waiting. Absent while the database is away.',
    (state) => state?.ageSeconds,
  )
}

async function askOutbox(database: Database): Promise<OutboxState> {
  const [row] = await database.$queryRaw<{ depth: bigint; age: number }[]>`
    SELECT count(*) AS depth, coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 AS age
      FROM outbox WHERE snoozed_until IS NULL OR snoozed_until <= now()`
  return { depth: Number(row?.depth ?? 0), ageSeconds: row?.age ?? 0 }
}

function addSettingsGauge(registry: Registry, database: Database): void {
  const ask = shareWhileAsking(() => countPausedSettings(database))
  new Gauge({
    name: 'settings_paused',
    help: 'Settings of casinos that are paused because a partner refuses us, by setting. Absent while the database is away.',
    labelNames: ['setting'],
    registers: [registry],
    async collect() {
      const counts = await ask()
      this.reset()
      for (const [setting, count] of counts ?? []) this.set({ setting }, count)
    },
  })
}

function addOpenGauge(
  registry: Registry,
  { name, help, count }: { name: string; help: string; count: () => Promise<ReadonlyMap<string, number>> },
): void {
  const ask = shareWhileAsking(count)
  new Gauge({
    name,
    help,
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      const counts = await ask()
      this.reset()
      for (const [state, value] of counts ?? []) this.set({ state }, value)
    },
  })
}

function addSeedsGauge(registry: Registry, database: Database): void {
  const ask = shareWhileAsking(() => countOverdueSeeds(database))
  new Gauge({
    name: 'seeds_overdue',
    help: 'Server seeds that are retired and were not revealed in time. Absent while the database is away.',
    registers: [registry],
    async collect() {
      const count = await ask()
      if (count === undefined) this.remove()
      else this.set(count)
    },
  })
}

function addContradictedGauge(registry: Registry, database: Database): void {
  const ask = shareWhileAsking(() => countContradicted(database))
  new Gauge({
    name: 'cashbacks_contradicted',
    help: 'Cashbacks of which a wallet has said something else within a week than what was on record. Absent while the database is away.',
    registers: [registry],
    async collect() {
      const count = await ask()
      if (count === undefined) this.remove()
      else this.set(count)
    },
  })
}

function addSetAsideGauge(registry: Registry, database: Database): void {
  const ask = shareWhileAsking(() => countSetAside(database))
  new Gauge({
    name: 'objects_set_aside',
    help: 'Objects that a loop of the workers goes around because their rows are damaged, by loop. Absent while the database is away.',
    labelNames: ['loop'],
    registers: [registry],
    async collect() {
      const counts = await ask()
      this.reset()
      for (const [loop, count] of counts ?? []) this.set({ loop }, count)
    },
  })
}

function addWebhookGauges(registry: Registry, database: Database): void {
  const ask = shareWhileAsking(() => countEndpoints(database))
  new Gauge({
    name: 'webhook_endpoints',
    help: 'Webhook endpoints by state: working, failing (nothing gets through), disabled, ahead (of the feed). Absent while the database is away.',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      const counts = await ask()
      this.reset()
      if (counts === undefined) return
      for (const [state, count] of Object.entries(counts.byState)) this.set({ state }, count)
    },
  })
  new Gauge({
    name: 'webhook_feed_oldest_age_seconds',
    help: 'How long the oldest event waits to become deliveries to endpoints that work. Absent while the database is away.',
    registers: [registry],
    async collect() {
      const counts = await ask()
      if (counts === undefined) this.remove()
      else this.set(counts.oldestWaitingSeconds)
    },
  })
}

type JobCounts = Partial<Record<string, number>>

function addQueueGauges(registry: Registry, queues: Queues): void {
  const ask = shareWhileAsking(() => askQueues(queues))
  new Gauge({
    name: 'queue_up',
    help: 'Whether the queue backend answered this scrape.',
    registers: [registry],
    async collect() {
      this.set((await ask()) ? 1 : 0)
    },
  })
  new Gauge({
    name: 'queue_jobs',
    help: 'Jobs in each queue, by state. Absent while the queue backend is away.',
    labelNames: ['queue', 'state'],
    registers: [registry],
    async collect() {
      const countsOfQueues = (await ask()) ?? []
      this.reset()
      for (const [queue, counts] of countsOfQueues) {
        for (const [state, count] of Object.entries(counts)) this.set({ queue, state }, count ?? 0)
      }
    },
  })
}

function askQueues(queues: Queues): Promise<[JobName, JobCounts][]> {
  return Promise.all(
    jobNames.map(async (name): Promise<[JobName, JobCounts]> => {
      const counts = queues.of(name).getJobCounts('waiting', 'active', 'delayed', 'failed', 'completed')
      return [name, await counts]
    }),
  )
}

/**
 * All gauges of a scrape ask at once and get one answer; undefined when there is none in time. An answer that never
 * comes does not keep the next scrape from asking again.
 */
function shareWhileAsking<Value>(ask: () => Promise<Value>): () => Promise<Value | undefined> {
  let asking: Promise<Value | undefined> | undefined
  return () =>
    (asking ??= withinMs(ask(), scrapeTimeoutMs)
      .catch(() => undefined)
      .finally(() => {
        asking = undefined
      }))
}
