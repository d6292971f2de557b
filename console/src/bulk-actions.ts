import type { components } from '../../client/generated/openapi.ts'

type Schemas = components['schemas']
type ActionOfAct = Schemas['MakeActRequest']['action']

/** An action on many objects of a list: its name, the right that it needs, and the fields that it asks for. */
export interface BulkAction {
  action: ActionOfAct
  label: string
  right: 'support' | 'finance'
  fields: readonly string[]
}

const order = (action: ActionOfAct, label: string, ...fields: string[]): BulkAction => ({
  action,
  label,
  right: 'support',
  fields,
})

export const orderActions: readonly BulkAction[] = [
  order('order.confirm', 'Confirm'),
  order('order.reject', 'Reject', 'return_prize'),
  order('order.cancel', 'Cancel', 'return_prize', 'final'),
  order('order.resume', 'Withdraw the cancellation'),
  order('order.hold', 'Hold', 'hold_reason'),
  order('order.release', 'Release', 'hold_reason'),
  order('order.ship', 'Mark as shipped', 'carrier'),
  order('order.deliver', 'Mark as delivered'),
  order('order.exception', 'Mark as not delivered', 'exception_reason'),
  order('order.reship', 'Send again'),
]

export const cashbackActions: readonly BulkAction[] = [
  { action: 'cashback.retry', label: 'Ask the wallet again', right: 'support', fields: [] },
  {
    action: 'cashback.release-wallet',
    label: 'Let the current wallet be asked',
    right: 'finance',
    fields: [],
  },
  { action: 'cashback.resolve', label: 'Resolve', right: 'finance', fields: ['outcome'] },
  { action: 'cashback.reverse', label: 'Reverse', right: 'finance', fields: ['prize', 'money_back'] },
]

const findAction = (action: string) =>
  [...orderActions, ...cashbackActions].find((candidate) => candidate.action === action)

/** The right that a decision about an act takes. */
export function rightFor(action: string): 'support' | 'finance' {
  return findAction(action)?.right ?? (action === 'event.replay' ? 'support' : 'finance')
}

/** The title of an act, such as "Confirm: 3 orders". */
export function titleOf({ action, progress: { objects } }: Schemas['Act']): string {
  const [noun = '', verb = ''] = action.split('.')
  if (action === 'event.replay') return `Send again: ${objects} event${objects === 1 ? '' : 's'}`
  return `${findAction(action)?.label ?? verb}: ${objects} ${noun}${objects === 1 ? '' : 's'}`
}
