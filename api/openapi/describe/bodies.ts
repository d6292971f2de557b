import { amount, currency } from './money.ts'
import { list, named, object, oneOf, string } from '../json-schema.ts'
import type { JsonSchema } from '../json-schema.ts'

const isSuccess = oneOf(['success'])

/** The body of a success that is no list. */
export function success(data: JsonSchema): JsonSchema {
  return object({ status: isSuccess, data })
}

/** The body of a list. Without `next_cursor` it is the last page. */
export function pageOf(item: JsonSchema): JsonSchema {
  return object({ status: isSuccess, data: list(item) }, { next_cursor: string })
}

/** The body of a list that goes on for ever: there is always something to go on from. */
export function feedOf(item: JsonSchema): JsonSchema {
  return object({ status: isSuccess, data: list(item), next_cursor: string, has_more: { type: 'boolean' } })
}

export const money = named('Money', object({ amount_minor: amount, currency }))
