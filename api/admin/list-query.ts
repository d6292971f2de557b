import type Joi from 'joi'
import type { ListRequest, Order, Page } from '../../core/page.ts'
import { choice, requestOf, withDefault } from '../../core/shape/request-shape.ts'
import type { ParsedBy } from '../../core/shape/request-shape.ts'
import { inputError, moment } from '../inputs.ts'
import { cursorOf, decodeCursor, encodeCursor, pageParameters, renderPage } from '../paging.ts'
import { parseInput } from '../parse-input.ts'

/** Where a page has ended, in which order. */
interface Place {
  id: string
  order: Order
}

/** A requested page of a list with a usual order. */
interface ListPage extends ListRequest {
  usualOrder: Order
}

/** For the description of a list. */
type SortedBy = 'their ids' | 'their times'

/** The parameters of lists that are read as a whole. */
export function rangeParameters(usualOrder: Order, sortedBy: SortedBy = 'their ids') {
  return {
    order: withDefault(choice<Order>(['asc', 'desc']), usualOrder).description(
      `Upwards or downwards, by ${sortedBy}.`,
    ),
    created_from: moment
      .description('Only what was made at this time or later.')
      .example('2030-01-01T00:00:00Z'),
    created_until: moment.description('Only what was made before this time.').example('2030-02-01T00:00:00Z'),
  }
}

/** The parameters of every list of the management API. */
export function listParameters(usualOrder: Order = 'asc', sortedBy: SortedBy = 'their ids') {
  return {
    limit: pageParameters.limit,
    cursor: cursorOf((text) => decodePlace(text, usualOrder)),
    ...rangeParameters(usualOrder, sortedBy),
  }
}

/** For lists that cannot be narrowed down otherwise. */
export const listInput = requestOf(listParameters())

export type ListQuery = ParsedBy<typeof listInput>

/** In which order rows are wanted, and of which time. */
type RangeQuery = Omit<ListQuery, 'limit' | 'cursor'>

/** Reads a list's query string; throws an InputError that names every parameter that is wrong. */
export function parseListQuery<Input extends ListQuery>(
  schema: Joi.ObjectSchema<Input>,
  query: Readonly<Record<string, string>>,
  usualOrder: Order = 'asc',
): { page: ListPage; input: Input } {
  const input = parseInput(schema, { kind: 'object', value: query })
  const { limit, cursor, order } = input
  if (cursor !== undefined) refuseOtherOrder('cursor', cursor.order, order)
  return { page: { limit, afterId: cursor?.id, usualOrder, ...rangeOf(input) }, input }
}

/** Reads the query's order and times. */
export function rangeOf(input: RangeQuery): Omit<ListRequest, 'limit' | 'afterId'> {
  const { order, created_from: createdFrom, created_until: createdUntil } = input
  if (createdFrom !== undefined && createdUntil !== undefined && createdUntil < createdFrom) {
    throw inputError('created_until', 'min', 'created_until must not be earlier than created_from')
  }
  return { order, createdFrom, createdUntil }
}

/** A place cannot be used in the other order. */
export function refuseOtherOrder(name: string, had: Order, wanted: Order): void {
  if (had === wanted) return
  throw inputError(
    name,
    'invalid',
    `${name} is of a list with order=${had}: send it with that, or order=${wanted} without it`,
  )
}

/** The body of a list's answer. `next_cursor` is absent on the last page. */
export function renderList<Row>(
  rows: Page<Row>,
  render: (row: Row) => object,
  { order, usualOrder }: ListPage,
): object {
  return renderPage(rows, render, (id) => encodeCursor(order === usualOrder ? id : `${order}\n${id}`))
}

/** No id has a line break, so a cursor without one belongs to the list's usual order. */
function decodePlace(text: string, usualOrder: Order): Place | undefined {
  const id = decodeCursor(text)
  if (id !== undefined) return { id, order: usualOrder }
  const turned = usualOrder === 'asc' ? 'desc' : 'asc'
  const [mark, ...rest] = Buffer.from(text, 'base64url').toString('utf8').split('\n')
  const turnedId = decodeCursor(encodeCursor(rest.join('\n')))
  if (mark !== turned || turnedId === undefined) return undefined
  return encodeCursor(`${turned}\n${turnedId}`) === text ? { id: turnedId, order: turned } : undefined
}
