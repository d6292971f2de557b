import Joi from 'joi'
import type { Page, PageRequest } from '../core/page.ts'
import { giving, requestOf, withDefault } from '../core/shape/request-shape.ts'
import type { ParsedBy } from '../core/shape/request-shape.ts'
import { callerId, parseInput } from './parse-input.ts'

const limitDefault = 50
const limitMax = 200

/** The form of a cursor; only the service knows which ones there are. */
export const cursorSchema = { type: 'string', pattern: '^[A-Za-z0-9_-]+$' }

/** A `next_cursor` that was handed out: `decode` gives undefined for any other text. */
export function cursorOf<Place>(decode: (text: string) => Place | undefined): Joi.AnySchema<Place> {
  const schema = Joi.string()
    .custom((value: string, helpers) => decode(value) ?? helpers.error('any.invalid'))
    .messages({ 'any.invalid': '{{#label}} must be a next_cursor of an earlier answer' })
    .meta({ jsonSchema: cursorSchema })
  return giving<Place>(schema)
}

/** The parameters of lists for a casino's platform: how many rows, and where to continue. */
export const pageParameters = {
  limit: withDefault(Joi.number().integer().min(1).max(limitMax), limitDefault),
  cursor: cursorOf(decodeCursor),
}

/** For those that cannot be narrowed down. */
export const pageInput = requestOf(pageParameters)

export type PageQuery = ParsedBy<typeof pageInput>

/** Reads a list's query string; throws an InputError that names every parameter that is wrong. */
export function parsePageQuery<Input extends PageQuery>(
  schema: Joi.ObjectSchema<Input>,
  query: Readonly<Record<string, string>>,
): { page: PageRequest; input: Input } {
  const input = parseInput(schema, { kind: 'object', value: query })
  return { page: { limit: input.limit, afterId: input.cursor }, input }
}

/** The body of a list's answer. `next_cursor` is absent on the last page. */
export function renderPage<Row>(
  { rows, nextAfterId }: Page<Row>,
  render: (row: Row) => object,
  cursorOf = encodeCursor,
): object {
  return {
    status: 'success',
    data: rows.map(render),
    ...(nextAfterId === undefined ? {} : { next_cursor: cursorOf(nextAfterId) }),
  }
}

/** Callers are to send it back as it is, not to make their own. */
export function encodeCursor(afterId: string): string {
  return Buffer.from(afterId, 'utf8').toString('base64url')
}

/** Undefined for a cursor that this service did not make. */
export function decodeCursor(text: string): string | undefined {
  const id = Buffer.from(text, 'base64url').toString('utf8')
  return encodeCursor(id) === text && callerId.validate(id).error === undefined ? id : undefined
}
