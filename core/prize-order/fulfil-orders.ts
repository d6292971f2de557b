import { loadDecideStore } from '../batch/load-decide-store.ts'
import type { Change } from '../batch/load-decide-store.ts'
import type { Settled } from '../batch/batcher.ts'
import { lineOf } from '../partner/call-slots.ts'
import type { CallLine, CallSlots, Holder } from '../partner/call-slots.ts'
import { unknownNameAwayMs } from '../partner/names.ts'
import type { PartnerNames } from '../partner/names.ts'
import type { FulfilmentProvider } from '../partner/fulfilment-provider.ts'
import { lineFallbackMs } from '../outbox/line.ts'
import { describeOutcome } from '../queue/jobs.ts'
import type { JobPayload, JobReport } from '../queue/jobs.ts'
import { decideOrderWork } from './decide-work.ts'
import type { FulfilmentSettings, OrderWork, ProviderCall } from './decide-work.ts'
import { loadOrdersOfWork } from './load-orders.ts'
import type { OrderOfWork } from './load-orders.ts'
import type { OrderSnapshot } from './order.ts'
import type { OrderChange } from './order-change.ts'
import { storeOrderChanges } from './store-changes.ts'
import type { StoreChangesDeps } from './store-changes.ts'

/** A provider to be called, under the setting that names it. */
export interface CasinoProvider {
  provider: FulfilmentProvider
  url: string
  timeoutMs: number
  pollMs: number
  /** What a pause is about. */
  revision: number
}

export interface CasinoFulfilment extends FulfilmentSettings {
  /** There is one where the settings say `http`. */
  called: CasinoProvider | undefined
}

export interface FulfilOrdersDeps extends StoreChangesDeps {
  /** How each of the casinos wants it; asking for one whose settings cannot be read throws. */
  findFulfilment: (casinoIds: readonly string[]) => Promise<ReadonlyMap<string, () => CasinoFulfilment>>
  slots: Pick<CallSlots, 'take' | 'noteUnreachable'>
  names: Pick<PartnerNames, 'known'>
  /** From 0 to 1. */
  random: () => number
}

/** Either the work is over for now, or a provider is to be called. */
export type FulfilmentStep =
  | ({ kind: 'ended'; line?: CallLine } & JobReport)
  /** The provider's name must be looked up before it can be called. */
  | { kind: 'look_up'; casinoId: string; url: string }
  | {
      kind: 'call'
      call: ProviderCall
      order: OrderSnapshot
      called: CasinoProvider
      /** No attempt before this one can have been heard by any provider. */
      isFirstToAsk: boolean
    }

/** `mayLookUp`: whether to say so when a name must be looked up, instead of putting the work off. */
export interface FulfilRequest {
  job: JobPayload
  holder: Holder
  mayLookUp: boolean
}

interface Loaded {
  orders: ReadonlyMap<string, OrderOfWork>
  fulfilment: ReadonlyMap<string, () => CasinoFulfilment>
}

/**
 * Takes orders one step further, or says what is to be called for that, which is written down before. The step, its event
 * and the end of the work, or the time of the next look, are one statement; doing it again changes nothing.
 */
export function createFulfilOrders(
  deps: FulfilOrdersDeps,
): (requests: readonly FulfilRequest[]) => Promise<Settled<FulfilmentStep>[]> {
  const lines = new WeakMap<OrderChange, CallLine>()
  const calls = new WeakMap<OrderChange, { call: ProviderCall; called: CasinoProvider }>()
  const change: Change<FulfilRequest, Loaded, OrderChange, FulfilmentStep> = {
    load: async (requests) => {
      const jobs = requests.map(({ job }) => job)
      const orders = await loadOrdersOfWork(deps.database, jobs)
      const casinoIds = new Set([...orders.values()].map((order) => order.casinoId))
      return { orders, fulfilment: await deps.findFulfilment([...casinoIds]) }
    },
    decide: ({ job: { outboxId }, holder, mayLookUp }, { orders, fulfilment }) => {
      const order = orders.get(outboxId)
      if (order === undefined) {
        return { answer: { kind: 'ended', result: 'nothing_to_do', outcome: 'nothing_to_do' } }
      }
      if (order.isResting) {
        return {
          answer: { kind: 'ended', result: 'snoozed', outcome: describeOutcome('snoozed', order.state) },
        }
      }
      const settings = fulfilment.get(order.casinoId)?.()
      if (settings === undefined) throw new Error('a casino has no settings')
      const decided = decideWork(deps, holder, order, settings, mayLookUp)
      if ('kind' in decided) return { answer: decided }
      const { plan, snoozeUntil, call, line } = decided
      const work = { outboxId, snoozeUntil, line: line?.key }
      const write = { order, plan, actor: 'worker', reason: null, requestId: null, work }
      if (line !== undefined) lines.set(write, line)
      if (call !== undefined && settings.called !== undefined) {
        calls.set(write, { call, called: settings.called })
      }
      return { write }
    },
    store: async (changes) => {
      const stored = await storeOrderChanges(deps, changes)
      return new Map(
        [...stored].map(([write, order]) => [
          write,
          stepOf(write, order, calls.get(write), lines.get(write)),
        ]),
      )
    },
  }
  return (requests) => loadDecideStore(change, requests)
}

/**
 * When too many calls of this casino's provider are under way, or its name leads nowhere, its orders stay away, and
 * nothing is counted.
 */
function decideWork(
  { clock, slots, names, random }: FulfilOrdersDeps,
  holder: Holder,
  order: OrderSnapshot,
  { called, ...settings }: CasinoFulfilment,
  mayLookUp: boolean,
): (OrderWork & { line?: CallLine }) | (FulfilmentStep & { kind: 'look_up' }) {
  const now = clock.now()
  const { casinoId } = order
  const work = decideOrderWork(order, settings, { now, random: random() })
  if (work.call === undefined || called === undefined) return work
  const away = (ms: number) => ({ plan: { steps: [] }, snoozeUntil: new Date(now.getTime() + ms) })
  const line = lineOfCall(casinoId, work.call)
  if (!slots.take(line, holder)) return { ...away(lineFallbackMs), line }
  const name = names.known(casinoId, called.url)
  if (name === 'found') return work
  if (name === undefined && mayLookUp) return { kind: 'look_up', casinoId, url: called.url }
  slots.noteUnreachable(line)
  return away(unknownNameAwayMs(random()))
}

/**
 * Polls stand in a line of their own, which takes turns with the other: they come again and again, and after an outage all
 * open orders are to be asked about at once. What is to be sent or cancelled does not wait for that.
 */
export function lineOfCall(casinoId: string, call: ProviderCall): CallLine {
  return call === 'poll' ? lineOf('provider', casinoId, 'polls') : lineOf('provider', casinoId)
}

function stepOf(
  { order: before, plan, work }: OrderChange,
  order: OrderSnapshot,
  call: { call: ProviderCall; called: CasinoProvider } | undefined,
  line: CallLine | undefined,
): FulfilmentStep {
  if (call !== undefined) return { kind: 'call', order, ...call, isFirstToAsk: before.providerAsked === null }
  if (plan.steps.length > 0) return { kind: 'ended', result: 'done', outcome: describeOutcome(order.state) }
  const result = work?.snoozeUntil === null ? 'nothing_to_do' : 'snoozed'
  const outcome = describeOutcome(result, order.state)
  return { kind: 'ended', result, outcome, ...(line === undefined ? {} : { line }) }
}
