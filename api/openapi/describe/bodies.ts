import { amount, currency } from './money.ts'
import { boolean, list, named, object, oneOf, string } from '../json-schema.ts'
import type { JsonSchema } from '../json-schema.ts'

const isSuccess = oneOf(['success'])

/** The body of a success that is no list: an `OrderResponse` when its data are an `Order`. */
export function success(data: JsonSchema): JsonSchema {
  const body = object({ status: isSuccess, data })
  const item = data.items?.title
  if (item !== undefined) return named(`${item}ListResponse`, body)
  return data.title === undefined ? body : named(`${data.title}Response`, body)
}

/** The body of a list. Without `next_cursor` it is the last page. */
export function pageOf(item: JsonSchema): JsonSchema {
  const body = object({ status: isSuccess, data: list(item) }, { next_cursor: string })
  return item.title === undefined ? body : named(`${item.title}Page`, body)
}

/** The body of a list that goes on for ever: there is always something to go on from. */
export function feedOf(item: JsonSchema): JsonSchema {
  const body = { status: isSuccess, data: list(item), next_cursor: string, has_more: boolean }
  return item.title === undefined ? object(body) : named(`${item.title}Feed`, object(body))
}

export const money = named('Money', object({ amount_minor: amount, currency }))
