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
import { countOpenOrders } from '../core/prize-order/count-open-orders.ts'
import { countDoubtfulOrders, countWaitingOrders } from '../core/prize-order/count-waiting-orders.ts'
import { findOldestUnsubmitted } from '../core/prize-order/oldest-unsubmitted.ts'
import { countJobs } from '../core/queue/count-jobs.ts'
import type { JobCounts } from '../core/queue/count-jobs.ts'
import type { JobName } from '../core/queue/jobs.ts'
import type { Queues } from '../core/queue/queues.ts'
import { countSetAside } from '../core/set-aside/set-aside.ts'
import { countEndpoints } from '../core/webhook/count-endpoints.ts'
import { addLabelledGauge, addNumberGauge, addUpGauge, addWaitingGauge } from './gauges.ts'
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
    {
      name: 'rewards_database_up',
      help: '1 if the database answered this scrape within 1.5 seconds, otherwise 0.',
    },
    pinged,
  )
  const outbox = ask('outbox', () => readOutboxState(database))
  addNumberGauge(
    registry,
    {
      name: 'rewards_outbox_depth',
      help: 'Work that is due and not finished, among the 100,000 rows that are due first. Snoozed work is not due.',
    },
    outbox,
    ({ depth }) => depth,
  )
  addNumberGauge(
    registry,
    {
      name: 'rewards_outbox_oldest_age_seconds',
      help: 'How long the oldest work of rewards_outbox_depth has been due.',
    },
    outbox,
    ({ ageSeconds }) => ageSeconds,
  )
  addLabelledGauge(
    registry,
    {
      name: 'rewards_settings_paused',
      help: 'Settings of casinos that are paused because a partner refuses the service, by setting.',
      label: 'setting',
    },
    [ask('settings', () => countPausedSettings(database))],
  )
  addLabelledGauge(
    registry,
    {
      name: 'rewards_cashbacks_open',
      help: 'Cashbacks that a wallet (unknown, reversal_unknown) or an operator (manual_review, reversal_review) must settle, or that wait for a paused wallet (paused), by state. Counted up to 10,000.',
      label: 'state',
    },
    [ask('cashbacks_open', () => countOpenCashbacks(database))],
  )
  addNumberGauge(
    registry,
    {
      name: 'rewards_cashbacks_contradicted',
      help: 'Cashbacks whose record a wallet has contradicted within seven days.',
    },
    ask('cashbacks_contradicted', () => countContradicted(database)),
    (count) => count,
  )
  addWaitingGauge(
    registry,
    {
      name: 'rewards_cashback_unsettled_oldest_age_seconds',
      help: 'Time since the request of the oldest unsettled cashback: for all casinos, and by casino for the ten that wait longest, from a minute on.',
    },
    ask('cashbacks_unsettled', () => findOldestUnsettled(database, worstMax)),
  )
  addWaitingGauge(
    registry,
    {
      name: 'rewards_order_unsubmitted_oldest_age_seconds',
      help: 'Time since the confirmation of the oldest unsubmitted order, except held ones: for all casinos, and by casino for the ten that wait longest, from a minute on.',
    },
    ask('orders_unsubmitted', () => findOldestUnsubmitted(database, worstMax)),
  )
  addLabelledGauge(
    registry,
    {
      name: 'rewards_orders_open',
      help: 'Orders that an operator must settle, by state: held, exception, cancel_requested, unconfirmed, unshipped, parcel_unknown, provider_silent, contradicted. Counted up to 10,000.',
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
    {
      name: 'rewards_seeds_overdue',
      help: 'Retired server seeds that were not revealed within five minutes. Counted up to 10,000.',
    },
    ask('seeds', () => countOverdueSeeds(database)),
    (count) => count,
  )
  addLabelledGauge(
    registry,
    {
      name: 'rewards_objects_set_aside',
      help: 'Objects that a loop of the workers skips because their rows are damaged, by loop. Counted up to 10,000.',
      label: 'loop',
    },
    [ask('set_aside', () => countSetAside(database))],
  )
  const endpoints = ask('webhook_endpoints', () => countEndpoints(database))
  addLabelledGauge(
    registry,
    {
      name: 'rewards_webhook_endpoints',
      help: 'Webhook endpoints, by state: working, failing or disabled; of these also full (events arrive faster than it accepts them) and ahead (of the feed).',
      label: 'state',
    },
    [mapped(endpoints, ({ byState }) => new Map(Object.entries(byState)))],
  )
  addNumberGauge(
    registry,
    {
      name: 'rewards_webhook_feed_oldest_age_seconds',
      help: 'Age of the oldest event that has no deliveries yet, for endpoints that work and are not full.',
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
      help: '1 if a query behind gauges was answered for this scrape, otherwise 0, by question. Without an answer its gauges are absent.',
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

function mapped<Answer, Value>(ask: Ask<Answer>, valueOf: (answer: Answer) => Value): Ask<Value> {
  return async () => {
    const answer = await ask()
    return answer === undefined ? undefined : valueOf(answer)
  }
}

function addQueueGauges(registry: Registry, ask: Ask<[JobName, JobCounts][]>): void {
  addUpGauge(
    registry,
    {
      name: 'rewards_queue_up',
      help: '1 if the queue backend answered this scrape within 1.5 seconds, otherwise 0.',
    },
    ask,
  )
  new Gauge({
    name: 'rewards_queue_jobs',
    help: 'Jobs in each queue, by state. Absent while the queue backend is unreachable.',
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
