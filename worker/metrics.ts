import { Gauge, Registry } from 'prom-client'
import type { UnopenedState } from '../core/fairness/unopened-seeds.ts'
import type { ProviderCallCode, ShipmentStatus } from '../core/partner/provider-outcome.ts'
import { shipmentStatuses } from '../core/partner/provider-outcome.ts'
import type { WalletOutcome } from '../core/partner/wallet-outcome.ts'
import { addBuildInfo } from '../core/platform/build-info.ts'
import { addClockGauge } from '../core/platform/clock-gauge.ts'
import type { Clock } from '../core/platform/clock.ts'
import type { DatabaseClock } from '../core/platform/database-clock.ts'
import { addCounter, addHistogram } from '../core/platform/known-series.ts'
import { addPoolGauges } from '../core/platform/pool-gauges.ts'
import type { PoolsInUse } from '../core/platform/pool-gauges.ts'
import { addProcessMetrics } from '../core/platform/process-metrics.ts'
import type { AnswerFault } from '../core/webhook/delivery.ts'
import type { CalledDeliveryKind } from '../core/webhook/deliver-webhook.ts'
import { jobNames } from '../core/queue/jobs.ts'
import type { JobName, WorkResult } from '../core/queue/jobs.ts'
import { addAuditGauges } from './audit-gauges.ts'
import type { AuditFound } from './audit-gauges.ts'
import { addLoopMetrics } from './loop-metrics.ts'
import type { ObserveTurn } from './loop-metrics.ts'
import { labelOfProblem, reviewLabels } from './review-labels.ts'

export interface WorkerMetrics {
  registry: Registry
  observeJob: (job: JobName, outcome: WorkResult | 'failed', seconds: number) => void
  /** `lagSeconds` is how long the first of them had been due. */
  observeRelayed: (count: number, lagSeconds: number) => void
  observeWalletCall: (outcome: WalletOutcome['kind'], seconds: number) => void
  observeProviderCall: (outcome: ProviderCallCode, seconds: number) => void
  observeWebhookCall: (outcome: CalledDeliveryKind, seconds: number) => void
  /** How old an event was when an endpoint had it. */
  observeDelivery: (ageSeconds: number) => void
  observeEndpointDisabled: (reason: AnswerFault) => void
  /** Shipment updates that contradict their order, by status. */
  observeIgnoredUpdate: (status: ShipmentStatus) => void
  /** A cashback that operators must review, with its problem. */
  observeReview: (problem: string) => void
  /** How many seeds in that state this worker cannot open. */
  observeUnopenedSeeds: (state: UnopenedState, count: number) => void
  observeAudit: (found: AuditFound) => void
  observeTurn: ObserveTurn
}

export function createWorkerMetrics(deps: {
  clock: Clock
  databaseClock: DatabaseClock
  pools: PoolsInUse
}): WorkerMetrics {
  const registry = new Registry()
  addProcessMetrics(registry)
  addBuildInfo(registry, 'worker')
  addClockGauge(registry, deps.databaseClock)
  addPoolGauges(registry, deps.pools)
  const durations = addHistogram(registry, {
    name: 'rewards_job_duration_seconds',
    help: 'Duration of a job, by job_name and outcome.',
    labels: { job_name: jobNames, outcome: ['done', 'nothing_to_do', 'snoozed', 'failed'] },
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30],
  })
  const relayLags = addHistogram(registry, {
    name: 'rewards_outbox_relay_lag_seconds',
    help: 'How long the oldest work of each claim of the relay had been due.',
    labels: {},
    buckets: [0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800],
  })
  const deliveryDelays = addHistogram(registry, {
    name: 'rewards_webhook_event_to_delivery_seconds',
    help: 'Time from an event to the success answer of an endpoint, with all retries and pauses.',
    labels: {},
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3600],
  })
  const relayed = addCounter(registry, {
    name: 'rewards_outbox_relayed_total',
    help: 'Work that the relay added to its queue.',
    labels: {},
  })
  const walletCalls = addHistogram(registry, {
    name: 'rewards_wallet_call_duration_seconds',
    help: 'Duration of a call to a casino’s wallet, by outcome.',
    labels: { outcome: ['credited', 'debited', 'already_processed', 'declined', 'misconfigured', 'unknown'] },
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  })
  const providerCalls = addHistogram(registry, {
    name: 'rewards_provider_call_duration_seconds',
    help: 'Duration of a call to a casino’s fulfilment provider, by outcome.',
    labels: {
      outcome: [
        'accepted',
        'rejected',
        'cancelled',
        'refused',
        'pending',
        'news',
        'parcel_unknown',
        'unknown',
        'misconfigured',
      ],
    },
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  })
  const webhookCalls = addHistogram(registry, {
    name: 'rewards_webhook_call_duration_seconds',
    help: 'Duration of a call to a webhook endpoint, by outcome of the delivery.',
    labels: { outcome: ['delivered', 'retry', 'failed', 'disable', 'superseded'] },
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  })
  const endpointsDisabled = addCounter(registry, {
    name: 'rewards_webhook_endpoints_disabled_total',
    help: 'Webhook endpoints that the service has disabled because of their answers, by reason.',
    labels: { reason: ['failing', 'gone'] },
  })
  const reviews = addCounter(registry, {
    name: 'rewards_cashbacks_reviewed_total',
    help: 'Cashbacks that went into review, by problem.',
    labels: { problem: reviewLabels },
  })
  const ignoredUpdates = addCounter(registry, {
    name: 'rewards_shipment_updates_ignored_total',
    help: 'Shipment updates that contradict an order and changed nothing, by status.',
    labels: { status: shipmentStatuses },
  })
  const unopenedSeeds = new Gauge({
    name: 'rewards_seeds_unopened',
    help: 'Server seeds that this worker could not decrypt when it last tried, by state. Absent until then.',
    labelNames: ['state'],
    registers: [registry],
  })
  return {
    registry,
    observeJob: (job, outcome, seconds) => {
      durations({ job_name: job, outcome }).observe(seconds)
    },
    observeRelayed: (count, lagSeconds) => {
      relayed({}).inc(count)
      relayLags({}).observe(lagSeconds)
    },
    observeWalletCall: (outcome, seconds) => {
      walletCalls({ outcome }).observe(seconds)
    },
    observeProviderCall: (outcome, seconds) => {
      providerCalls({ outcome }).observe(seconds)
    },
    observeWebhookCall: (outcome, seconds) => {
      webhookCalls({ outcome }).observe(seconds)
    },
    observeDelivery: (ageSeconds) => {
      deliveryDelays({}).observe(ageSeconds)
    },
    observeEndpointDisabled: (reason) => {
      endpointsDisabled({ reason }).inc()
    },
    observeIgnoredUpdate: (status) => {
      ignoredUpdates({ status }).inc()
    },
    observeReview: (problem) => {
      reviews({ problem: labelOfProblem(problem) }).inc()
    },
    observeUnopenedSeeds: (state, count) => {
      unopenedSeeds.set({ state }, count)
    },
    observeAudit: addAuditGauges(registry, deps.clock),
    observeTurn: addLoopMetrics(registry, deps.clock),
  }
}
