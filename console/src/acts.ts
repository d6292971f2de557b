import { answered, api } from './api.ts'
import type { Schemas } from './api.ts'
import type { Right } from './session.tsx'

/** Makes a repetition have one effect. */
interface Intention {
  'Idempotency-Key': string
}

type ActionOfAct = Schemas['MakeActRequest']['action']

/** What can be done to many objects of a list: how it is called, who may do it, and what it asks for. */
export interface BulkAction {
  action: ActionOfAct
  label: string
  right: Right
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
export function rightFor(action: string): Right {
  return findAction(action)?.right ?? (action === 'event.replay' ? 'support' : 'finance')
}

/** What an act is called, such as "Confirm: 3 orders". */
export function titleOf({ action, progress: { objects } }: Schemas['Act']): string {
  const [noun = '', verb = ''] = action.split('.')
  return `${findAction(action)?.label ?? verb}: ${objects} ${noun}${objects === 1 ? '' : 's'}`
}

/** Previews an action on objects: freezes the selection, and changes nothing. */
export async function makeAct(
  casinoId: string,
  body: { action: string; params: Record<string, string | boolean>; object_ids: string[] },
  header: Intention,
): Promise<Schemas['MadeAct']> {
  const params = { path: { casino_id: casinoId }, header }
  // Which action takes which parameters is checked by the service.
  const act = body as Schemas['MakeActRequest']
  return (await answered(api.POST('/admin/casinos/{casino_id}/acts', { params, body: act }))).data
}

export type ActMove = 'start' | 'approve' | 'decline' | 'stop'

/** Starts, approves, declines or stops an act. */
export async function moveAct(
  casinoId: string,
  actId: string,
  move: ActMove,
  reason: string,
  header: Intention,
): Promise<Schemas['Act']> {
  const params = { path: { casino_id: casinoId, act_id: actId }, header }
  const path = `/admin/casinos/{casino_id}/acts/{act_id}/${move}` as const
  return (await answered(api.POST(path, { params, body: { reason } }))).data
}
