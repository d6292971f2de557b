import { Counter, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import { addClockGauge } from '../core/platform/clock-gauge.ts'
import type { DatabaseClock } from '../core/platform/database-clock.ts'
import type { WalletOutcome } from '../core/partner/wallet-outcome.ts'
import type { JobName, WorkResult } from '../core/queue/jobs.ts'

export interface WorkerMetrics {
  registry: Registry
  observeJob(job: JobName, outcome: WorkResult | 'failed', seconds: number): void
  observeRelayed(count: number): void
  observeWalletCall(outcome: WalletOutcome['kind'], seconds: number): void
  observeProviderCall(outcome: string, seconds: number): void
  observeWebhookCall(outcome: string, seconds: number): void
  observeEndpointDisabled(reason: string): void
  /** News of a parcel that contradicts its order, by what it says. */
  observeIgnoredNews(status: string): void
  /** A cashback that people must look at, and why. */
  observeReview(problem: string): void
}

export function createWorkerMetrics(databaseClock: DatabaseClock): WorkerMetrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  addClockGauge(registry, databaseClock)
  const durations = new Histogram({
    name: 'job_duration_seconds',
    help: 'Time a processor took, by job and outcome.',
    labelNames: ['job', 'outcome'],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30],
    registers: [registry],
  })
  const relayed = new Counter({
    name: 'outbox_relayed_total',
    help: 'Work that the relay put into its queue because nobody else had.',
    registers: [registry],
  })
  const walletCalls = new Histogram({
    name: 'wallet_call_duration_seconds',
    help: 'Time a call of a casino’s wallet took, by outcome.',
    labelNames: ['outcome'],
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  })
  const providerCalls = new Histogram({
    name: 'provider_call_duration_seconds',
    help: 'Time a call of a casino’s fulfilment provider took, by outcome.',
    labelNames: ['outcome'],
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  })
  const webhookCalls = new Histogram({
    name: 'webhook_call_duration_seconds',
    help: 'Time a call of a webhook endpoint took, by what came of the delivery.',
    labelNames: ['outcome'],
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  const endpointsDisabled = new Counter({
    name: 'webhook_endpoints_disabled_total',
    help: 'Webhook endpoints that were switched off because of how they answered, by reason.',
    labelNames: ['reason'],
    registers: [registry],
  })
  const reviews = new Counter({
    name: 'cashbacks_reviewed_total',
    help: 'Cashbacks that went to people for review, by problem.',
    labelNames: ['problem'],
    registers: [registry],
  })
  const ignoredNews = new Counter({
    name: 'partner_news_ignored_total',
    help: 'News that a parcel travels whose order has ended or has another, or that it has not arrived after all, by status.',
    labelNames: ['status'],
    registers: [registry],
  })
  // Finding a series by its labels takes longer than counting in it. There are a few for each job.
  const seriesOf = new Map<string, Histogram.Internal<'job' | 'outcome'>>()
  return {
    registry,
    observeJob: (job, outcome, seconds) => {
      const key = `${job} ${outcome}`
      let series = seriesOf.get(key)
      if (series === undefined) {
        series = durations.labels({ job, outcome })
        seriesOf.set(key, series)
      }
      series.observe(seconds)
    },
    observeRelayed: (count) => {
      relayed.inc(count)
    },
    observeWalletCall: (outcome, seconds) => {
      walletCalls.observe({ outcome }, seconds)
    },
    observeProviderCall: (outcome, seconds) => {
      providerCalls.observe({ outcome }, seconds)
    },
    observeWebhookCall: (outcome, seconds) => {
      webhookCalls.observe({ outcome }, seconds)
    },
    observeEndpointDisabled: (reason) => {
      endpointsDisabled.inc({ reason })
    },
    observeIgnoredNews: (status) => {
      ignoredNews.inc({ status })
    },
    observeReview: (problem) => {
      reviews.inc({ problem })
    },
  }
}
