import { Gauge } from 'prom-client'
import type { Registry } from 'prom-client'
import { findOldestUnsettled } from '../core/cashback/oldest-unsettled.ts'
import { countContradicted } from '../core/cashback/read-answers.ts'
import { countOpenCashbacks } from '../core/cashback/read-cashbacks.ts'
import { countPausedSettings } from '../core/casino/read-settings.ts'
import { countOverdueSeeds } from '../core/fairness/reveal-seeds.ts'
import { readOutboxState } from '../core/outbox/outbox-state.ts'
import type { Database } from '../core/platform/database.ts'
import type { Logger } from '../core/platform/logger.ts'
import type { WaitingCasino } from '../core/platform/waiting-casino.ts'
import { countOpenOrders } from '../core/prize-order/count-open-orders.ts'
import { countDoubtfulOrders, countWaitingOrders } from '../core/prize-order/count-waiting-orders.ts'
import { findOldestUnsubmitted } from '../core/prize-order/oldest-unsubmitted.ts'
import { countJobs } from '../core/queue/count-jobs.ts'
import type { JobCounts } from '../core/queue/count-jobs.ts'
import type { JobName } from '../core/queue/jobs.ts'
import type { Queues } from '../core/queue/queues.ts'
import { countSetAside } from '../core/set-aside/set-aside.ts'
import { countEndpoints } from '../core/webhook/count-endpoints.ts'
import { addLabelledGauge, addNumberGauge } from './gauges.ts'
import { createSharedAnswers } from './shared-answers.ts'
import type { Ask } from './shared-answers.ts'
import { addVacuumGauges } from './vacuum-gauges.ts'

export interface StateDeps {
  database: Database
  pingDatabase: () => Promise<void>
  queues: Queues
  log: Logger
  nowMs: () => number
  keepMs?: number | undefined
}

/**
 * Gauges of the database and the queues, which are read when Prometheus scrapes them. Unknown values are absent, and
 * `rewards_state_question_up` says which question had no answer.
 */
export function addStateGauges(registry: Registry, deps: StateDeps): void {
  const { database, queues } = deps
  const { ask, asks } = createSharedAnswers(deps)

  // Asked beside the others, of the third connection: it must be known when the others hang.
  const pinged = ask('database', () => deps.pingDatabase().then(() => true), { isOfDatabase: false })
  addUpGauge(
    registry,
    { name: 'rewards_database_up', help: 'Whether the database answered this scrape.' },
    pinged,
  )
  const outbox = ask('outbox', () => readOutboxState(database))
  addNumberGauge(
    registry,
    {
      name: 'rewards_outbox_depth',
      help: 'Work that is due and not finished (what rests until a later time is not due), of the 100,000 rows that are due soonest.',
    },
    outbox,
    ({ depth }) => depth,
  )
  addNumberGauge(
    registry,
    {
      name: 'rewards_outbox_oldest_age_seconds',
      help: 'How long the oldest unfinished work of these has been due.',
    },
    outbox,
    ({ ageSeconds }) => ageSeconds,
  )
  addLabelledGauge(
    registry,
    {
      name: 'rewards_settings_paused',
      help: 'Settings of casinos that are paused because a partner rejects the credentials of the service, by setting.',
      label: 'setting',
    },
    [ask('settings', () => countPausedSettings(database))],
  )
  addLabelledGauge(
    registry,
    {
      name: 'rewards_cashbacks_open',
      help: 'Cashbacks that a wallet (unknown; of a reversal reversal_unknown) or a person (manual_review, reversal_review) must settle, or that wait because their casino’s wallet is paused, by state. Counted up to 10,000.',
      label: 'state',
    },
    [ask('cashbacks_open', () => countOpenCashbacks(database))],
  )
  addNumberGauge(
    registry,
    {
      name: 'rewards_cashbacks_contradicted',
      help: 'Cashbacks of which a wallet has said something else within a week than what was on record.',
    },
    ask('cashbacks_contradicted', () => countContradicted(database)),
    (count) => count,
  )
  addWaitingGauge(
    registry,
    {
      name: 'rewards_cashback_unsettled_oldest_age_seconds',
      help: 'How long the oldest cashback, or reversal of one, has been waiting to be settled since it was asked for, whatever it waits for: of all casinos, and by casino of the ten that have waited longest, from a minute on.',
    },
    ask('cashbacks_unsettled', () => findOldestUnsettled(database, worstMax)),
  )
  addWaitingGauge(
    registry,
    {
      name: 'rewards_order_unsubmitted_oldest_age_seconds',
      help: 'How long the oldest order has been waiting to be submitted since it was confirmed, whatever it waits for but a hold: of all casinos, and by casino of the ten that have waited longest, from a minute on.',
    },
    ask('orders_unsubmitted', () => findOldestUnsubmitted(database, worstMax)),
  )
  addLabelledGauge(
    registry,
    {
      name: 'rewards_orders_open',
      help: 'Orders that people must settle, by state: held (confirmed, and kept back), exception, cancel_requested; placed more than three days ago: unconfirmed, unshipped (by people); with a provider that knows nothing of them (parcel_unknown) or says nothing (provider_silent), or that has contradicted them within seven days (contradicted). Counted up to 10,000.',
      label: 'state',
    },
    [
      ask('orders_open', () => countOpenOrders(database)),
      ask('orders_waiting', () => countWaitingOrders(database)),
      ask('orders_doubtful', () => countDoubtfulOrders(database)),
    ],
  )
  addNumberGauge(
    registry,
    { name: 'rewards_seeds_overdue', help: 'Server seeds that are retired and were not revealed in time.' },
    ask('seeds', () => countOverdueSeeds(database)),
    (count) => count,
  )
  addLabelledGauge(
    registry,
    {
      name: 'rewards_objects_set_aside',
      help: 'Objects that a loop of the workers goes around because their rows are damaged, by loop.',
      label: 'loop',
    },
    [ask('set_aside', () => countSetAside(database))],
  )
  const endpoints = ask('webhook_endpoints', () => countEndpoints(database))
  addLabelledGauge(
    registry,
    {
      name: 'rewards_webhook_endpoints',
      help: 'Webhook endpoints by state: working, failing (nothing gets through), disabled; of these also full (events come faster than it takes them) and ahead (of the feed).',
      label: 'state',
    },
    [mapped(endpoints, ({ byState }) => new Map(Object.entries(byState)))],
  )
  addNumberGauge(
    registry,
    {
      name: 'rewards_webhook_feed_oldest_age_seconds',
      help: 'How long the oldest event waits to become deliveries to endpoints that work.',
    },
    endpoints,
    ({ oldestWaitingSeconds }) => oldestWaitingSeconds,
  )
  addVacuumGauges(registry, database, ask)
  addQueueGauges(
    registry,
    ask('queues', () => countJobs(queues), { isOfDatabase: false }),
  )
  addLabelledGauge(
    registry,
    {
      name: 'rewards_state_question_up',
      help: 'Whether a question that gauges are made of was answered for this scrape. Those that it is for are absent otherwise.',
      label: 'question',
    },
    [
      async () =>
        new Map(
          await Promise.all(
            [...asks].map(
              async ([name, question]) => [name, (await question()) === undefined ? 0 : 1] as const,
            ),
          ),
        ),
    ],
  )
}

/** Enough to see where trouble is, and a bounded number of series. */
const worstMax = 10
/** A shorter wait is normal, and would only add a series. */
const waitingSecondsMin = 60

function mapped<Answer, Value>(ask: Ask<Answer>, valueOf: (answer: Answer) => Value): Ask<Value> {
  return async () => {
    const answer = await ask()
    return answer === undefined ? undefined : valueOf(answer)
  }
}

function addUpGauge(registry: Registry, named: { name: string; help: string }, ask: Ask<unknown>): void {
  new Gauge({
    ...named,
    registers: [registry],
    async collect() {
      this.set((await ask()) === undefined ? 0 : 1)
    },
  })
}

/** The value without a label is for all casinos, and exists from the start. */
function addWaitingGauge(
  registry: Registry,
  named: { name: string; help: string },
  ask: Ask<readonly WaitingCasino[]>,
): void {
  new Gauge({
    ...named,
    labelNames: ['casino'],
    registers: [registry],
    async collect() {
      const worst = await ask()
      this.reset()
      if (worst === undefined) return
      this.set(worst[0]?.seconds ?? 0)
      for (const { casinoId, seconds } of worst) {
        if (seconds >= waitingSecondsMin) this.set({ casino: casinoId }, seconds)
      }
    },
  })
}

function addQueueGauges(registry: Registry, ask: Ask<[JobName, JobCounts][]>): void {
  addUpGauge(
    registry,
    { name: 'rewards_queue_up', help: 'Whether the queue backend answered this scrape.' },
    ask,
  )
  new Gauge({
    name: 'rewards_queue_jobs',
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
