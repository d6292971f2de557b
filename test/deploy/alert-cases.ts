/** Metrics for which an alert must fire, and metrics just below its limit, for which it must not. */
export interface AlertCase {
  fires: Series
  quiet: Series
  /** The labels of the alert, which name the thing that is wrong. */
  labels?: Labels
  /** Courses of events that two constant values cannot show. */
  courses?: readonly Course[]
}

/** Series over a longer time, with all their values, and the alerts that fire at moments of it. */
export interface Course {
  stepSeconds: number
  series: Readonly<Record<string, string>>
  moments: readonly { atSeconds: number; firing: readonly Labels[] }[]
}

type Labels = Readonly<Record<string, string>>

const minute = 60
const hour = 3_600
const day = 86_400

/** Values by series, in the notation of `promtool test rules`; a number stands for a constant value. */
type Series = Readonly<Record<string, number | string>>

/** A gauge just above its limit, and at it. */
function above(series: string, limit: number, labels: Labels = {}): AlertCase {
  return { fires: { [series]: limit + 1 }, quiet: { [series]: limit }, labels }
}

/** A gauge below its limit, and at it. */
function zero(series: string): AlertCase {
  return { fires: { [series]: 0, [`${series}{instance="other"}`]: 1 }, quiet: { [series]: 1 } }
}

/** A counter that counts once now, and one that counted long ago. */
function counts(series: string, labels: Labels = {}): AlertCase {
  return { fires: { [series]: '0 1+0x' }, quiet: { [series]: 1 }, labels }
}

/**
 * An installation of which one kind of process is not read. The courses: one that disappears beside another, is missed
 * for a day, and then counts as removed; and a Prometheus that reads nothing of the service.
 */
function absent(present: string, others: readonly string[]): AlertCase {
  const rest = Object.fromEntries(['rewards_build_info', ...others].map((series) => [series, 1]))
  const installation = (namespace: string, values: string) =>
    Object.fromEntries(
      ['rewards_build_info', present, ...others].map((series) => [inNamespace(namespace, series), values]),
    )
  return {
    fires: rest,
    quiet: { ...rest, [present]: 0 },
    courses: [
      {
        stepSeconds: 4 * minute,
        series: { ...installation('gone', '1x15'), ...installation('left', '1x400') },
        moments: [
          { atSeconds: hour, firing: [] },
          { atSeconds: hour + 16 * minute, firing: [{ namespace: 'gone' }] },
          { atSeconds: day, firing: [{ namespace: 'gone' }] },
          { atSeconds: day + hour + 4 * minute, firing: [] },
        ],
      },
      {
        stepSeconds: minute,
        series: { up: '1x10' },
        moments: [{ atSeconds: 6 * minute, firing: [{}] }],
      },
    ],
  }
}

/** The same series of one installation of several. */
export function inNamespace(namespace: string, series: string): string {
  const [, name = '', labels = ''] = /^(\w+)(?:\{(.*)\})?$/.exec(series) ?? []
  return `${name}{namespace="${namespace}"${labels === '' ? '' : `,${labels}`}}`
}

/** Of each 10,000 requests for an operation, `failed` get 500 or 503. */
function failing(failed: number): Series {
  const series = (method: string, status: number) =>
    `rewards_http_requests_total{method="${method}",route="/prize/order",status="${status}"}`
  return {
    [series('POST', 500)]: '0+1x',
    [series('POST', 503)]: `0+${failed - 1}x`,
    [series('POST', 200)]: `0+${10_000 - failed}x`,
    // Failures of other routes do not count.
    'rewards_http_requests_total{method="GET",route="/boxes",status="500"}': '0+10000x',
  }
}

/** How much faster than allowed the budget is used, and the windows in which that shows. */
interface Burn {
  factor: number
  longSeconds: number
  shortSeconds: number
  forSeconds: number
}

const operations = ['/box/open', '/prize/order', '/prize/cashback']

/**
 * Failures of every operation that last three short windows, after a long window without any. They pass the limit of
 * the long window after two short ones; when they are over, the short window falls below its limit once a sixth of it
 * is left. So a window of another length shows, and so does an operation that is not counted.
 */
function burst({ factor, longSeconds, shortSeconds, forSeconds }: Burn): Course {
  const stepSeconds = shortSeconds / 30
  const steps = { clean: longSeconds / stepSeconds, failing: 90, after: 30 }
  const requests = 1_000_000
  const failed = Math.round((requests * factor * 0.001 * longSeconds) / (2 * shortSeconds))
  /** A counter that grows by one number a step while all is well, and by another while requests fail. */
  const counter = (well: number, badly: number) => {
    const beginsAt = steps.clean * well
    const endsAt = beginsAt + steps.failing * badly
    return [
      `0+${well}x${steps.clean}`,
      `${beginsAt + badly}+${badly}x${steps.failing - 1}`,
      `${endsAt + well}+${well}x${steps.after - 1}`,
    ].join(' ')
  }
  const series = operations.flatMap((route) => [
    [`rewards_http_requests_total{route="${route}",status="200"}`, counter(requests, requests - failed)],
    [`rewards_http_requests_total{route="${route}",status="503"}`, counter(0, failed)],
  ])
  const overSeconds = longSeconds + 3 * shortSeconds
  const everyOperation = operations.map((route) => ({ route }))
  return {
    stepSeconds,
    series: Object.fromEntries(series) as Course['series'],
    moments: [
      // A spike: it has filled the short window, but not enough of the long one.
      { atSeconds: longSeconds + 1.9 * shortSeconds + forSeconds, firing: [] },
      { atSeconds: longSeconds + 2.1 * shortSeconds + forSeconds, firing: everyOperation },
      { atSeconds: overSeconds + 0.75 * shortSeconds, firing: everyOperation },
      // A burst of the past, which the long window still has.
      { atSeconds: overSeconds + 0.9 * shortSeconds, firing: [] },
    ],
  }
}

const ofOrders = { route: '/prize/order' }
const api = 'rewards_http_requests_total{route="/box/open"}'
const manage = 'rewards_database_up'
const worker = 'rewards_job_duration_seconds_count'

/** One for each alert of deploy/prometheus, by its name. */
export const alertCases: Readonly<Record<string, AlertCase>> = {
  RewardsBudgetBurnsFast: {
    fires: failing(145),
    quiet: failing(143),
    labels: ofOrders,
    courses: [burst({ factor: 14.4, longSeconds: hour, shortSeconds: 5 * minute, forSeconds: 2 * minute })],
  },
  RewardsBudgetBurnsSteadily: {
    fires: failing(61),
    quiet: failing(59),
    labels: ofOrders,
    courses: [
      burst({ factor: 6, longSeconds: 6 * hour, shortSeconds: 30 * minute, forSeconds: 15 * minute }),
    ],
  },
  RewardsBudgetBurnsSlowly: {
    fires: failing(31),
    quiet: failing(29),
    labels: ofOrders,
    courses: [burst({ factor: 3, longSeconds: day, shortSeconds: 2 * hour, forSeconds: hour })],
  },
  RewardsBudgetBurnsLastingly: {
    fires: failing(11),
    quiet: failing(9),
    labels: ofOrders,
    courses: [burst({ factor: 1, longSeconds: 3 * day, shortSeconds: 6 * hour, forSeconds: 3 * hour })],
  },

  RewardsOutboxAge: above('rewards_outbox_oldest_age_seconds', 60),
  RewardsStateQuestionUnanswered: {
    fires: {
      'rewards_state_question_up{question="seeds"}': 0,
      rewards_database_up: 1,
      // It has no part in the answer.
      rewards_queue_up: 0,
    },
    quiet: {
      'rewards_state_question_up{question="seeds"}': 1,
      'rewards_state_question_up{question="queues"}': 0,
      rewards_database_up: 1,
      rewards_queue_up: 0,
    },
    labels: { question: 'seeds' },
    courses: [
      {
        stepSeconds: minute,
        series: { 'rewards_state_question_up{question="seeds"}': '0x10', rewards_database_up: '0x10' },
        moments: [{ atSeconds: 9 * minute, firing: [] }],
      },
    ],
  },
  RewardsJobsFailed: above('rewards_queue_jobs{queue="credit-cashback",state="failed"}', 0, {
    queue: 'credit-cashback',
  }),
  RewardsJobsKeepFailing: {
    fires: { 'rewards_job_duration_seconds_count{job_name="carry-out-act",outcome="failed"}': '0+1x' },
    quiet: {
      'rewards_job_duration_seconds_count{job_name="carry-out-act",outcome="failed"}': 7,
      'rewards_job_duration_seconds_count{job_name="carry-out-act",outcome="done"}': '0+1x',
    },
    labels: { job_name: 'carry-out-act' },
  },
  RewardsLoopFails: {
    fires: {
      'rewards_loop_failures_total{instance="a",loop="expire-prizes"}': '0+5x',
      // It succeeded long ago.
      'rewards_loop_last_success_timestamp_seconds{instance="a",loop="expire-prizes"}': 7,
      'rewards_loop_failures_total{instance="b",loop="expire-prizes"}': 0,
      'rewards_loop_last_success_timestamp_seconds{instance="b",loop="expire-prizes"}': '7+15x',
    },
    quiet: {
      'rewards_loop_failures_total{instance="a",loop="expire-prizes"}': '0+5x',
      'rewards_loop_last_success_timestamp_seconds{instance="a",loop="expire-prizes"}': '7+15x',
    },
    labels: { loop: 'expire-prizes' },
    courses: [
      {
        // An outage of the database, of a single installation: one ticket for each loop would say nothing new.
        stepSeconds: minute,
        series: {
          rewards_database_up: '1x5 0x20 1x20',
          'rewards_loop_failures_total{loop="prune-minutes"}': '0x5 1+1x21 22x20',
          'rewards_loop_last_success_timestamp_seconds{loop="prune-minutes"}': '0+60x5 300x21 1680+60x20',
        },
        moments: [5, 10, 15, 20, 25, 27, 30, 35, 40].map((minutes) => ({
          atSeconds: minutes * minute,
          firing: [],
        })),
      },
      {
        // The same, beside another installation whose database answers.
        stepSeconds: minute,
        series: {
          'rewards_database_up{namespace="down"}': '0x20',
          'rewards_database_up{namespace="up"}': '1x20',
          'rewards_loop_failures_total{loop="prune-minutes",namespace="down"}': '0+1x20',
          'rewards_loop_failures_total{loop="prune-minutes",namespace="up"}': '0+1x20',
        },
        moments: [{ atSeconds: 15 * minute, firing: [{ loop: 'prune-minutes', namespace: 'up' }] }],
      },
      {
        // One turn a minute: a few failures, then success, and then only failures.
        stepSeconds: minute,
        series: {
          'rewards_loop_failures_total{loop="prune-minutes"}': '0x10 1+1x5 6x20 7+1x40',
          'rewards_loop_last_success_timestamp_seconds{loop="prune-minutes"}':
            '0+60x10 600x5 960+60x20 2160x40',
        },
        moments: [
          { atSeconds: 20 * minute, firing: [] },
          { atSeconds: 36 * minute, firing: [] },
          { atSeconds: 50 * minute, firing: [] },
          { atSeconds: 56 * minute, firing: [{ loop: 'prune-minutes' }] },
        ],
      },
      {
        // A worker in which it has never succeeded.
        stepSeconds: minute,
        series: { 'rewards_loop_failures_total{loop="chain-audit"}': '0+1x20' },
        moments: [
          { atSeconds: 4 * minute, firing: [] },
          { atSeconds: 15 * minute, firing: [{ loop: 'chain-audit' }] },
        ],
      },
    ],
  },
  RewardsEventFeedHeldUp: above('rewards_webhook_feed_oldest_age_seconds', 60),
  RewardsProcessStandsStill: {
    fires: {
      'nodejs_eventloop_lag_max_seconds{instance="a",job="rewards"}': 1.3,
      'rewards_build_info{instance="a",job="rewards",program="api"}': 1,
    },
    quiet: {
      'nodejs_eventloop_lag_max_seconds{instance="a",job="rewards"}': 1.2,
      'rewards_build_info{instance="a",job="rewards",program="api"}': 1,
      // Another Node program.
      'nodejs_eventloop_lag_max_seconds{instance="b",job="another"}': 9,
    },
    labels: { instance: 'a' },
  },
  RewardsDatabaseDown: zero('rewards_database_up'),
  RewardsReplicaUnused: zero('rewards_replica_up'),
  RewardsClockOff: {
    fires: {
      'rewards_clock_skew_seconds{instance="a"}': -2.1,
      'rewards_clock_skew_seconds{instance="b"}': 1,
    },
    quiet: { 'rewards_clock_skew_seconds{instance="a"}': -2 },
    labels: { instance: 'a' },
  },
  RewardsQueueBackendDown: zero('rewards_queue_up'),
  RewardsStatementsWait: above('rewards_pool_waiting_statements{instance="a",pool="play"}', 0, {
    instance: 'a',
    pool: 'play',
  }),
  RewardsOldSnapshot: above('rewards_database_oldest_snapshot_age_seconds', 3_600),
  RewardsDeadRows: above('rewards_database_rows{table="event",state="dead"}', 1_000_000, { table: 'event' }),
  RewardsTargetDown: {
    fires: {
      'up{instance="a",job="rewards"}': 0,
      'up{instance="b",job="rewards"}': 1,
      'rewards_build_info{instance="b",job="rewards"}': 1,
    },
    quiet: {
      'up{instance="b",job="rewards"}': 1,
      'rewards_build_info{instance="b",job="rewards"}': 1,
      // Another program.
      'up{instance="c",job="another"}': 0,
    },
    labels: { instance: 'a', job: 'rewards' },
    courses: [
      {
        // The only process of its job: it has been read before.
        stepSeconds: minute,
        series: {
          'up{instance="a",job="rewards"}': '1x10 0x30',
          'rewards_build_info{instance="a",job="rewards"}': '1x10',
        },
        moments: [
          { atSeconds: 15 * minute, firing: [] },
          { atSeconds: 30 * minute, firing: [{ instance: 'a', job: 'rewards' }] },
        ],
      },
    ],
  },
  RewardsApiMetricsAbsent: absent(api, [manage, worker]),
  RewardsManageMetricsAbsent: absent(manage, [api, worker]),
  RewardsWorkerMetricsAbsent: absent(worker, [api, manage]),

  RewardsCashbacksWait: above('rewards_cashback_unsettled_oldest_age_seconds', 900),
  RewardsOrdersWaitToBeSubmitted: above('rewards_order_unsubmitted_oldest_age_seconds', 3_600),
  RewardsPartnerPaused: above('rewards_settings_paused{setting="wallet"}', 0, { setting: 'wallet' }),
  RewardsWalletMovedAnotherAmount: counts('rewards_cashbacks_reviewed_total{problem="amount_mismatch"}'),
  RewardsCashbacksUnderReview: above('rewards_cashbacks_open{state="manual_review"}', 0),
  RewardsReversalsUnderReview: above('rewards_cashbacks_open{state="reversal_review"}', 0),
  RewardsCashbacksPaused: above('rewards_cashbacks_open{state="paused"}', 0),
  RewardsCashbackContradicted: above('rewards_cashbacks_contradicted', 0),
  RewardsOrdersWaitForOperator: above('rewards_orders_open{state="held"}', 0, { state: 'held' }),
  RewardsProviderLeavesOrders: above('rewards_orders_open{state="provider_silent"}', 0, {
    state: 'provider_silent',
  }),
  RewardsOrderContradicted: above('rewards_orders_open{state="contradicted"}', 0),
  RewardsShipmentUpdateIgnored: counts('rewards_shipment_updates_ignored_total{status="shipped"}', {
    status: 'shipped',
  }),
  RewardsWalletsDoNotAnswer: above('rewards_cashbacks_open{state="reversal_unknown"}', 100, {
    state: 'reversal_unknown',
  }),
  RewardsWebhookEndpointDisabled: counts('rewards_webhook_endpoints_disabled_total{reason="gone"}', {
    reason: 'gone',
  }),
  RewardsWebhookEndpointsFailing: above('rewards_webhook_endpoints{state="failing"}', 0),
  RewardsWebhookEndpointsFull: above('rewards_webhook_endpoints{state="full"}', 0),

  RewardsSeedsOverdue: above('rewards_seeds_overdue', 0),
  RewardsSeedsUnopened: above('rewards_seeds_unopened{state="active"}', 0, { state: 'active' }),
  RewardsRowsDamaged: above('rewards_objects_set_aside{loop="expire-prizes"}', 0, { loop: 'expire-prizes' }),
  RewardsAuditHeadsLost: above('rewards_audit_heads_lost', 0),
  RewardsAuditChainsBroken: above('rewards_audit_chains_broken', 0),
  RewardsAuditEntriesRefused: {
    fires: { rewards_audit_entries_refused: '3 4+0x' },
    quiet: { rewards_audit_entries_refused: 4 },
    courses: [
      {
        // A worker that starts beside one that has seen the same old refusals, then alone.
        stepSeconds: minute,
        series: {
          'rewards_audit_entries_refused{instance="old"}': '3x20',
          'rewards_audit_entries_refused{instance="new"}': '_x10 3x60',
        },
        moments: [
          { atSeconds: 12 * minute, firing: [] },
          { atSeconds: hour, firing: [] },
        ],
      },
      {
        // All workers are replaced, and an entry is refused while there is no worker.
        stepSeconds: 5 * minute,
        series: {
          'rewards_audit_entries_refused{instance="old"}': '3x12',
          'rewards_audit_entries_refused{instance="new"}': '_x47 4x400',
        },
        moments: [
          { atSeconds: 3 * hour, firing: [] },
          { atSeconds: 5 * hour, firing: [{}] },
          { atSeconds: day, firing: [{}] },
          // The last sample of the old count is a day old.
          { atSeconds: day + 2 * hour, firing: [] },
        ],
      },
    ],
  },
  RewardsAuditUnchained: above('rewards_audit_unchained_oldest_age_seconds', 300),
}
