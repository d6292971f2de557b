import { prizeTransitions } from '../prize/state.ts'
import type { PrizeState } from '../prize/state.ts'
import { canMove } from '../state-machine.ts'
import type { OrderFields, OrderPlan, OrderSnapshot, OrderStep } from './order.ts'
import { alreadyThere, illegal, impossible } from './decide-refusal.ts'
import { orderTransitions } from './state.ts'
import type { ExceptionReason, HoldReason, OrderState } from './state.ts'

/** What an operator can do with an order. */
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

/** What is said with a move. */
export interface MoveDetails {
  carrier: string | null
  trackingNumber: string | null
  /** Of `reject` and `cancel`: whether the player gets the prize back; else it is void. Null when it was not said. */
  returnsPrize: boolean | null
  /** Of `cancel`: the word of people counts, whatever the provider answers to the cancellation that it was asked for. */
  isFinal: boolean
  /** Of `hold` and `release`; a release without one ends all holds. */
  holdReason: HoldReason | null
  exceptionReason: ExceptionReason | null
}

/** What an order is like to decide about it. */
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

/** May this be done with the order as it is? Throws `transition_illegal`, which says what is in the way. */
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
      // Only a refused cancellation leads back there.
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

/** What becomes of a prize whose order comes to nothing. */
function fateOf(returnsPrize: boolean): PrizeState {
  return returnsPrize ? 'won' : 'voided'
}

/**
 * What was not submitted, or came back to people, is cancelled at once. What a provider has, or may have (its answer is
 * not known, or its parcel did not arrive), it must be asked for first; unless it has refused or cancelled the parcel
 * itself. Cancelling what it has been asked for anyway must be said to be the last word: a request that is only repeated
 * would cancel the order while the provider sends the parcel.
 */
function planCancel(order: MovableOrder, details: MoveDetails): OrderPlan {
  const returnsPrize = details.returnsPrize ?? order.returnsPrize ?? true
  if (order.state === 'cancel_requested' && !details.isFinal) {
    throw illegal('The cancellation is already requested; with final true people have the last word')
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
  // Nobody waits any more for the answer to a call that may be under way.
  const fields = { attempts: 0, attemptUntil: null, nextPollAt: null }
  return { steps: [to('cancelled')], prizeTo: fateOf(returnsPrize), fields }
}

/** The cancellation came too late: the order goes on where it was. */
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
  if (released.length === 0) throw illegal('The order is not held for that')
  const isFree = released.length === order.openHolds.length
  return {
    steps: released.map((open) => ({ event: 'released', to: order.state, data: { hold_reason: open } })),
    releaseHolds: released,
    ...(released.includes('other') ? { fields: nobodyHasIt(order) } : {}),
    causesWork: isFree && order.state === 'confirmed',
  }
}

/** Whoever releases what was held since another provider may have the parcel has found out that it has not. */
function nobodyHasIt({ state, problem }: MovableOrder): Partial<OrderFields> {
  const isCleared = state === 'confirmed' && problem === 'provider_changed'
  return { problem: null, ...(isCleared ? { providerAsked: null, attempts: 0, attemptUntil: null } : {}) }
}

/** With the `manual` provider people ship, and need not wait until the worker has recorded the submission to them. */
function planShip(order: MovableOrder, { carrier, trackingNumber }: MoveDetails): OrderPlan {
  const isSubmitting = order.state === 'confirmed'
  if (isSubmitting && order.openHolds.length > 0) {
    throw illegal(`The order is held: ${order.openHolds.map(wordsOf).join(', ')}`)
  }
  // The provider may have taken the parcel on: a second one by hand would be one too many.
  if (isSubmitting && order.attempts > 0) throw illegal('The order is being submitted')
  const isNew =
    (carrier !== null && carrier !== order.carrier) ||
    (trackingNumber !== null && trackingNumber !== order.trackingNumber)
  // On its way already, but people know better how.
  const isUpdate = order.state === 'shipped' && isNew
  // Events are for ever: a tracking number leads to whose parcel it is, and a carrier is free text. Both are in the order only.
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

/** A parcel that is sent anew has nothing of the one before. */
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

/** Every step must be in the table; a step that leaves the state is none of the table's business. */
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
