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

/** An order is never confirmed automatically: the casino confirms. */
export const orderTransitions: TransitionTable<OrderState> = {
  pending_confirmation: ['confirmed', 'rejected', 'cancelled'],
  confirmed: ['submitted', 'cancelled'],
  rejected: [],
  cancelled: [],
  submitted: ['processing', 'shipped', 'exception', 'cancel_requested'],
  processing: ['shipped', 'exception', 'cancel_requested'],
  shipped: ['delivered', 'exception'],
  delivered: [],
  exception: ['submitted', 'shipped', 'delivered', 'cancelled'],
  cancel_requested: ['cancelled', 'submitted', 'processing'],
}
