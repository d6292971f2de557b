import type { TransitionTable } from '../state-machine.ts'

export type OrderState =
  | 'pending_confirmation'
  | 'confirmed'
  | 'rejected'
  | 'cancelled'
  | 'submitted'
  | 'processing'
  | 'shipped'
  | 'delivered'
  | 'exception'
  | 'cancel_requested'

/**
 * The service never confirms an order: the casino does. A corrected address needs a new confirmation, so the order
 * returns to the beginning. A parcel that was not delivered is sent again from `confirmed`.
 */
export const orderTransitions: TransitionTable<OrderState> = {
  pending_confirmation: ['confirmed', 'rejected', 'cancelled'],
  confirmed: ['submitted', 'cancelled', 'pending_confirmation'],
  rejected: [],
  cancelled: [],
  submitted: ['processing', 'shipped', 'exception', 'cancel_requested'],
  processing: ['shipped', 'exception', 'cancel_requested'],
  shipped: ['delivered', 'exception'],
  delivered: [],
  exception: ['confirmed', 'shipped', 'delivered', 'cancel_requested', 'cancelled', 'pending_confirmation'],
  cancel_requested: ['cancelled', 'submitted', 'processing', 'exception'],
}

/** Why a parcel was not delivered. */
export const exceptionReasons = [
  'provider_rejected',
  'address_invalid',
  'delivery_failed',
  'returned',
  'lost',
  'damaged',
] as const
export type ExceptionReason = (typeof exceptionReasons)[number]

/** Why a parcel must not be sent yet. An order may have several holds. */
export const holdReasons = [
  'incorrect_address',
  'fraud_risk',
  'kyc_pending',
  'player_restricted',
  'out_of_stock',
  'customs',
  'other',
] as const
export type HoldReason = (typeof holdReasons)[number]
