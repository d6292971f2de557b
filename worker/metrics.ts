import { Gauge, Registry, collectDefaultMetrics } from 'prom-client'
import type { UnopenedState } from '../core/fairness/unopened-seeds.ts'
import type { ProviderCallKind, ShipmentStatus } from '../core/partner/provider-outcome.ts'
import { shipmentStatuses } from '../core/partner/provider-outcome.ts'
import type { WalletOutcome } from '../core/partner/wallet-outcome.ts'
import { addClockGauge } from '../core/platform/clock-gauge.ts'
import type { DatabaseClock } from '../core/platform/database-clock.ts'
import { addCounter, addHistogram } from '../core/platform/known-series.ts'
import type { AnswerFault } from '../core/webhook/delivery.ts'
import type { CalledDeliveryKind } from '../core/webhook/deliver-webhook.ts'
import { jobNames } from '../core/queue/jobs.ts'
import type { JobName, WorkResult } from '../core/queue/jobs.ts'
import { labelOfProblem, reviewLabels } from './review-labels.ts'

export interface WorkerMetrics {
  registry: Registry
  observeJob: (job: JobName, outcome: WorkResult | 'failed', seconds: number) => void
  observeRelayed: (count: number) => void
  observeWalletCall: (outcome: WalletOutcome['kind'], seconds: number) => void
  observeProviderCall: (outcome: ProviderCallKind, seconds: number) => void
  observeWebhookCall: (outcome: CalledDeliveryKind, seconds: number) => void
  observeEndpointDisabled: (reason: AnswerFault) => void
  /** Shipment updates that contradict their order, by status. */
  observeIgnoredUpdate: (status: ShipmentStatus) => void
  /** A cashback that people must look at, and why. */
  observeReview: (problem: string) => void
  /** How many seeds in that state this worker cannot open. */
  observeUnopenedSeeds: (state: UnopenedState, count: number) => void
  /** What is wrong with the audit trails, as this worker has found it in its last turn. */
  observeAudit: (found: { refused: number; lostHeads: number; broken: number; waitingForMs: number }) => void
}

export function createWorkerMetrics(databaseClock: DatabaseClock): WorkerMetrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  addClockGauge(registry, databaseClock)
  const durations = addHistogram(registry, {
    name: 'job_duration_seconds',
    help: 'Time a processor took, by job and outcome.',
    labels: { job: jobNames, outcome: ['done', 'nothing_to_do', 'snoozed', 'failed'] },
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30],
  })
  const relayed = addCounter(registry, {
    name: 'outbox_relayed_total',
    help: 'Work that the relay put into its queue because nobody else had.',
    labels: {},
  })
  const walletCalls = addHistogram(registry, {
    name: 'wallet_call_duration_seconds',
    help: 'Time a call of a casino’s wallet took, by outcome.',
    labels: { outcome: ['credited', 'debited', 'already_processed', 'declined', 'misconfigured', 'unknown'] },
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  })
  const providerCalls = addHistogram(registry, {
    name: 'provider_call_duration_seconds',
    help: 'Time a call of a casino’s fulfilment provider took, by outcome.',
    labels: {
      outcome: [
        ...(['accepted', 'rejected', 'cancelled', 'refused', 'pending', 'news', 'parcel_unknown'] as const),
        ...(['unknown', 'misconfigured'] as const),
      ],
    },
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  })
  const webhookCalls = addHistogram(registry, {
    name: 'webhook_call_duration_seconds',
    help: 'Time a call of a webhook endpoint took, by what came of the delivery.',
    labels: { outcome: ['delivered', 'retry', 'failed', 'disable', 'superseded'] },
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  })
  const endpointsDisabled = addCounter(registry, {
    name: 'webhook_endpoints_disabled_total',
    help: 'Webhook endpoints that were switched off because of how they answered, by reason.',
    labels: { reason: ['failing', 'gone'] },
  })
  const reviews = addCounter(registry, {
    name: 'cashbacks_reviewed_total',
    help: 'Cashbacks that went to people for review, by problem.',
    labels: { problem: reviewLabels },
  })
  const ignoredUpdates = addCounter(registry, {
    name: 'partner_news_ignored_total',
    help: 'Shipment updates that contradict their order and changed nothing, by status.',
    labels: { status: shipmentStatuses },
  })
  const unopenedSeeds = new Gauge({
    name: 'seeds_unopened',
    help: 'Server seeds that this worker could not open when it last looked, by state. Absent until then.',
    labelNames: ['state'],
    registers: [registry],
  })
  const refusedEntries = new Gauge({
    name: 'audit_entries_refused',
    help: 'Entries of the audit trails that were not chained, because the service has not signed them.',
    registers: [registry],
  })
  const lostHeads = new Gauge({
    name: 'audit_heads_lost',
    help: 'Audit trails that lacked what they once ended with, when this worker last looked.',
    registers: [registry],
  })
  const brokenChains = new Gauge({
    name: 'audit_chains_broken',
    help: 'Audit trails that nothing can be added to, because their last link is not ours.',
    registers: [registry],
  })
  const unchainedAge = new Gauge({
    name: 'audit_unchained_oldest_age_seconds',
    help: 'How long the oldest entry of the audit trails that is not chained had waited after the last turn of this worker.',
    registers: [registry],
  })
  return {
    registry,
    observeJob: (job, outcome, seconds) => {
      durations({ job, outcome }).observe(seconds)
    },
    observeRelayed: (count) => {
      relayed({}).inc(count)
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
    observeAudit: (found) => {
      refusedEntries.set(found.refused)
      lostHeads.set(found.lostHeads)
      brokenChains.set(found.broken)
      unchainedAge.set(found.waitingForMs / 1_000)
    },
  }
}
