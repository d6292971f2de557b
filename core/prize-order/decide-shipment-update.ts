import type { ShipmentUpdate, ShipmentStatus } from '../partner/provider-outcome.ts'
import { canMove } from '../state-machine.ts'
import type { OrderFields, OrderPlan, OrderSnapshot, OrderStep } from './order.ts'
import { exceptionReasons, orderTransitions } from './state.ts'
import type { ExceptionReason, OrderState } from './state.ts'

/** The outcome of a shipment update: `applied`, `noted` for operators, or why it changed nothing. */
export type UpdateOutcome = 'applied' | 'noted' | 'other_shipment' | 'not_newer' | 'illegal'

/** The fields of an order that the decision reads. */
export type UpdatableOrder = Pick<
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

/** A shipment update with its place among the order's earlier ones. */
export interface OrderedUpdate extends ShipmentUpdate {
  shipmentNumber: number
  /**
   * A later update of this shipment was applied or noted before, or an identical one with the same time: a repetition
   * under another id, or a poll's answer.
   */
  isStale: boolean
  /**
   * An update with the same status and time was applied or noted before, and this one adds something, such as a
   * tracking number.
   */
  isMore?: boolean
}

/**
 * Applies a provider's update to an order. Updates may come late, twice or out of order: one about another parcel, one
 * older than the last applied, and one without a legal transition change nothing. Clocks may be coarse, so updates with
 * the same time count in the order of their arrival, each status once. An update that contradicts the order's end, or
 * reports a parcel that was given up, is noted in the history for operators.
 */
export function decideShipmentUpdate(
  order: UpdatableOrder,
  update: OrderedUpdate,
): { outcome: UpdateOutcome; plan: OrderPlan } {
  const nothing: OrderPlan = { steps: [] }
  if (update.shipmentNumber > order.shipmentNumber) return { outcome: 'other_shipment', plan: nothing }
  if (update.shipmentNumber < order.shipmentNumber) {
    const isNew = !update.isStale && activeStatuses.includes(update.status)
    return isNew ? note(order, update) : { outcome: 'other_shipment', plan: nothing }
  }
  const isOlder = order.partnerOccurredAt !== null && update.occurredAt < order.partnerOccurredAt
  if (isOlder || update.isStale) return fillIn(order, update) ?? { outcome: 'not_newer', plan: nothing }
  // The first update with this status made the transitions already.
  if (update.isMore === true) return amend(order, update)
  if (contradictions[order.state]?.includes(update.status) === true) return note(order, update)
  // `processing` does not answer a requested cancellation, and `cancel_refused` does not change a failed
  // delivery.
  const isBeside =
    (order.state === 'cancel_requested' && update.status === 'processing') ||
    (order.state === 'exception' && update.status === 'cancel_refused')
  const path = isBeside ? undefined : pathTo(order, targetOf(order, update))
  const last = path?.at(-1)
  if (path === undefined || last === undefined) return amend(order, update)
  // The exception is over when the parcel moves on or arrives. A cancelled order keeps the reason of its
  // cancellation.
  const exceptionReason = last === 'exception' ? reasonOf(update) : last === 'cancelled' ? undefined : null
  const fields: Partial<OrderFields> = {
    partnerOccurredAt: update.occurredAt,
    attempts: 0,
    attemptUntil: null,
    ...(order.state === 'confirmed' ? { provider: 'http' } : {}),
    ...(update.carrier === null ? {} : { carrier: update.carrier }),
    ...(update.trackingNumber === null ? {} : { trackingNumber: update.trackingNumber }),
    ...(exceptionReason === undefined ? {} : { exceptionReason }),
    ...(order.state === 'cancel_requested' ? { returnsPrize: null, cancelledFrom: null } : {}),
    // Cancelled by the provider itself: it no longer has the parcel.
    ...(update.status === 'cancelled' && last === 'exception' ? { providerAsked: null } : {}),
  }
  // Without tracking number and carrier: events are permanent, the number identifies the recipient, the
  // carrier is free text.
  const data = last === 'exception' ? { exception_reason: reasonOf(update) } : {}
  const steps: OrderStep[] = path.map((to, index) => ({
    event: order.state === 'cancel_requested' && index === 0 && to !== 'cancelled' ? 'cancel_refused' : to,
    to,
    ...(to === last && Object.keys(data).length > 0 ? { data } : {}),
  }))
  // A held order had no work. From now on it is polled.
  const work = order.state === 'confirmed' && order.openHolds.length > 0 ? { causesWork: true } : {}
  return { outcome: 'applied', plan: { steps, fields, ...work, ...fateOf(order, last) } }
}

const amendableStates: readonly OrderState[] = ['processing', 'shipped', 'exception']

/** A repeated update can add details: a tracking number, or why the delivery failed. */
function amend(order: UpdatableOrder, update: OrderedUpdate): { outcome: UpdateOutcome; plan: OrderPlan } {
  const { carrier, trackingNumber } = update
  const exceptionReason =
    order.state === 'exception' ? exceptionReasons.find((reason) => reason === update.reason) : undefined
  const fields = {
    ...(carrier === null || carrier === order.carrier ? {} : { carrier }),
    ...(trackingNumber === null || trackingNumber === order.trackingNumber ? {} : { trackingNumber }),
    ...(exceptionReason === undefined || exceptionReason === order.exceptionReason
      ? {}
      : { exceptionReason }),
  }
  const isUpdate = update.status === order.state && amendableStates.includes(order.state)
  if (!isUpdate || Object.keys(fields).length === 0)
    return fillIn(order, update) ?? { outcome: 'illegal', plan: { steps: [] } }
  const data =
    fields.exceptionReason === undefined ? {} : { data: { exception_reason: fields.exceptionReason } }
  const step: OrderStep = { event: 'shipment_updated', to: order.state, ...data }
  return {
    outcome: 'applied',
    plan: { steps: [step], fields: { ...fields, partnerOccurredAt: update.occurredAt } },
  }
}

/** The provider has a parcel, or had one. */
const sentStates: readonly OrderState[] = [
  'submitted',
  'processing',
  'shipped',
  'delivered',
  'exception',
  'cancel_requested',
]

/**
 * An unknown carrier or tracking number is stored from any update, however late: it does not depend on the parcel's
 * status. Undefined if there is nothing to add.
 */
function fillIn(
  order: UpdatableOrder,
  { carrier, trackingNumber }: OrderedUpdate,
): { outcome: UpdateOutcome; plan: OrderPlan } | undefined {
  if (!sentStates.includes(order.state)) return undefined
  const fields = {
    ...(carrier === null || order.carrier !== null ? {} : { carrier }),
    ...(trackingNumber === null || order.trackingNumber !== null ? {} : { trackingNumber }),
  }
  if (Object.keys(fields).length === 0) return undefined
  const steps: OrderStep[] = [{ event: 'shipment_updated', to: order.state }]
  return { outcome: 'applied', plan: { steps, fields } }
}

/** Statuses of a parcel that is on its way or has arrived. */
const activeStatuses: readonly ShipmentStatus[] = ['processing', 'shipped', 'delivered', 'cancel_refused']

/** Statuses that contradict an order's final state. */
const contradictions: Partial<Record<OrderState, readonly ShipmentStatus[]>> = {
  rejected: activeStatuses,
  cancelled: activeStatuses,
  delivered: ['exception', 'cancelled'],
}

function note(
  { state }: UpdatableOrder,
  { status, shipmentNumber }: OrderedUpdate,
): { outcome: UpdateOutcome; plan: OrderPlan } {
  const data = { status, shipment_number: shipmentNumber }
  const words = `The provider reported parcel ${shipmentNumber}: ${status.replaceAll('_', ' ')}`
  return { outcome: 'noted', plan: { steps: [{ event: 'news_ignored', to: state, data }], note: words } }
}

/** If the provider cancels a parcel by itself, it was not delivered, and operators decide what follows. */
function targetOf(order: UpdatableOrder, { status }: ShipmentUpdate): OrderState {
  switch (status) {
    case 'cancelled':
      return order.state === 'cancel_requested' ? 'cancelled' : 'exception'
    case 'cancel_refused':
      return order.cancelledFrom ?? 'submitted'
    default:
      return status
  }
}

/** The transitions to the target; undefined if it cannot be reached. */
function pathTo(order: UpdatableOrder, target: OrderState): OrderState[] | undefined {
  const { state } = order
  // A parcel that failed after the cancellation was requested must have been sent in between.
  const isThroughBefore =
    state === 'cancel_requested' && target === 'exception' && order.cancelledFrom !== 'exception'
  if (canMove(orderTransitions, state, target) && state !== 'confirmed' && !isThroughBefore) return [target]
  switch (state) {
    case 'confirmed':
      // The answer to the submission was lost, but the update proves that the provider has the parcel.
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

function prefixed(first: OrderState, order: UpdatableOrder, target: OrderState): OrderState[] | undefined {
  if (first === target) return [first]
  const rest = pathTo({ ...order, state: first }, target)
  return rest === undefined ? undefined : [first, ...rest]
}

function reasonOf(update: ShipmentUpdate): ExceptionReason {
  if (update.status === 'cancelled') return 'provider_rejected'
  const named = exceptionReasons.find((reason) => reason === update.reason)
  return named ?? 'delivery_failed'
}

function fateOf(order: UpdatableOrder, last: OrderState): Pick<OrderPlan, 'prizeTo'> {
  if (last === 'delivered') return { prizeTo: 'fulfilled' }
  if (last === 'cancelled') return { prizeTo: order.returnsPrize === false ? 'voided' : 'won' }
  return {}
}
