import { createBatcher } from '../batch/batcher.ts'
import type { EnvelopeCipher } from '../crypto/envelope.ts'
import type { CallSlots } from '../partner/call-slots.ts'
import { monotonicMs } from '../platform/clock.ts'
import type { Logger } from '../platform/logger.ts'
import type { JobPayload, WorkResult } from '../queue/jobs.ts'
import { askStatus, cancelOrder, createFinishCalls, submitOrder } from './call-provider.ts'
import type { CallOutcome } from './call-provider.ts'
import { createFulfilOrders } from './fulfil-orders.ts'
import type { FulfilmentStep, FulfilOrdersDeps } from './fulfil-orders.ts'
import type { OrderSnapshot } from './order.ts'
import { newsAheadMaxMs, receiveNews } from './shipment-news.ts'

export interface FulfilOrderDeps extends FulfilOrdersDeps {
  cipher: EnvelopeCipher
  log: Logger
  slots: CallSlots
  /** From 0 to 1. */
  random: () => number
  /** Keeps anything from being sent to this configuration of the provider until somebody has looked. */
  pauseProvider: (casinoId: string, setting: { revision: number }, reason: string) => Promise<unknown>
  /** Told how each call of a provider ended. */
  onCall: (outcome: string, seconds: number) => void
}

export interface FulfilOrder {
  run(job: JobPayload): Promise<WorkResult>
}

/**
 * Takes one order one step further. A call of a provider is outside of any batch and any transaction: its attempt is
 * committed before and its result after it. Whoever dies in between leaves a lease that runs out; the next attempt
 * carries the same key.
 */
export function createFulfilOrder(deps: FulfilOrderDeps): FulfilOrder {
  const exclusiveKeyOf = (job: JobPayload) => job.objectId
  const begin = createBatcher({ process: createFulfilOrders(deps), exclusiveKeyOf })
  const finish = createBatcher({
    process: createFinishCalls(deps),
    exclusiveKeyOf: ({ job }) => exclusiveKeyOf(job),
  })
  return {
    run: async (job) => {
      try {
        const step = await begin.run(job)
        if (step.kind === 'ended') return step.result
        const { order, called } = step
        const outcome = await callProvider(deps, step)
        if (outcome === undefined) return 'snoozed'
        const { result } = await finish.run({
          job,
          shipmentNumber: order.shipmentNumber,
          outcome,
          circumstances: { now: deps.clock.now(), pollMs: called.pollMs, random: deps.random() },
        })
        return result
      } finally {
        deps.slots.release(job.outboxId)
      }
    },
  }
}

type CallStep = FulfilmentStep & { kind: 'call' }

/** Undefined when the call was for news, which goes its own way and has told when to ask again before. */
async function callProvider(deps: FulfilOrderDeps, step: CallStep): Promise<CallOutcome | undefined> {
  const { call, order, called } = step
  const { provider } = called
  switch (call) {
    case 'submit': {
      const outcome = await watch(deps, step, () => submitOrder(deps, provider, order))
      return { call, outcome }
    }
    case 'cancel': {
      const outcome = await watch(deps, step, () => cancelOrder(provider, order))
      return { call, outcome }
    }
    case 'poll': {
      const outcome = await watch(deps, step, () => askStatus(provider, order))
      const latest = new Date(deps.clock.now().getTime() + newsAheadMaxMs)
      if (outcome.kind === 'news' && outcome.news !== null && outcome.news.occurredAt > latest) {
        deps.log.warn({ casinoId: order.casinoId, orderId: order.id }, 'a provider told news of the future')
      } else if (outcome.kind === 'news' && outcome.news !== null) {
        await receiveNews(deps, order.casinoId, { ...outcome.news, ...nameOf(order, outcome.news) })
      }
      return undefined
    }
    default:
      return call satisfies never
  }
}

/** What is polled has no id of the provider's: the same news is the same piece. */
function nameOf(
  { id, shipmentNumber }: OrderSnapshot,
  { status, occurredAt }: { status: string; occurredAt: Date },
) {
  const news = `polled/${id}-${shipmentNumber}/${status}/${occurredAt.toISOString()}`
  return { id: news, orderId: id, shipmentNumber }
}

async function watch<Outcome extends { kind: string; problem?: string }>(
  { slots, log, pauseProvider, onCall }: FulfilOrderDeps,
  { call, order, called }: CallStep,
  run: () => Promise<Outcome>,
): Promise<Outcome> {
  const { casinoId, id: orderId, attempts: attempt } = order
  const startedMs = monotonicMs()
  const outcome = await run()
  onCall(outcome.kind, (monotonicMs() - startedMs) / 1000)
  slots.observe(casinoId, outcome.kind !== 'unknown')
  if (outcome.kind === 'misconfigured') {
    // Before the result, so that whoever dies in between leaves nothing that calls again. It says so itself.
    await pauseProvider(casinoId, called, outcome.problem ?? outcome.kind)
  } else if (outcome.kind === 'unknown') {
    log.warn(
      { casinoId, orderId, call, attempt, problem: outcome.problem },
      'a provider gave no clear answer',
    )
  }
  return outcome
}
