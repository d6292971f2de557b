import { RewardsError } from '../errors.ts'
import type { OrderState } from './state.ts'

const stateWords: Record<OrderState, string> = {
  pending_confirmation: 'awaits confirmation',
  confirmed: 'is confirmed',
  rejected: 'was rejected',
  cancelled: 'was cancelled',
  submitted: 'is submitted',
  processing: 'is being processed',
  shipped: 'is shipped',
  delivered: 'was delivered',
  exception: 'has an exception',
  cancel_requested: 'is being cancelled',
}

const actionWords = {
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

/** The action is not allowed in this state. */
export function impossible(move: keyof typeof actionWords, state: OrderState): RewardsError {
  return illegal(`An order that ${stateWords[state]} cannot ${actionWords[move]}`)
}

/** The address cannot be corrected in this state. */
export function uncorrectable(state: OrderState): RewardsError {
  return illegal(`The address of an order that ${stateWords[state]} cannot be corrected`)
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
