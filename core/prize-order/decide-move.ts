import { prizeTransitions } from '../prize/state.ts'
import type { PrizeState } from '../prize/state.ts'
import { canMove } from '../state-machine.ts'
import type { OrderFields, OrderPlan, OrderSnapshot, OrderStep } from './order.ts'
import { alreadyThere, illegal, impossible } from './decide-refusal.ts'
import { orderTransitions } from './state.ts'
import type { ExceptionReason, HoldReason, OrderState } from './state.ts'

/** The actions that an operator can take on an order. */
export const orderMoves = [
  'confirm',
  'reject',
  'cancel',
  'resume',
  'hold',
  'release',
  'ship',
  'deliver',
  'exception',
  'reship',
] as const
export type OrderMove = (typeof orderMoves)[number]

/** The parameters of an action. */
export interface MoveDetails {
  carrier: string | null
  trackingNumber: string | null
  /** For `reject` and `cancel`: true returns the prize to the player, false voids it. Null if not given. */
  returnsPrize: boolean | null
  /** For `cancel`: final, without waiting for the provider's answer. */
  isFinal: boolean
  /** For `hold` and `release`; a release without a reason ends all holds. */
  holdReason: HoldReason | null
  exceptionReason: ExceptionReason | null
}

/** The fields of an order that the decision reads. */
export type MovableOrder = Pick<
  OrderSnapshot,
  | 'state'
  | 'prizeState'
  | 'openHolds'
  | 'shipmentNumber'
  | 'attempts'
  | 'attemptUntil'
  | 'returnsPrize'
  | 'cancelledFrom'
  | 'carrier'
  | 'trackingNumber'
  | 'provider'
  | 'providerAsked'
  | 'problem'
>

/** Checks that the action is allowed in the current state. Throws `transition_illegal`, which names the obstacle. */
export function decideMove(move: OrderMove, order: MovableOrder, details: MoveDetails): OrderPlan {
  const plan = planOf(move, order, details)
  checkPath(move, order.state, plan.steps)
  if (plan.prizeTo !== undefined && !canMove(prizeTransitions, order.prizeState, plan.prizeTo)) {
    throw illegal(`The prize of the order is ${wordsOf(order.prizeState)}`)
  }
  return plan
}

function planOf(move: OrderMove, order: MovableOrder, details: MoveDetails): OrderPlan {
  switch (move) {
    case 'confirm':
      if (order.state === 'exception') throw impossible(move, order.state)
      return { steps: [to('confirmed')], causesWork: true }
    case 'reject':
      return { steps: [to('rejected')], prizeTo: fateOf(details.returnsPrize ?? true) }
    case 'cancel':
      return planCancel(order, details)
    case 'resume':
      return planResume(order)
    case 'hold':
      return planHold(order, details.holdReason ?? 'other')
    case 'release':
      return planRelease(order, details.holdReason)
    case 'ship':
      return planShip(order, details)
    case 'deliver':
      return { steps: [to('delivered')], prizeTo: 'fulfilled', fields: { exceptionReason: null } }
    case 'exception':
      // Only a refused cancellation leads back to this state.
      if (order.state === 'cancel_requested') throw impossible(move, order.state)
      return planException(details.exceptionReason ?? 'delivery_failed')
    case 'reship':
      if (order.state !== 'exception') throw impossible(move, order.state)
      return {
        steps: [to('confirmed', { shipment_number: order.shipmentNumber + 1 })],
        fields: nextShipment(order),
        causesWork: true,
      }
    default:
      return move satisfies never
  }
}

/** The prize's state after its order was rejected or cancelled. */
function fateOf(returnsPrize: boolean): PrizeState {
  return returnsPrize ? 'won' : 'voided'
}

/**
 * An order that was not submitted, or whose parcel came back, is cancelled immediately. If a provider has the parcel or may
 * have it (an unknown result, a failed delivery), it is asked to cancel first, unless it rejected or cancelled the
 * parcel itself. To cancel without its answer, the operator must set `final`: a repeated request would otherwise cancel
 * the order while the provider sends the parcel.
 */
function planCancel(order: MovableOrder, details: MoveDetails): OrderPlan {
  const returnsPrize = details.returnsPrize ?? order.returnsPrize ?? true
  if (order.state === 'cancel_requested' && !details.isFinal) {
    throw illegal(
      'The cancellation is already requested: wait for the provider, or send "final" true to cancel without its answer',
    )
  }
  const isMaybeSubmitted = order.state === 'confirmed' && order.attempts > 0
  const isMaybeTheirs =
    order.state === 'exception' && order.provider === 'http' && order.providerAsked !== null
  if (isMaybeSubmitted || isMaybeTheirs || order.state === 'submitted' || order.state === 'processing') {
    const submitted = isMaybeSubmitted ? [to('submitted')] : []
    return {
      steps: [...submitted, to('cancel_requested')],
      fields: {
        ...(isMaybeSubmitted ? { provider: 'http' } : {}),
        returnsPrize,
        cancelledFrom: isMaybeSubmitted ? 'submitted' : order.state,
        nextPollAt: null,
        attempts: 0,
        attemptUntil: null,
      },
      causesWork: true,
    }
  }
  // A running call's answer does not matter any more.
  const fields = { attempts: 0, attemptUntil: null, nextPollAt: null }
  return { steps: [to('cancelled')], prizeTo: fateOf(returnsPrize), fields }
}

/** The cancellation came too late: the order returns to its previous state. */
function planResume(order: MovableOrder): OrderPlan {
  if (order.state !== 'cancel_requested') throw impossible('resume', order.state)
  return {
    steps: [{ event: 'cancel_refused', to: order.cancelledFrom ?? 'submitted' }],
    fields: { returnsPrize: null, cancelledFrom: null, attempts: 0, attemptUntil: null, nextPollAt: null },
    causesWork: true,
  }
}

const holdableStates: readonly OrderState[] = ['pending_confirmation', 'confirmed', 'exception']

function planHold(order: MovableOrder, reason: HoldReason): OrderPlan {
  if (!holdableStates.includes(order.state)) throw impossible('hold', order.state)
  if (order.openHolds.includes(reason)) throw illegal(`The order is already held: ${wordsOf(reason)}`)
  return { steps: [{ event: 'held', to: order.state, data: { hold_reason: reason } }], placeHold: reason }
}

function planRelease(order: MovableOrder, reason: HoldReason | null): OrderPlan {
  const released = reason === null ? order.openHolds : order.openHolds.filter((open) => open === reason)
  if (released.length === 0) throw illegal('The order has no such hold')
  const isFree = released.length === order.openHolds.length
  return {
    steps: released.map((open) => ({ event: 'released', to: order.state, data: { hold_reason: open } })),
    releaseHolds: released,
    ...(released.includes('other') ? { fields: withoutProvider(order) } : {}),
    causesWork: isFree && order.state === 'confirmed',
  }
}

/** The hold was placed because another provider may have the parcel. Releasing it confirms that it has not. */
function withoutProvider({ state, problem }: MovableOrder): Partial<OrderFields> {
  const isCleared = state === 'confirmed' && problem === 'provider_changed'
  return { problem: null, ...(isCleared ? { providerAsked: null, attempts: 0, attemptUntil: null } : {}) }
}

/** With the provider `manual`, operators ship without waiting until the worker has recorded the submission. */
function planShip(order: MovableOrder, { carrier, trackingNumber }: MoveDetails): OrderPlan {
  const isSubmitting = order.state === 'confirmed'
  if (isSubmitting && order.openHolds.length > 0) {
    throw illegal(`The order is held (${order.openHolds.map(wordsOf).join(', ')}): release it first`)
  }
  // The provider may have accepted the parcel: shipping by hand would send a second one.
  if (isSubmitting && order.attempts > 0)
    throw illegal('The order is being submitted: try again when the result is known')
  const isNew =
    (carrier !== null && carrier !== order.carrier) ||
    (trackingNumber !== null && trackingNumber !== order.trackingNumber)
  // Shipped already; the operator corrects the details.
  const isUpdate = order.state === 'shipped' && isNew
  // Events are permanent: a tracking number identifies the recipient, and a carrier is free text. Both are
  // stored only in the order.
  const shipped: OrderStep = isUpdate ? { event: 'shipment_updated', to: order.state } : to('shipped')
  return {
    steps: isSubmitting ? [to('submitted'), shipped] : [shipped],
    fields: {
      ...(isSubmitting ? { provider: 'manual' } : {}),
      ...(carrier === null ? {} : { carrier }),
      ...(trackingNumber === null ? {} : { trackingNumber }),
      exceptionReason: null,
      attempts: 0,
      attemptUntil: null,
    },
  }
}

function planException(exceptionReason: ExceptionReason): OrderPlan {
  return {
    steps: [to('exception', { exception_reason: exceptionReason })],
    fields: { exceptionReason, attempts: 0, attemptUntil: null },
  }
}

/** A new shipment starts without the previous one's details. */
export function nextShipment(order: Pick<OrderSnapshot, 'shipmentNumber'>): Partial<OrderFields> {
  return {
    shipmentNumber: order.shipmentNumber + 1,
    carrier: null,
    trackingNumber: null,
    exceptionReason: null,
    provider: null,
    providerReference: null,
    providerAsked: null,
    problem: null,
    partnerOccurredAt: null,
    nextPollAt: null,
    attempts: 0,
    attemptUntil: null,
  }
}

function to(state: OrderState, data?: OrderStep['data']): OrderStep {
  return { event: state, to: state, ...(data === undefined ? {} : { data }) }
}

/** Every step must be in the table; a step that keeps the state is not checked. */
function checkPath(move: OrderMove, from: OrderState, steps: readonly OrderStep[]): void {
  let state = from
  for (const step of steps) {
    if (step.to !== state && !canMove(orderTransitions, state, step.to)) throw impossible(move, from)
    if (step.to === state && step.event === step.to) throw alreadyThere(state)
    state = step.to
  }
}

function wordsOf(state: string): string {
  return state.replaceAll('_', ' ')
}
