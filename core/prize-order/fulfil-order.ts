import type { Settled } from '../batch/batcher.ts'
import { withSettings } from '../casino/setting-readers.ts'
import type { FindOfCasinos } from '../casino/setting-readers.ts'
import type { EnvelopeCipher } from '../crypto/envelope.ts'
import { impressionOf } from '../outbound/attempt.ts'
import { createAttempts } from '../outbound/attempts.ts'
import type { AttemptsDeps, Begun, LoadedWork, Moment, RunWork, Step } from '../outbound/attempts.ts'
import type { Attempt, Ended } from '../outbound/make-call.ts'
import { createPauses } from '../outbound/pauses.ts'
import type { Pauses } from '../outbound/pauses.ts'
import { lineOf } from '../outbound/call-line.ts'
import type { CallLine } from '../outbound/call-line.ts'
import type { FulfilmentProvider } from '../partner/fulfilment-provider.ts'
import { codeOfCall } from '../partner/provider-outcome.ts'
import type { ProviderAnswer, ProviderCallCode } from '../partner/provider-outcome.ts'
import { describeOutcome } from '../queue/jobs.ts'
import type { JobPayload, JobReport, WorkResult } from '../queue/jobs.ts'
import { announceUnloaded } from './announce-new.ts'
import type { CasinoFulfilment, CasinoProvider, FulfilmentOfCasino } from './casino-fulfilment.ts'
import { decideCallResult } from './decide-call-result.ts'
import type { CallResult } from './decide-call-result.ts'
import { decideOrderWork } from './decide-work.ts'
import type { ProviderCall } from './decide-work.ts'
import { describeAnswer, receiveStatus, keepContradiction, reportContradiction } from './receive-answer.ts'
import type { HearProviderDeps } from './receive-answer.ts'
import { loadOrdersOfWork } from './load-orders.ts'
import type { OrderOfWork } from './load-orders.ts'
import type { OrderPlan, OrderSnapshot } from './order.ts'
import type { OrderChange } from './order-change.ts'
import { prepareCall } from './prepare-call.ts'
import { storeOrderChanges } from './store-changes.ts'

export interface FulfilOrderDeps extends AttemptsDeps, HearProviderDeps {
  cipher: EnvelopeCipher
  findFulfilment: FindOfCasinos<CasinoFulfilment>
  /** Stops all calls under this configuration of the provider until an operator resumes it. */
  pauseProvider: (casinoId: string, setting: { revision: number }, reason: string) => Promise<unknown>
  /** Called with the outcome of each call to a provider. */
  onCall: (outcome: ProviderCallCode, seconds: number) => void
}

/**
 * Takes one order one step further. Two differences from other attempts: an order is also polled, which is not an
 * attempt and has no result, and its delivery details are decrypted only for the call.
 */
export function createFulfilOrder(deps: FulfilOrderDeps): RunWork {
  const pauses = createPauses(deps.pauseProvider)
  return createAttempts(
    {
      partner: 'provider',
      runUnloaded: (jobs) => announceUnloaded(deps, jobs),
      load: (jobs) => loadWork(deps, pauses, jobs),
      decide: decideBegin,
      store: (changes) => storeSteps(deps, changes),
      prepare: (attempt: OrderAttempt, provider) => prepareCall(deps, attempt, provider),
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
          const stored = await storeOrderChanges(deps, 'attempt', changes)
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
  fulfilment: FulfilmentOfCasino
}

interface OrderAttempt extends Attempt {
  call: ProviderCall
  order: OrderSnapshot
  called: CasinoProvider
  revision: number
  /** True if no earlier attempt can have reached a provider. */
  isFirstToAsk: boolean
}

/** A step of an order, and the call that follows it. */
interface StepChange extends OrderChange {
  made?: Pick<OrderAttempt, 'line' | 'call' | 'called' | 'isFirstToAsk'>
}

/** The changes that a result causes, and the next step of the work. */
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
): Promise<ReadonlyMap<string, Settled<LoadedWork<OrderWork, FulfilmentProvider | undefined>>>> {
  return withSettings(await loadOrdersOfWork(database, jobs), findFulfilment, (order, found) => {
    const { client, ...fulfilment } = found
    const { provider, called } = fulfilment
    const isRefused = called !== undefined && pauses.has(order.casinoId, called.revision)
    const asked = provider.kind === 'http' && isRefused ? { ...provider, isPaused: true } : provider
    return { work: { order, fulfilment: { ...fulfilment, provider: asked } }, caller: client }
  })
}

function decideBegin(
  { outboxId }: JobPayload,
  { order, fulfilment: { called, ...settings } }: OrderWork,
  at: Moment,
): Step<StepChange> {
  if (order.isSnoozed)
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
 * Polls have a line of their own, which alternates with the other one: after an outage all open orders are due for a
 * poll at the same time, and submissions and cancellations must not wait for that.
 */
function lineOfCall(casinoId: string, call: ProviderCall): CallLine {
  return call === 'poll' ? lineOf('provider', casinoId, 'polls') : lineOf('provider', casinoId)
}

async function storeSteps(
  deps: FulfilOrderDeps,
  changes: readonly StepChange[],
): Promise<ReadonlyMap<StepChange, Begun<OrderAttempt>>> {
  const stored = await storeOrderChanges(deps, 'attempt', changes)
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
  onCall(codeOfCall(outcome.kind), seconds)
  if (outcome.kind === 'unknown' || outcome.kind === 'parcel_unknown')
    log.warn({ casinoId, orderId, call, attempt, problem: outcome.problem }, 'provider result unknown')
  return impressionOf(outcome)
}

/**
 * A call about an earlier parcel, or for an order that has ended, changes nothing. A decision of the
 * provider counts whenever it arrives; the lack of one only while its attempt is the latest, so that the lease of the next
 * attempt stays.
 */
function decideRecord(
  { job: { outboxId }, attempt, outcome }: EndedCall,
  orders: ReadonlyMap<string, OrderSnapshot>,
  at: Moment,
): { answer: RecordedCall } | { write: ResultChange } {
  const order = orders.get(outboxId)
  if (order === undefined || order.endedAt !== null || order.shipmentNumber !== attempt.order.shipmentNumber)
    return { answer: { result: 'nothing_to_do' } }
  if (!isDecision(outcome) && order.attemptUntil?.getTime() !== attempt.order.attemptUntil?.getTime())
    return { answer: { result: 'nothing_to_do' } }
  const { called, isFirstToAsk } = attempt
  const circumstances = { ...at, pollMs: called.pollMs, isFirstToAsk }
  const decided = decideCallResult(order, attempt.call, outcome, circumstances)
  const { plan, snoozeUntil, contradicts } = decided
  const result = snoozeUntil === null ? 'done' : 'snoozed'
  const work = { outboxId, snoozeUntil }
  return { write: { ...byWorker, order, plan, work, recorded: { result, contradicts } } }
}

function isDecision(answer: EndedCall['outcome']): boolean {
  return !('kind' in answer) && !['unknown', 'misconfigured', 'pending'].includes(answer.outcome.kind)
}

async function finish(
  deps: FulfilOrderDeps,
  { attempt: { order }, outcome: answer, calledAt }: EndedCall,
  record: () => Promise<RecordedCall>,
): Promise<JobReport> {
  if (!('kind' in answer) && answer.call === 'poll') {
    await receiveStatus(deps, order, answer.outcome)
    return { result: 'snoozed', outcome: describeAnswer(answer) }
  }
  const { result, contradicts } = await record()
  if (contradicts !== undefined) await reportContradiction(deps, order, contradicts)
  if (result !== 'nothing_to_do') return { result, outcome: describeAnswer(answer) }
  if (!('kind' in answer)) await keepContradiction(deps, order, answer, calledAt)
  return { result, outcome: result }
}
