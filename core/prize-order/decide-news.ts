import type { ShipmentNews, ShipmentStatus } from '../partner/provider-outcome.ts'
import { canMove } from '../state-machine.ts'
import type { OrderFields, OrderPlan, OrderSnapshot, OrderStep } from './order.ts'
import { exceptionReasons, orderTransitions } from './state.ts'
import type { ExceptionReason, OrderState } from './state.ts'

/** What became of a piece of news: `applied`, `noted` for people to look into, or why it changed nothing. */
export type NewsOutcome = 'applied' | 'noted' | 'other_shipment' | 'not_newer' | 'illegal'

/** What a decision about news looks at. */
export type InformedOrder = Pick<
  OrderSnapshot,
  | 'state'
  | 'openHolds'
  | 'shipmentNumber'
  | 'partnerOccurredAt'
  | 'returnsPrize'
  | 'cancelledFrom'
  | 'attempts'
  | 'carrier'
  | 'trackingNumber'
  | 'exceptionReason'
>

/** A piece of news to be decided about. */
export interface NewsPiece extends ShipmentNews {
  shipmentNumber: number
  /**
   * Of this shipment something later was applied or noted before, or the same of the same moment: told once more under
   * another id, or heard by asking.
   */
  isStale: boolean
  /** The same status of the same moment was applied or noted before, and this says more: a tracking number, say. */
  isMore?: boolean
}

/**
 * What a provider's news does to an order. News may come late, twice or out of order: what is about another parcel, is
 * older than what was applied, or leads nowhere from here, changes nothing. Clocks may be coarse, so what happened at the
 * same moment counts in the order in which it reached us, each status once. What contradicts how an order has ended, or
 * says that a parcel travels that was given up, is noted in the history: people must know of it.
 */
export function decideNews(order: InformedOrder, news: NewsPiece): { outcome: NewsOutcome; plan: OrderPlan } {
  const nothing: OrderPlan = { steps: [] }
  if (news.shipmentNumber > order.shipmentNumber) return { outcome: 'other_shipment', plan: nothing }
  if (news.shipmentNumber < order.shipmentNumber) {
    const isNew = !news.isStale && lifeSigns.includes(news.status)
    return isNew ? note(order, news) : { outcome: 'other_shipment', plan: nothing }
  }
  const isOlder = order.partnerOccurredAt !== null && news.occurredAt < order.partnerOccurredAt
  if (isOlder || news.isStale) return fillIn(order, news) ?? { outcome: 'not_newer', plan: nothing }
  // The moves it stands for were made when it was told first.
  if (news.isMore === true) return update(order, news)
  if (contradictions[order.state]?.includes(news.status) === true) return note(order, news)
  // That it is being packed says nothing about a cancellation that has been asked for, nor does what became of a
  // cancellation about a parcel that did not arrive.
  const isBeside =
    (order.state === 'cancel_requested' && news.status === 'processing') ||
    (order.state === 'exception' && news.status === 'cancel_refused')
  const path = isBeside ? undefined : pathTo(order, targetOf(order, news))
  const last = path?.at(-1)
  if (path === undefined || last === undefined) return update(order, news)
  // Once it moves on, or arrives, it is over why it did not; a cancelled one was cancelled because of it.
  const exceptionReason = last === 'exception' ? reasonOf(news) : last === 'cancelled' ? undefined : null
  const fields: Partial<OrderFields> = {
    partnerOccurredAt: news.occurredAt,
    attempts: 0,
    attemptUntil: null,
    ...(order.state === 'confirmed' ? { provider: 'http' } : {}),
    ...(news.carrier === null ? {} : { carrier: news.carrier }),
    ...(news.trackingNumber === null ? {} : { trackingNumber: news.trackingNumber }),
    ...(exceptionReason === undefined ? {} : { exceptionReason }),
    ...(order.state === 'cancel_requested' ? { returnsPrize: null, cancelledFrom: null } : {}),
    // Of its own accord: from then on nobody has the parcel.
    ...(news.status === 'cancelled' && last === 'exception' ? { providerAsked: null } : {}),
  }
  // Neither tracking number nor carrier: events are for ever; the one leads to whose parcel it is, the other is free text.
  const data = last === 'exception' ? { exception_reason: reasonOf(news) } : {}
  const steps: OrderStep[] = path.map((to, index) => ({
    event: order.state === 'cancel_requested' && index === 0 && to !== 'cancelled' ? 'cancel_refused' : to,
    to,
    ...(to === last && Object.keys(data).length > 0 ? { data } : {}),
  }))
  // While it was held there was nothing to do; from now on there is news to ask for.
  const work = order.state === 'confirmed' && order.openHolds.length > 0 ? { causesWork: true } : {}
  return { outcome: 'applied', plan: { steps, fields, ...work, ...fateOf(order, last) } }
}

const toldMoreOf: readonly OrderState[] = ['processing', 'shipped', 'exception']

/** What is told once more can say more: a tracking number that was not known before, or why the parcel did not arrive. */
function update(order: InformedOrder, news: NewsPiece): { outcome: NewsOutcome; plan: OrderPlan } {
  const { carrier, trackingNumber } = news
  const exceptionReason =
    order.state === 'exception' ? exceptionReasons.find((reason) => reason === news.reason) : undefined
  const fields = {
    ...(carrier === null || carrier === order.carrier ? {} : { carrier }),
    ...(trackingNumber === null || trackingNumber === order.trackingNumber ? {} : { trackingNumber }),
    ...(exceptionReason === undefined || exceptionReason === order.exceptionReason
      ? {}
      : { exceptionReason }),
  }
  const isUpdate = news.status === order.state && toldMoreOf.includes(order.state)
  if (!isUpdate || Object.keys(fields).length === 0)
    return fillIn(order, news) ?? { outcome: 'illegal', plan: { steps: [] } }
  const data =
    fields.exceptionReason === undefined ? {} : { data: { exception_reason: fields.exceptionReason } }
  const step: OrderStep = { event: 'shipment_updated', to: order.state, ...data }
  return {
    outcome: 'applied',
    plan: { steps: [step], fields: { ...fields, partnerOccurredAt: news.occurredAt } },
  }
}

/** In these a parcel is with the provider, or has been. */
const sentStates: readonly OrderState[] = [
  'submitted',
  'processing',
  'shipped',
  'delivered',
  'exception',
  'cancel_requested',
]

/**
 * A carrier or tracking number that is not known yet is worth having however late it comes, and whatever it comes with:
 * it says nothing of when or where the parcel is. Undefined when there is none.
 */
function fillIn(
  order: InformedOrder,
  { carrier, trackingNumber }: NewsPiece,
): { outcome: NewsOutcome; plan: OrderPlan } | undefined {
  if (!sentStates.includes(order.state)) return undefined
  const fields = {
    ...(carrier === null || order.carrier !== null ? {} : { carrier }),
    ...(trackingNumber === null || order.trackingNumber !== null ? {} : { trackingNumber }),
  }
  if (Object.keys(fields).length === 0) return undefined
  const steps: OrderStep[] = [{ event: 'shipment_updated', to: order.state }]
  return { outcome: 'applied', plan: { steps, fields } }
}

/** A parcel of which this is said is on its way to the player, or there. */
const lifeSigns: readonly ShipmentStatus[] = ['processing', 'shipped', 'delivered', 'cancel_refused']

/** What cannot be true together with the way in which an order has ended. */
const contradictions: Partial<Record<OrderState, readonly ShipmentStatus[]>> = {
  rejected: lifeSigns,
  cancelled: lifeSigns,
  delivered: ['exception', 'cancelled'],
}

function note(
  { state }: InformedOrder,
  { status, shipmentNumber }: NewsPiece,
): { outcome: NewsOutcome; plan: OrderPlan } {
  const data = { status, shipment_number: shipmentNumber }
  const words = `Its provider says of parcel ${shipmentNumber}: ${status.replaceAll('_', ' ')}`
  return { outcome: 'noted', plan: { steps: [{ event: 'news_ignored', to: state, data }], note: words } }
}

/** A parcel that its provider cancels of its own accord was not delivered, and people decide what follows. */
function targetOf(order: InformedOrder, { status }: ShipmentNews): OrderState {
  switch (status) {
    case 'cancelled':
      return order.state === 'cancel_requested' ? 'cancelled' : 'exception'
    case 'cancel_refused':
      return order.cancelledFrom ?? 'submitted'
    default:
      return status
  }
}

/** The states to walk through; undefined when there is no way. */
function pathTo(order: InformedOrder, target: OrderState): OrderState[] | undefined {
  const { state } = order
  // What could not be delivered before its cancellation was asked for went on in between.
  const isThroughBefore =
    state === 'cancel_requested' && target === 'exception' && order.cancelledFrom !== 'exception'
  if (canMove(orderTransitions, state, target) && state !== 'confirmed' && !isThroughBefore) return [target]
  switch (state) {
    case 'confirmed':
      // The answer to the submission was lost, but the provider has it: it tells about it.
      return order.attempts > 0 ? prefixed('submitted', order, target) : undefined
    case 'cancel_requested':
      return prefixed(order.cancelledFrom ?? 'submitted', order, target)
    case 'submitted':
    case 'processing':
      return target === 'delivered' ? ['shipped', 'delivered'] : undefined
    default:
      return undefined
  }
}

function prefixed(first: OrderState, order: InformedOrder, target: OrderState): OrderState[] | undefined {
  if (first === target) return [first]
  const rest = pathTo({ ...order, state: first }, target)
  return rest === undefined ? undefined : [first, ...rest]
}

function reasonOf(news: ShipmentNews): ExceptionReason {
  if (news.status === 'cancelled') return 'provider_rejected'
  const named = exceptionReasons.find((reason) => reason === news.reason)
  return named ?? 'delivery_failed'
}

function fateOf(order: InformedOrder, last: OrderState): Pick<OrderPlan, 'prizeTo'> {
  if (last === 'delivered') return { prizeTo: 'fulfilled' }
  if (last === 'cancelled') return { prizeTo: order.returnsPrize === false ? 'voided' : 'won' }
  return {}
}
