/** Metrics for which an alert must fire, and metrics just below its limit, for which it must not. */
export interface AlertCase {
  fires: Series
  quiet: Series
  /** The labels of the alert, which name the thing that is wrong. */
  labels?: Readonly<Record<string, string>>
}

/** Values by series, in the notation of `promtool test rules`; a number stands for a constant value. */
type Series = Readonly<Record<string, number | string>>

/** A gauge just above its limit, and at it. */
function above(series: string, limit: number, labels: Readonly<Record<string, string>> = {}): AlertCase {
  return { fires: { [series]: limit + 1 }, quiet: { [series]: limit }, labels }
}

/** A gauge below its limit, and at it. */
function zero(series: string): AlertCase {
  return { fires: { [series]: 0, [`${series}{instance="other"}`]: 1 }, quiet: { [series]: 1 } }
}

/** A counter that counts once now, and one that counted long ago. */
function counts(series: string, labels: Readonly<Record<string, string>> = {}): AlertCase {
  return { fires: { [series]: '0 1+0x' }, quiet: { [series]: 1 }, labels }
}

function absent(
  present: string,
  others: readonly string[],
  labels: Readonly<Record<string, string>> = {},
): AlertCase {
  const rest = Object.fromEntries(others.map((series) => [series, 1]))
  return { fires: rest, quiet: { ...rest, [present]: 0 }, labels }
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

const ofOrders = { route: '/prize/order' }
const api = 'rewards_http_requests_total{route="/box/open"}'
const manage = 'rewards_database_up'
const worker = 'rewards_job_duration_seconds_count'

/** One for each alert of deploy/prometheus, by its name. */
export const alertCases: Readonly<Record<string, AlertCase>> = {
  RewardsBudgetBurnsFast: { fires: failing(145), quiet: failing(143), labels: ofOrders },
  RewardsBudgetBurnsSteadily: { fires: failing(61), quiet: failing(59), labels: ofOrders },
  RewardsBudgetBurnsSlowly: { fires: failing(31), quiet: failing(29), labels: ofOrders },
  RewardsBudgetBurnsLastingly: { fires: failing(11), quiet: failing(9), labels: ofOrders },

  RewardsOutboxAge: above('rewards_outbox_oldest_age_seconds', 60),
  RewardsStateQuestionUnanswered: {
    fires: {
      'rewards_state_question_up{question="seeds"}': 0,
      rewards_database_up: 1,
      rewards_queue_up: 1,
    },
    quiet: { 'rewards_state_question_up{question="seeds"}': 0, rewards_database_up: 0, rewards_queue_up: 1 },
    labels: { question: 'seeds' },
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
  RewardsEventFeedHeldUp: above('rewards_webhook_feed_oldest_age_seconds', 60),
  RewardsProcessStandsStill: {
    fires: {
      'nodejs_eventloop_lag_max_seconds{instance="a",job="rewards"}': 1.1,
      'rewards_build_info{instance="a",job="rewards",program="api"}': 1,
    },
    quiet: {
      'nodejs_eventloop_lag_max_seconds{instance="a",job="rewards"}': 1,
      'rewards_build_info{instance="a",job="rewards",program="api"}': 1,
      // Another Node program.
      'nodejs_eventloop_lag_max_seconds{instance="b",job="another"}': 9,
    },
  },
  RewardsDatabaseDown: zero('rewards_database_up'),
  RewardsReplicaUnused: zero('rewards_replica_up'),
  RewardsClockOff: {
    fires: { rewards_clock_skew_seconds: -2.1 },
    quiet: { rewards_clock_skew_seconds: -2 },
  },
  RewardsQueueBackendDown: zero('rewards_queue_up'),
  RewardsStatementsWait: above('rewards_pool_waiting_statements{instance="a",pool="play"}', 0, {
    instance: 'a',
    pool: 'play',
  }),
  RewardsOldSnapshot: above('rewards_database_oldest_snapshot_age_seconds', 3_600),
  RewardsDeadRows: above('rewards_database_rows{table="event",state="dead"}', 1_000_000, { table: 'event' }),
  RewardsApiMetricsAbsent: absent(api, [manage, worker], { route: '/box/open' }),
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
  RewardsAuditEntriesRefused: counts('rewards_audit_entries_refused'),
  RewardsAuditUnchained: above('rewards_audit_unchained_oldest_age_seconds', 300),
}
