import { createBatcher } from '../batch/batcher.ts'
import type { EnvelopeCipher } from '../crypto/envelope.ts'
import type { CallSlots, Holder } from '../partner/call-slots.ts'
import type { PartnerNames } from '../partner/names.ts'
import { partnerIdOf } from '../partner/partner-id.ts'
import type { ProviderCallKind, ShipmentStatus, StatusOutcome } from '../partner/provider-outcome.ts'
import { monotonicMs } from '../platform/clock.ts'
import { newId } from '../platform/ids.ts'
import type { Logger } from '../platform/logger.ts'
import { describeOutcome } from '../queue/jobs.ts'
import type { JobPayload, JobReport } from '../queue/jobs.ts'
import { createFinishCalls, prepareSubmission, shipmentOf } from './call-provider.ts'
import type { CallOutcome } from './call-provider.ts'
import { createFulfilOrders, lineOfCall } from './fulfil-orders.ts'
import type { FulfilmentStep, FulfilOrdersDeps, FulfilRequest } from './fulfil-orders.ts'
import { notePollProblem } from './poll-problem.ts'
import { newsAheadMaxMs, noteAnswer, receiveNews } from './shipment-news.ts'

export interface FulfilOrderDeps extends FulfilOrdersDeps {
  cipher: EnvelopeCipher
  log: Logger
  slots: CallSlots
  names: PartnerNames
  /** Keeps anything from being sent to this configuration of the provider until somebody has looked. */
  pauseProvider: (casinoId: string, setting: { revision: number }, reason: string) => Promise<unknown>
  /** Told how each call of a provider ended. */
  onCall: (outcome: ProviderCallKind, seconds: number) => void
  /** Told of answers that contradict an order and changed nothing. */
  onIgnored: (status: ShipmentStatus) => void
}

export interface FulfilOrder {
  run(job: JobPayload, holder: Holder): Promise<JobReport>
}

/**
 * Takes one order one step further. A call of a provider is outside of any batch and any transaction: its attempt is
 * committed before and its result after it. Whoever dies in between leaves a lease that runs out; the next attempt
 * carries the same key.
 */
export function createFulfilOrder(deps: FulfilOrderDeps): FulfilOrder {
  const exclusiveKeyOf = (job: JobPayload) => job.objectId
  const begin = createBatcher({
    process: createFulfilOrders(deps),
    exclusiveKeyOf: (request: FulfilRequest) => exclusiveKeyOf(request.job),
  })
  const finish = createBatcher({
    process: createFinishCalls(deps),
    exclusiveKeyOf: ({ job }) => exclusiveKeyOf(job),
  })
  return {
    run: async (job, holder) => {
      try {
        let step = await begin.run({ job, holder, mayLookUp: true })
        if (step.kind === 'look_up') {
          await lookUpProvider(deps, step)
          step = await begin.run({ job, holder, mayLookUp: false })
        }
        if (step.kind === 'look_up') throw new Error('told to look a name up without the leave to')
        if (step.kind === 'ended') {
          if (step.line !== undefined) deps.slots.noteWaiting(step.line)
          return step
        }
        const { order, called, isFirstToAsk } = step
        const calledAt = deps.clock.now()
        const outcome = await callProvider(deps, step)
        // Whoever is next may call while the result is written down.
        deps.slots.release(holder)
        if (outcome.call === 'poll') return { result: 'snoozed', outcome: describeCall(outcome) }
        const { result, contradicts } = await finish.run({
          job,
          shipmentNumber: order.shipmentNumber,
          outcome,
          circumstances: {
            ...{ now: deps.clock.now(), random: deps.random() },
            ...{ pollMs: called.pollMs, isFirstToAsk },
          },
        })
        if (contradicts !== undefined) await tellContradiction(deps, step, contradicts)
        if (result === 'nothing_to_do') await keepContradiction(deps, step, outcome, calledAt)
        return { result, outcome: result === 'nothing_to_do' ? result : describeCall(outcome) }
      } finally {
        deps.slots.release(holder)
      }
    },
  }
}

type CallStep = FulfilmentStep & { kind: 'call' }

/** Before an attempt is written down: a provider whose name leads nowhere has not been asked anything. */
async function lookUpProvider(
  { names, log }: FulfilOrderDeps,
  { casinoId, url }: FulfilmentStep & { kind: 'look_up' },
): Promise<void> {
  await names.lookUp(casinoId, url)
  if (names.known(casinoId, url) === 'found') return
  log.warn({ casinoId, provider: partnerIdOf(url) }, 'the name of a provider leads nowhere; nothing was sent')
}

/** Of a question nothing is to be written down: news goes its own way, and has told when to ask again before. */
type AnsweredCall = CallOutcome | { call: 'poll'; outcome: StatusOutcome }

function describeCall({ outcome }: AnsweredCall): string {
  if (outcome.kind === 'news') return describeOutcome(outcome.kind, outcome.news?.status)
  if (outcome.kind === 'rejected') return describeOutcome(outcome.kind, outcome.code)
  return describeOutcome(outcome.kind, 'problem' in outcome ? outcome.problem : undefined)
}

/** There is no call when it might still be under way when its lease has run out. */
async function callProvider(deps: FulfilOrderDeps, step: CallStep): Promise<AnsweredCall> {
  const { call, order, called } = step
  const { provider } = called
  switch (call) {
    case 'submit': {
      const prepared = await prepareSubmission(deps, order)
      if ('outcome' in prepared) {
        deps.log.warn(
          { casinoId: order.casinoId, orderId: order.id },
          'an order has no address to be sent to',
        )
        return { call, outcome: prepared.outcome }
      }
      if (!isInTime(deps, step)) return { call, outcome: { kind: 'not_made' } }
      const outcome = await watch(deps, step, () => provider.submit(prepared.submission))
      return { call, outcome }
    }
    case 'cancel': {
      if (!isInTime(deps, step)) return { call, outcome: { kind: 'not_made' } }
      const outcome = await watch(deps, step, () => provider.cancel(shipmentOf(order)))
      return { call, outcome }
    }
    case 'poll': {
      const outcome = await watch(deps, step, () => provider.askStatus(shipmentOf(order)))
      const latest = new Date(deps.clock.now().getTime() + newsAheadMaxMs)
      if (outcome.kind === 'news' && outcome.news !== null && outcome.news.occurredAt > latest) {
        deps.log.warn({ casinoId: order.casinoId, orderId: order.id }, 'a provider told news of the future')
      } else if (outcome.kind === 'news' && outcome.news !== null) {
        const { id: orderId, shipmentNumber } = order
        const id = `polled/${orderId}-${shipmentNumber}/${newId('req')}`
        const heard = { ...outcome.news, id, orderId, shipmentNumber }
        await receiveNews(deps, order.casinoId, heard, { isAnswer: true })
      }
      const problem = await notePollProblem(deps.database, order, outcome, deps.clock.now())
      if (problem !== null) {
        deps.log.warn({ casinoId: order.casinoId, orderId: order.id, problem }, 'a provider leaves an order')
      }
      return { call, outcome }
    }
    default:
      return call satisfies never
  }
}

/**
 * The order has ended, has another parcel or other work, so nobody waits for this answer any more. One that may mean that
 * a parcel travels is kept as news: what contradicts the order must not go unnoticed.
 */
async function keepContradiction(
  deps: FulfilOrderDeps,
  { order }: CallStep,
  outcome: CallOutcome,
  calledAt: Date,
): Promise<void> {
  const status = statusIn(outcome)
  if (status === undefined) return
  const { id: orderId, shipmentNumber, partnerOccurredAt } = order
  // Not later than it can have happened, or it would silence what the provider tells next. Its clock may be ahead of ours.
  const atMs = (status === 'processing' ? calledAt : deps.clock.now()).getTime()
  const occurredAt = new Date(Math.max(atMs, partnerOccurredAt?.getTime() ?? atMs))
  await receiveNews(deps, order.casinoId, {
    ...{ id: `answered/${orderId}-${shipmentNumber}/${occurredAt.toISOString()}`, orderId, shipmentNumber },
    ...{ status, occurredAt, reason: null, carrier: null, trackingNumber: null },
  })
}

/** The order's history has it already. */
async function tellContradiction(
  deps: FulfilOrderDeps,
  { order }: CallStep,
  status: ShipmentStatus,
): Promise<void> {
  await noteAnswer(deps, order, status)
  const details = {
    casinoId: order.casinoId,
    orderId: order.id,
    status,
    shipment_number: order.shipmentNumber,
  }
  deps.log.warn(details, 'news contradicts an order, and changed nothing')
  deps.onIgnored(status)
}

/** What an answer says of its parcel: who accepts it packs it. Undefined when it contradicts nothing. */
function statusIn({ call, outcome }: CallOutcome): ShipmentStatus | undefined {
  if (call === 'submit') return outcome.kind === 'accepted' ? 'processing' : undefined
  if (outcome.kind === 'refused') return 'cancel_refused'
  return outcome.kind === 'cancelled' ? 'cancelled' : undefined
}

/** Whether the call will be over before somebody else may make the next one. */
function isInTime({ clock, log }: FulfilOrderDeps, { order, called, call }: CallStep): boolean {
  const { casinoId, id: orderId, attemptUntil } = order
  const endsAtMs = clock.now().getTime() + called.timeoutMs
  if (attemptUntil !== null && endsAtMs <= attemptUntil.getTime()) return true
  log.warn({ casinoId, orderId, call }, 'a call was not made, for it came too late')
  return false
}

async function watch<Outcome extends { kind: ProviderCallKind; problem?: string }>(
  { slots, log, pauseProvider, onCall }: FulfilOrderDeps,
  { call, order, called }: CallStep,
  run: () => Promise<Outcome>,
): Promise<Outcome> {
  const { casinoId, id: orderId, attempts: attempt } = order
  const startedMs = monotonicMs()
  const outcome = await run()
  onCall(outcome.kind, (monotonicMs() - startedMs) / 1000)
  const hasSucceeded = outcome.kind !== 'unknown'
  slots.observe(lineOfCall(casinoId, call), { hasSucceeded, hasAnswered: hasSucceeded, startedMs })
  if (outcome.kind === 'misconfigured') {
    // Before the result, so that whoever dies in between leaves nothing that calls again. It says so itself.
    await pauseProvider(casinoId, called, outcome.problem ?? outcome.kind)
  } else if (outcome.kind === 'unknown' || outcome.kind === 'parcel_unknown') {
    log.warn(
      { casinoId, orderId, call, attempt, problem: outcome.problem },
      'a provider gave no clear answer',
    )
  }
  return outcome
}
