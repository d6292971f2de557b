import { UnrecoverableError } from 'bullmq'
import type { Job } from 'bullmq'
import { createCarryOutAct } from '../core/act/carry-out-act.ts'
import { createBatcher } from '../core/batch/batcher.ts'
import { createFindWallets } from '../core/cashback/casino-wallets.ts'
import { createCreditCashback } from '../core/cashback/credit-cashback.ts'
import type { PauseSetting } from '../core/casino/pause-setting.ts'
import type { FindSettings } from '../core/casino/settings.ts'
import type { EnvelopeCipher } from '../core/crypto/envelope.ts'
import type { RunWork } from '../core/outbound/attempts.ts'
import { newHolder } from '../core/outbound/call-slots.ts'
import type { LineKind } from '../core/outbound/call-line.ts'
import type { CallSlots, Holder } from '../core/outbound/call-slots.ts'
import { casinoLanes } from '../core/outbound/casino-lanes.ts'
import type { HandOver } from '../core/outbox/hand-over.ts'
import type { SendRequest } from '../core/partner/http-client.ts'
import type { PartnerNames } from '../core/partner/names.ts'
import { monotonicMs } from '../core/platform/clock.ts'
import type { Clock } from '../core/platform/clock.ts'
import type { Database } from '../core/platform/database.ts'
import type { Logger } from '../core/platform/logger.ts'
import { createFindFulfilment } from '../core/prize-order/casino-fulfilment.ts'
import { createFulfilOrder } from '../core/prize-order/fulfil-order.ts'
import { createApplyShipmentUpdates } from '../core/prize-order/apply-shipment-updates.ts'
import { parseJobData, summariseOutcomes } from '../core/queue/jobs.ts'
import type { DueWork, JobData, JobName, JobPayload } from '../core/queue/jobs.ts'
import type { Queues } from '../core/queue/queues.ts'
import { currentSpan } from '../core/trace/current-span.ts'
import type { Tracer } from '../core/trace/tracer.ts'
import { createDeliverWebhook } from '../core/webhook/deliver-webhook.ts'
import type { JobActivity } from './job-activity.ts'
import { inJobSpan } from './job-span.ts'
import type { WorkerMetrics } from './metrics.ts'

/** The dependencies of jobs. */
export interface JobDeps {
  database: Database
  clock: Clock
  log: Logger
  /** Undefined where tracing is off. */
  tracer: Tracer | undefined
  cipher: EnvelopeCipher
  handOver: HandOver
  sendRequest: SendRequest
  partnerNames: PartnerNames
  findSettings: FindSettings
  pauseSetting: PauseSetting
  metrics: WorkerMetrics
  callSlots: Readonly<Record<LineKind, CallSlots>>
}

/** The functions that do the work of each job. */
export type Processors = Readonly<Record<JobName, RunWork>>

/** Every job of a worker, with its processor. */
export function createProcessors(deps: JobDeps): Processors {
  const { metrics, pauseSetting } = deps
  const calling = (kind: LineKind) => ({
    ...deps,
    slots: deps.callSlots[kind],
    names: deps.partnerNames,
    random: Math.random,
  })
  const creditCashback = createCreditCashback({
    ...calling('wallet'),
    findWallets: createFindWallets(deps),
    pauseWallet: (casinoId, wallet, reason) => pauseSetting(casinoId, 'wallet', wallet, reason),
    onCall: metrics.observeWalletCall,
    onReview: metrics.observeReview,
  })
  const applyShipmentUpdates = createBatcher({
    process: createApplyShipmentUpdates({ ...deps, onIgnored: metrics.observeIgnoredUpdate }),
    exclusiveKeyOf: (job: JobPayload) => job.objectId,
    ...casinoLanes((job: JobPayload) => job),
    name: 'apply-shipment-news',
  })
  return {
    'fulfil-prize-order': createFulfilOrder({
      ...calling('provider'),
      findFulfilment: createFindFulfilment(deps),
      pauseProvider: (casinoId, setting, reason) => pauseSetting(casinoId, 'fulfilment', setting, reason),
      onCall: metrics.observeProviderCall,
      onIgnored: metrics.observeIgnoredUpdate,
    }),
    'apply-shipment-news': (job) => applyShipmentUpdates.run(job),
    'credit-cashback': creditCashback,
    // Both jobs use the same batches: the work in the outbox says which of the two it is.
    'debit-cashback': creditCashback,
    'deliver-webhook': createDeliverWebhook({
      ...calling('webhook'),
      onCall: metrics.observeWebhookCall,
      onDelivered: metrics.observeDelivery,
      onDisabled: metrics.observeEndpointDisabled,
    }),
    'carry-out-act': createCarryOutAct(deps),
  }
}

type RunningJob = Pick<Job<JobData>, 'id' | 'data' | 'attemptsMade'> & {
  opts: { attempts?: number | undefined }
}

/**
 * Runs a processor for each work of a job and reports the outcomes to the log and the metrics; the outcome is kept with
 * the job. A thrown error makes BullMQ try again later, up to the queue's limit; after that the outbox row brings the
 * work back. A shared job is tried again if all its works fail. If some fail, or all at its last attempt, each of those
 * gets a job of its own: the shared job, which the outbox does not know, never ends as failed. An invalid payload can
 * never succeed.
 */
export function createRunJob(
  name: JobName,
  run: RunWork,
  {
    log,
    metrics,
    tracer,
    activity,
    queues,
  }: Pick<JobDeps, 'log' | 'metrics' | 'tracer'> & { activity: JobActivity; queues: Pick<Queues, 'add'> },
): (job: RunningJob) => Promise<string> {
  const runWork = async (work: JobPayload, { id: jobId, attemptsMade }: RunningJob) => {
    const { objectId } = work
    const startedMs = monotonicMs()
    const seconds = () => (monotonicMs() - startedMs) / 1000
    try {
      const { result, outcome } = await run(work, newHolder())
      currentSpan()?.set({ 'rewards.outcome': outcome })
      metrics.observeJob(name, result, seconds())
      log.debug({ job: name, objectId, result, outcome }, 'job finished')
      return outcome
    } catch (error) {
      metrics.observeJob(name, 'failed', seconds())
      log.error({ err: error, job: name, jobId, objectId, attempt: attemptsMade + 1 }, 'job failed')
      throw withoutValues(error)
    }
  }
  const refuse = ({ id: jobId }: RunningJob): Promise<string> => {
    metrics.observeJob(name, 'failed', 0)
    log.error({ job: name, jobId }, 'job has an invalid payload')
    return Promise.reject(new UnrecoverableError('the payload is invalid'))
  }
  // One parameter only: for a processor with three, BullMQ makes an abort signal for every job.
  return async (job) => {
    const works = worksOf(job.data)
    if (works === undefined) return activity.track(name, () => refuse(job))
    const ended = await Promise.allSettled(
      works.map((work) =>
        activity.track(name, () => inJobSpan(tracer, name, work, () => runWork(work, job))),
      ),
    )
    const outcomes = ended.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []))
    const failed = works.filter((_, index) => ended[index]?.status === 'rejected')
    const isShared = works.length > 1
    const isLastAttempt = job.attemptsMade + 1 >= (job.opts.attempts ?? 1)
    if (failed.length === works.length && !(isShared && isLastAttempt)) {
      throw ended.find((end) => end.status === 'rejected')?.reason
    }
    if (failed.length > 0) await queues.add(failed.map((work) => ({ jobName: name, ...work })))
    if (!isShared) return outcomes.join()
    return summariseOutcomes([...outcomes, ...failed.map(() => 'failed')])
  }
}

/**
 * The same for work that was taken from the line for its slot, without a job: failed work comes back by its row in the
 * outbox.
 */
export function createRunFromLine(
  processors: Processors,
  { log, metrics, tracer }: Pick<JobDeps, 'log' | 'metrics' | 'tracer'>,
): (work: DueWork, holder: Holder) => Promise<void> {
  const runWork = async ({ jobName, ...work }: DueWork, holder: Holder) => {
    const { objectId } = work
    const startedMs = monotonicMs()
    const seconds = () => (monotonicMs() - startedMs) / 1000
    try {
      const { result, outcome } = await processors[jobName](work, holder)
      currentSpan()?.set({ 'rewards.outcome': outcome })
      metrics.observeJob(jobName, result, seconds())
      log.debug({ job: jobName, objectId, result, outcome }, 'work from a line finished')
    } catch (error) {
      metrics.observeJob(jobName, 'failed', seconds())
      currentSpan()?.fail('internal')
      log.error({ err: error, job: jobName, objectId }, 'work from a line failed')
    }
  }
  return (work, holder) => inJobSpan(tracer, work.jobName, work, () => runWork(work, holder))
}

/** Undefined if the payload is invalid. */
function worksOf(data: unknown): JobPayload[] | undefined {
  try {
    return parseJobData(data)
  } catch {
    return undefined
  }
}

/** BullMQ keeps the message and stack of a failed job for the dashboard; a database's message may repeat values. */
function withoutValues(error: unknown): Error {
  if (error instanceof UnrecoverableError) return error
  const clean = new Error(`${error instanceof Error ? error.name : 'error'}, see the worker's log`)
  clean.stack = clean.message
  return clean
}
