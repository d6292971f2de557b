import { Gauge } from 'prom-client'
import type { Registry } from 'prom-client'
import { countPausedSettings } from '../core/casino/read-settings.ts'
import { countOpenCashbacks } from '../core/cashback/read-cashbacks.ts'
import { countContradicted } from '../core/cashback/read-answers.ts'
import { countOverdueSeeds } from '../core/fairness/reveal-seeds.ts'
import { countDoubtfulOrders, countWaitingOrders } from '../core/prize-order/count-waiting-orders.ts'
import { countOpenOrders } from '../core/prize-order/count-open-orders.ts'
import type { Database } from '../core/platform/database.ts'
import { jobNames } from '../core/queue/jobs.ts'
import type { JobName } from '../core/queue/jobs.ts'
import type { Queues } from '../core/queue/queues.ts'
import { countSetAside } from '../core/set-aside/set-aside.ts'
import { countEndpoints } from '../core/webhook/count-endpoints.ts'
import type { EndpointCounts } from '../core/webhook/count-endpoints.ts'
import { createSharedAnswers } from './shared-answers.ts'
import type { Ask } from './shared-answers.ts'

/**
 * Gauges whose values lie in the database and in the queues; they are asked for when Prometheus asks. What cannot be
 * known is absent, and `database_up` or `queue_up` is 0.
 */
export function addStateGauges(
  registry: Registry,
  deps: { database: Database; queues: Queues; nowMs: () => number; keepMs?: number | undefined },
): void {
  const { database, queues } = deps
  const { ofDatabase, ofQueues } = createSharedAnswers(deps)
  addOutboxGauges(
    registry,
    ofDatabase(() => askOutbox(database)),
  )
  addSettingsGauge(
    registry,
    ofDatabase(() => countPausedSettings(database)),
  )
  addOpenGauge(registry, {
    name: 'cashbacks_open',
    help: 'Cashbacks that a wallet (unknown; of a reversal reversal_unknown) or a person (manual_review, reversal_review) must settle, or that wait because their casino’s wallet is paused, by state. Absent while the database is away.',
    ask: ofDatabase(() => countOpenCashbacks(database)),
  })
  addContradictedGauge(
    registry,
    ofDatabase(() => countContradicted(database)),
  )
  addOpenGauge(registry, {
    name: 'orders_open',
    help: 'Orders that people must settle, by state: held (confirmed, and kept back), exception, cancel_requested; placed more than three days ago: unconfirmed, unshipped (by people); with a provider that knows nothing of them (parcel_unknown) or says nothing (provider_silent), or that has contradicted them within seven days (contradicted). Absent while the database is away.',
    ask: ofDatabase(async () => {
      const open = await countOpenOrders(database)
      const waiting = await countWaitingOrders(database)
      return new Map<string, number>([...open, ...waiting, ...(await countDoubtfulOrders(database))])
    }),
  })
  addSeedsGauge(
    registry,
    ofDatabase(() => countOverdueSeeds(database)),
  )
  addSetAsideGauge(
    registry,
    ofDatabase(() => countSetAside(database)),
  )
  addWebhookGauges(
    registry,
    ofDatabase(() => countEndpoints(database)),
  )
  addQueueGauges(
    registry,
    ofQueues(() => askQueues(queues)),
  )
}

interface OutboxState {
  depth: number
  ageSeconds: number
}

function addOutboxGauges(registry: Registry, ask: Ask<OutboxState>): void {
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

function addSettingsGauge(registry: Registry, ask: Ask<ReadonlyMap<string, number>>): void {
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
  { name, help, ask }: { name: string; help: string; ask: Ask<ReadonlyMap<string, number>> },
): void {
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

function addSeedsGauge(registry: Registry, ask: Ask<number>): void {
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

function addContradictedGauge(registry: Registry, ask: Ask<number>): void {
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

function addSetAsideGauge(registry: Registry, ask: Ask<ReadonlyMap<string, number>>): void {
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

function addWebhookGauges(registry: Registry, ask: Ask<EndpointCounts>): void {
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

function addQueueGauges(registry: Registry, ask: Ask<[JobName, JobCounts][]>): void {
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
