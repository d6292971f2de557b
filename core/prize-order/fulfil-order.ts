import type { Settled } from '../batch/batcher.ts'
import type { FindOfCasinos } from '../casino/setting-readers.ts'
import type { EnvelopeCipher } from '../crypto/envelope.ts'
import { impressionOf } from '../outbound/attempt.ts'
import { createAttempts } from '../outbound/attempts.ts'
import type { Attempt, AttemptsDeps, Begun, Ended, Moment, RunWork, Step } from '../outbound/attempts.ts'
import { createPauses } from '../outbound/pauses.ts'
import type { Pauses } from '../outbound/pauses.ts'
import { lineOf } from '../outbound/slots.ts'
import type { CallLine } from '../outbound/slots.ts'
import type { ProviderAnswer, ProviderCallKind } from '../partner/provider-outcome.ts'
import { describeOutcome } from '../queue/jobs.ts'
import type { JobPayload, JobReport, WorkResult } from '../queue/jobs.ts'
import type { CasinoFulfilment, CasinoProvider } from './casino-fulfilment.ts'
import { decideCallResult } from './decide-call-result.ts'
import type { CallResult } from './decide-call-result.ts'
import { decideOrderWork } from './decide-work.ts'
import type { ProviderCall } from './decide-work.ts'
import { describeAnswer, hearStatus, keepContradiction, tellContradiction } from './hear-provider.ts'
import type { HearProviderDeps } from './hear-provider.ts'
import { loadOrdersOfWork } from './load-orders.ts'
import type { OrderOfWork } from './load-orders.ts'
import type { OrderPlan, OrderSnapshot } from './order.ts'
import type { OrderChange } from './order-change.ts'
import { prepareCall } from './prepare-call.ts'
import { storeOrderChanges } from './store-changes.ts'

export interface FulfilOrderDeps extends AttemptsDeps, HearProviderDeps {
  cipher: EnvelopeCipher
  findFulfilment: FindOfCasinos<CasinoFulfilment>
  /** Keeps anything from being sent to this configuration of the provider until somebody has looked. */
  pauseProvider: (casinoId: string, setting: { revision: number }, reason: string) => Promise<unknown>
  /** Told how each call of a provider ended. */
  onCall: (outcome: ProviderCallKind, seconds: number) => void
}

/**
 * Takes one order one step further. What is particular: an order is also asked about, which is no attempt and has no
 * result; and what it is submitted with is opened for the call alone.
 */
export function createFulfilOrder(deps: FulfilOrderDeps): RunWork {
  const pauses = createPauses(deps.pauseProvider)
  return createAttempts(
    {
      partner: 'provider',
      load: (jobs) => loadWork(deps, pauses, jobs),
      decide: decideBegin,
      store: (changes) => storeSteps(deps, changes),
      prepare: (attempt: OrderAttempt) => prepareCall(deps, attempt),
      hear: (attempt, { outcome }, seconds) => hear(deps, attempt, outcome, seconds),
      pauseIfRefused: (attempt, { outcome }) => pauses.pauseIfRefused(attempt, outcome),
      record: {
        load: (ended: readonly EndedCall[]) =>
          loadOrdersOfWork(
            deps.database,
            ended.map(({ job }) => job),
          ),
        decide: decideRecord,
        store: async (changes: readonly ResultChange[]) => {
          const stored = await storeOrderChanges(deps, changes)
          return new Map(changes.flatMap((change) => (stored.has(change) ? [[change, change.recorded]] : [])))
        },
      },
      finish: (ended, record) => finish(deps, ended, record),
    },
    deps,
  )
}

interface OrderWork {
  order: OrderOfWork
  fulfilment: CasinoFulfilment
}

interface OrderAttempt extends Attempt {
  call: ProviderCall
  order: OrderSnapshot
  called: CasinoProvider
  revision: number
  /** No attempt before this one can have been heard by any provider. */
  isFirstToAsk: boolean
}

/** A step of an order, and the call that follows it. */
interface StepChange extends OrderChange {
  made?: Pick<OrderAttempt, 'line' | 'call' | 'called' | 'isFirstToAsk'>
}

/** What a result changes, and how the work goes on. */
interface ResultChange extends OrderChange {
  recorded: RecordedCall
}

interface RecordedCall {
  result: WorkResult
  contradicts?: CallResult['contradicts']
}

type EndedCall = Ended<OrderAttempt, ProviderAnswer>

const byWorker = { actor: 'worker', reason: null, requestId: null }

async function loadWork(
  { database, findFulfilment }: FulfilOrderDeps,
  pauses: Pauses,
  jobs: readonly JobPayload[],
): Promise<ReadonlyMap<string, Settled<OrderWork>>> {
  const orders = await loadOrdersOfWork(database, jobs)
  const casinoIds = new Set([...orders.values()].map(({ casinoId }) => casinoId))
  const found = await findFulfilment([...casinoIds])
  const toWork = (order: OrderOfWork): Settled<OrderWork> => {
    const fulfilment = found.get(order.casinoId) ?? { error: new Error('a casino has no settings') }
    if ('error' in fulfilment) return fulfilment
    const { provider, called, ...settings } = fulfilment.value
    const isRefused = called !== undefined && pauses.has(order.casinoId, called.revision)
    const asked = provider.kind === 'http' && isRefused ? { ...provider, isPaused: true } : provider
    return { value: { order, fulfilment: { ...settings, called, provider: asked } } }
  }
  return new Map([...orders].map(([outboxId, order]) => [outboxId, toWork(order)]))
}

function decideBegin(
  { outboxId }: JobPayload,
  { order, fulfilment: { called, ...settings } }: OrderWork,
  at: Moment,
): Step<StepChange> {
  if (order.isResting)
    return { report: { result: 'snoozed', outcome: describeOutcome('snoozed', order.state) } }
  const changeTo = (plan: OrderPlan, snoozeUntil: Date | null, line?: string): StepChange => ({
    ...byWorker,
    order,
    plan,
    work: { outboxId, snoozeUntil, line },
  })
  const { plan, snoozeUntil, call } = decideOrderWork(order, settings, at)
  const write = changeTo(plan, snoozeUntil)
  if (call === undefined || called === undefined) return { write }
  const line = lineOfCall(order.casinoId, call)
  return {
    write: { ...write, made: { line, call, called, isFirstToAsk: order.providerAsked === null } },
    call: {
      line,
      url: called.url,
      inLine: (until) => changeTo({ steps: [] }, until, line.key),
      unreachable: (until) => changeTo({ steps: [] }, until),
    },
  }
}

/**
 * Polls stand in a line of their own, which takes turns with the other: they come again and again, and after an outage all
 * open orders are to be asked about at once. What is to be sent or cancelled does not wait for that.
 */
function lineOfCall(casinoId: string, call: ProviderCall): CallLine {
  return call === 'poll' ? lineOf('provider', casinoId, 'polls') : lineOf('provider', casinoId)
}

async function storeSteps(
  deps: FulfilOrderDeps,
  changes: readonly StepChange[],
): Promise<ReadonlyMap<StepChange, Begun<OrderAttempt>>> {
  const stored = await storeOrderChanges(deps, changes)
  return new Map(
    changes.flatMap((change) => {
      const order = stored.get(change)
      return order === undefined ? [] : [[change, begunOf(change, order)]]
    }),
  )
}

function begunOf({ made, plan, work }: StepChange, order: OrderSnapshot): Begun<OrderAttempt> {
  if (made !== undefined) {
    const { timeoutMs, revision } = made.called
    const attemptUntil = made.call === 'poll' ? null : order.attemptUntil
    return { attempt: { ...made, order, timeoutMs, revision, attemptUntil } }
  }
  if (plan.steps.length > 0) return { report: { result: 'done', outcome: describeOutcome(order.state) } }
  const result = work?.snoozeUntil === null ? 'nothing_to_do' : 'snoozed'
  return { report: { result, outcome: describeOutcome(result, order.state) } }
}

function hear(
  { log, onCall }: FulfilOrderDeps,
  { call, order: { casinoId, id: orderId, attempts: attempt } }: OrderAttempt,
  outcome: ProviderAnswer['outcome'],
  seconds: number,
) {
  onCall(outcome.kind, seconds)
  if (outcome.kind === 'unknown' || outcome.kind === 'parcel_unknown')
    log.warn(
      { casinoId, orderId, call, attempt, problem: outcome.problem },
      'a provider gave no clear answer',
    )
  return impressionOf(outcome)
}

/** A call about a parcel before the present one, or for an order that has ended, changes nothing any more. */
function decideRecord(
  { job: { outboxId }, attempt, outcome }: EndedCall,
  orders: ReadonlyMap<string, OrderSnapshot>,
  at: Moment,
): { answer: RecordedCall } | { write: ResultChange } {
  const order = orders.get(outboxId)
  if (order === undefined || order.endedAt !== null || order.shipmentNumber !== attempt.order.shipmentNumber)
    return { answer: { result: 'nothing_to_do' } }
  const { called, isFirstToAsk } = attempt
  const circumstances = { ...at, pollMs: called.pollMs, isFirstToAsk }
  const decided = decideCallResult(order, attempt.call, outcome, circumstances)
  const { plan, snoozeUntil, contradicts } = decided
  const result = snoozeUntil === null ? 'done' : 'snoozed'
  const work = { outboxId, snoozeUntil }
  return { write: { ...byWorker, order, plan, work, recorded: { result, contradicts } } }
}

async function finish(
  deps: FulfilOrderDeps,
  { attempt: { order }, outcome: answer, calledAt }: EndedCall,
  record: () => Promise<RecordedCall>,
): Promise<JobReport> {
  if (!('kind' in answer) && answer.call === 'poll') {
    await hearStatus(deps, order, answer.outcome)
    return { result: 'snoozed', outcome: describeAnswer(answer) }
  }
  const { result, contradicts } = await record()
  if (contradicts !== undefined) await tellContradiction(deps, order, contradicts)
  if (result !== 'nothing_to_do') return { result, outcome: describeAnswer(answer) }
  if (!('kind' in answer)) await keepContradiction(deps, order, answer, calledAt)
  return { result, outcome: result }
}
