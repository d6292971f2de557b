import { eventNames } from '../../../core/event/event-names.ts'
import type { EventName } from '../../../core/event/event-names.ts'
import { cashbackTransitions } from '../../../core/cashback/state.ts'
import { orderTransitions } from '../../../core/prize-order/state.ts'
import { prizeTransitions } from '../../../core/prize/state.ts'
import type { TransitionTable } from '../../../core/state-machine.ts'
import { oneOf } from '../../../core/shape/json-schema.ts'
import type { JsonSchema } from '../../../core/shape/json-schema.ts'

/** The states before and after an event, as it has them in `data`. */
export interface EventStates {
  from: JsonSchema
  to: JsonSchema
}

export const prizeStates: Record<EventName<'prize'>, EventStates> = {
  ...statesOf(prizeTransitions, eventNames.prize),
  won: begins('won'),
  returned: moves(before(prizeTransitions, 'won'), ['won']),
  expiring: moves(['won'], ['won']),
}

const orderStates = Object.keys(orderTransitions)

export const prizeOrderStates: Record<EventName<'prize_order'>, EventStates> = {
  ...statesOf(orderTransitions, eventNames.prize_order),
  placed: begins('pending_confirmation'),
  confirmation_requested: moves(['pending_confirmation'], ['pending_confirmation']),
  confirmation_reminder: moves(['pending_confirmation'], ['pending_confirmation']),
  address_corrected: moves(orderStates, orderStates),
  held: moves(orderStates, orderStates, 'confirmed'),
  released: moves(orderStates, orderStates, 'confirmed'),
  submission_attempted: moves(['confirmed'], ['confirmed']),
  submission_unknown: moves(orderStates, orderStates, 'confirmed'),
  submission_accepted: moves(orderStates, orderStates, 'cancel_requested'),
  submission_rejected: moves(orderStates, orderStates, 'shipped'),
  cancellation_attempted: moves(['cancel_requested'], ['cancel_requested']),
  cancellation_unknown: moves(['cancel_requested'], ['cancel_requested']),
  cancellation_reminder: moves(['cancel_requested'], ['cancel_requested']),
  cancellation_pending: moves(['cancel_requested'], ['cancel_requested']),
  cancel_refused: moves(['cancel_requested'], after(orderTransitions, 'cancel_requested'), 'submitted'),
  shipment_updated: moves(orderStates, orderStates, 'shipped'),
  news_ignored: moves(orderStates, orderStates, 'cancelled'),
  delivery_erased: moves(orderStates, orderStates, 'delivered'),
}

const cashbackStateNames = Object.keys(cashbackTransitions)

export const cashbackStates: Record<EventName<'cashback'>, EventStates> = {
  ...statesOf(cashbackTransitions, eventNames.cashback),
  requested: begins('requested'),
  // Wanted by people first, and then the attempt itself.
  processing: moves([...before(cashbackTransitions, 'processing'), 'processing'], ['processing']),
  reversing: moves([...before(cashbackTransitions, 'reversing'), 'reversing'], ['reversing']),
  reversal_declined: moves(['reversing', 'reversal_unknown', 'reversal_review'], ['credited']),
  wallet_released: moves(cashbackStateNames, cashbackStateNames, 'unknown'),
  wallet_contradicted: moves(cashbackStateNames, cashbackStateNames, 'declined'),
}

export const switchStates: Record<EventName<'webhook_endpoint'>, EventStates> = {
  disabled: moves(['enabled'], ['disabled']),
  enabled: moves(['disabled'], ['enabled']),
}

export const settingStates: Record<EventName<'wallet'>, EventStates> = {
  changed: { from: asBefore(oneOf(['active', 'paused', null])), to: asAfter(oneOf(['active'])) },
  paused: moves(['active'], ['paused']),
  resumed: moves(['paused'], ['active']),
}

function begins(state: string): EventStates {
  return { from: asBefore({ type: 'null' }), to: asAfter(oneOf([state])) }
}

/** The example is where both stand, or only the last one when the first has one value. */
function moves(from: readonly string[], to: readonly string[], example?: string): EventStates {
  const shown = (states: readonly string[]) => {
    const isExample = states.length > 1 && example !== undefined && states.includes(example)
    return { ...oneOf(states), ...(isExample ? { examples: [example] } : {}) }
  }
  return { from: asBefore(shown(from)), to: asAfter(shown(to)) }
}

/** Events that are named after the state that they lead to: from each state that it may follow. */
function statesOf<Name extends string>(
  table: TransitionTable<string>,
  names: readonly Name[],
): Record<Name, EventStates> {
  const entries = names.map((name) => [name, moves(before(table, name), [name])])
  return Object.fromEntries(entries) as Record<Name, EventStates> // names that are not states are overwritten
}

function before(table: TransitionTable<string>, state: string): string[] {
  return Object.keys(table).filter((one) => table[one]?.includes(state) === true)
}

function after(table: TransitionTable<string>, state: string): readonly string[] {
  return table[state] ?? []
}

function asBefore(schema: JsonSchema): JsonSchema {
  return { description: 'The state before; null at the beginning.', ...schema }
}

function asAfter(schema: JsonSchema): JsonSchema {
  return { description: 'The state after it.', ...schema }
}
