import type { ErrorStyle } from '../error-style.ts'
import type { Description } from './description.ts'
import { descriptions } from './descriptions.ts'
import { reasonPlaceOf } from './reason-place.ts'

/** A route as the document sees it. */
export interface Operation {
  method: 'get' | 'post' | 'put' | 'delete'
  /** As in the routes' table, with `:names`. */
  path: string
  for: 'casinos' | 'operators' | 'partners' | 'anybody'
  style: ErrorStyle
  description: Description
}

const styles: Readonly<Record<string, ErrorStyle>> = {
  '/box/open': 'box_open',
  '/prize/order': 'prize_order',
  '/prize/cashback': 'prize_cashback',
}

/** Every route that is described, in the order of the descriptions. */
export function listOperations(): Operation[] {
  return [
    ...read('casinos', '', descriptions.casinos),
    ...read('partners', '', descriptions.partners),
    ...read('operators', '', descriptions.admin).map(withKey).map(withReason),
    ...read('operators', '/admin/casinos/:casino_id', descriptions.casino).map(withKey).map(withReason),
    ...read('anybody', '', descriptions.anybody),
  ]
}

function read(
  caller: Operation['for'],
  prefix: string,
  described: Readonly<Record<string, Description>>,
): Operation[] {
  return Object.entries(described).map(([key, description]) => {
    const [, method = '', suffix = ''] = /^([A-Z]+) (.*)$/.exec(key) ?? []
    const path = prefix + suffix
    return { method: methodOf(method), path, for: caller, style: styles[path] ?? 'general', description }
  })
}

/** Every POST of the management API that changes something takes a key (api/admin/under-key.ts). */
function withKey(operation: Operation): Operation {
  const { method, description } = operation
  if (method !== 'post' || description.onlyReads === true) return operation
  const answers = Object.fromEntries(
    Object.entries(description.answers).map(([status, answer]) => [
      status,
      { ...answer, headers: [...(answer.headers ?? []), 'Idempotency-Replayed'] as const },
    ]),
  )
  const headers = [...(description.headers ?? []), 'Idempotency-Key'] as const
  return { ...operation, description: { ...description, headers, answers } }
}

/** Operators give a reason for every change. */
function withReason(operation: Operation): Operation {
  const { method, description } = operation
  const place = reasonPlaceOf(method, description)
  if (place === undefined) return operation
  const errors = [...description.errors, 'reason_required' as const]
  if (place === 'body') return { ...operation, description: { ...description, errors } }
  const headers = [...(description.headers ?? []), 'X-Reason'] as const
  return { ...operation, description: { ...description, headers, errors } }
}

function methodOf(method: string): Operation['method'] {
  const found = (['get', 'post', 'put', 'delete'] as const).find((known) => known === method.toLowerCase())
  if (found === undefined) throw new Error(`no method ${method}`)
  return found
}
