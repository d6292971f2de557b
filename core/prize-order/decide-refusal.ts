import { RewardsError } from '../errors.ts'
import type { OrderState } from './state.ts'

const whatItIs: Record<OrderState, string> = {
  pending_confirmation: 'waits for its confirmation',
  confirmed: 'is confirmed',
  rejected: 'was rejected',
  cancelled: 'was cancelled',
  submitted: 'is submitted',
  processing: 'is being processed',
  shipped: 'is shipped',
  delivered: 'was delivered',
  exception: 'has an exception',
  cancel_requested: 'is to be cancelled',
}

const whatCannotBeDone = {
  confirm: 'be confirmed',
  reject: 'be rejected',
  cancel: 'be cancelled',
  resume: 'be resumed',
  hold: 'be held',
  release: 'be released',
  ship: 'be shipped',
  deliver: 'be delivered',
  exception: 'get an exception',
  reship: 'be sent again',
}

/** The state is none from which the move is a step. */
export function impossible(move: keyof typeof whatCannotBeDone, state: OrderState): RewardsError {
  return illegal(`An order that ${whatItIs[state]} cannot ${whatCannotBeDone[move]}`)
}

/** Neither can the address be corrected. */
export function uncorrectable(state: OrderState): RewardsError {
  return illegal(`The address of an order that ${whatItIs[state]} cannot be corrected`)
}

export function alreadyThere(state: OrderState): RewardsError {
  return illegal(
    state === 'exception'
      ? 'The order already has an exception'
      : `The order is already ${state.replaceAll('_', ' ')}`,
  )
}

export function illegal(message: string): RewardsError {
  return new RewardsError('transition_illegal', message)
}
