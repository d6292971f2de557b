import { encodePosition } from '../../admin/events.ts'
import { encodeCursor } from '../../paging.ts'
import { said } from '../../../core/shape/shape.ts'
import { exampleOf } from '../example.ts'
import { boolean, list, named, object, oneOf, string, time } from '../../../core/shape/json-schema.ts'
import type { JsonSchema, Type } from '../../../core/shape/json-schema.ts'

export const isSuccess = said(oneOf(['success']), { description: 'The outcome.' })

export function asked(data: JsonSchema): JsonSchema {
  return { ...data, description: 'The result.' }
}

/** The body of a success that is not a list: an `OrderResponse` when its data are an `Order`. */
export function success(data: JsonSchema): JsonSchema {
  const body = object({ status: isSuccess, data: asked(data) })
  const item = data.items?.title
  if (item !== undefined) return named(`${item}ListResponse`, body)
  return data.title === undefined ? body : named(`${data.title}Response`, body)
}

/** The body of a list. Without `next_cursor` it is the last page. The example of one follows that of a row. */
export function pageOf(item: Type<unknown>, cursorOf: (row: unknown) => string = cursorOfId): JsonSchema {
  const next = cursorLike(cursorOf(exampleOf(item)))
  const body = object({ status: isSuccess, data: asked(list(item)) }, { next_cursor: next })
  return item.title === undefined ? body : named(`${item.title}Page`, body)
}

/** The body of a list without an end: there is always a position to continue from. */
export function feedOf(item: Type<unknown>): JsonSchema {
  const body = {
    status: isSuccess,
    data: asked(list(item)),
    next_cursor: feedCursor,
    has_more: said(boolean, { description: 'Whether there is more to read immediately.', example: false }),
    complete_since: said(time, {
      description: 'The feed has all events since this time. Earlier ones are not shown.',
      example: '2029-01-01T00:00:00.000Z',
    }),
  }
  return item.title === undefined ? object(body) : named(`${item.title}Feed`, object(body))
}

/** A place in the feed of events: that of the example of an event. */
export const feedCursor = cursorLike(encodePosition({ txid: '56789', eventId: '1234' }))

function cursorLike(example: string): JsonSchema {
  return {
    ...string,
    description: 'The start of the next page. Absent on the last page, except in feeds.',
    examples: [example],
  }
}

/** Rows of lists begin with the fields that they are sorted by. */
function cursorOfId(row: unknown): string {
  return encodeCursor(String(Object.values(row as object)[0])) // of an object, as all rows are
}
