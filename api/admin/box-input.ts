import Joi from 'joi'
import type { OpeningLimit } from '../../core/box/box.ts'
import { findBoxProblems } from '../../core/box/box-definition.ts'
import type { BoxDefinition, BoxProblem } from '../../core/box/box-definition.ts'
import { boxTextBytesMax } from '../../core/box/box-text.ts'
import type { Publication } from '../../core/box/publish-box.ts'
import type { ParameterErrors } from '../error-response.ts'
import { InputError, parseInput } from '../parse-input.ts'
import type { ReadBody } from '../parse-input.ts'
import { boundedList } from '../../core/platform/bounded-list.ts'
import { int32Max, timeZoneMessage, wholeNumber } from '../inputs.ts'
import { keysOf, requestOf, required } from '../../core/shape/request-shape.ts'
import type { ParsedBy } from '../../core/shape/request-shape.ts'
import { inputsOf } from '../../core/shape/shape.ts'
import { boxEntry, boxTerms } from './box-shapes.ts'

/** Every opening walks through them. */
const entriesMax = 1_000

export const boxInput = requestOf({
  ...inputsOf(boxTerms.fields),
  entries: required(
    boundedList(
      requestOf({
        ...inputsOf(boxEntry.fields),
        restock: Joi.boolean()
          .strict()
          .empty(null)
          .description(
            'Whether to give out the whole stock again, even if some is left in the previous version. Takes `expected_version`.',
          )
          .example(false),
      }),
      { max: entriesMax },
    ),
  ).description('The entries that can be drawn.'),
  expected_version: wholeNumber(0, int32Max)
    .empty(null)
    .description('Publishes only if this is the current version; 0 only if there is no such box.')
    .example(3),
})

type BoxInput = ParsedBy<typeof boxInput>

const problemErrors: Record<BoxProblem, { name: string; error: string; message: string }> = {
  weights_too_large: {
    name: 'entries',
    error: 'max',
    message: 'the weights of the entries must sum to at most 9007199254740991',
  },
  window_empty: {
    name: 'active_until',
    error: 'min',
    message: 'active_until must be later than active_from',
  },
  limit_missing: { name: 'limit', error: 'required', message: 'limit is required when access is limited' },
  limit_unexpected: { name: 'limit', error: 'unknown', message: 'limit is only for access limited' },
  fallback_limited: {
    name: 'fallback_item_id',
    error: 'invalid',
    message: 'fallback_item_id must not be an item whose entry has a limited stock',
  },
}

/** Reads a box as `PUT …/boxes/{box_id}` takes it. Throws an InputError that names every invalid parameter. */
export function parseBoxDefinition(body: ReadBody): BoxDefinition {
  return parsePublication(body).definition
}

/** The same, with the parameters of its publication. */
export function parsePublication(body: ReadBody): Publication {
  const input = parseInput(boxInput, body)
  const definition = toDefinition(input)
  const problems = findBoxProblems(definition).map((problem) => problemErrors[problem])
  const errors = [...problems, ...findRestockErrors(input)]
  if (errors.length > 0) throw new InputError(toErrors(errors))
  const restocked = input.entries.flatMap(({ restock }, index) => (restock === true ? [index + 1] : []))
  return { definition, restocked: new Set(restocked), expectedVersion: input.expected_version ?? null }
}

function findRestockErrors({ entries, expected_version }: BoxInput) {
  const errors = entries.flatMap(({ stock, restock }, index) => {
    if (restock !== true || stock !== undefined) return []
    const name = `entries.${index}.restock`
    return [{ name, error: 'unknown', message: `${name} is only for an entry with a stock` }]
  })
  const isRestocked = entries.some(({ restock }) => restock === true)
  return isRestocked && expected_version === undefined ? [...errors, versionMissing] : errors
}

const versionMissing = {
  name: 'expected_version',
  error: 'required',
  message: 'expected_version is required with restock: sent twice, it would give the stock out twice',
}

const boxFields = keysOf(boxInput)

/** Whether a body in which the box is optional has a parameter of one. */
export function describesBox(body: ReadBody): boolean {
  return body.kind === 'object' && boxFields.some((field) => Object.hasOwn(body.value, field))
}

function toDefinition(input: BoxInput): BoxDefinition {
  return {
    name: input.name,
    description: input.description ?? null,
    imageUrl: input.image_url ?? null,
    access: input.access,
    limit: input.limit === undefined ? null : toLimit(input.limit),
    activeFrom: input.active_from ?? null,
    activeUntil: input.active_until ?? null,
    entries: input.entries.map(({ item_id, weight, stock }) => ({
      itemId: String(item_id),
      weight,
      stock: stock ?? null,
    })),
    fallbackItemId: input.fallback_item_id === undefined ? null : String(input.fallback_item_id),
  }
}

function toLimit({ count, period, time_zone: timeZone }: NonNullable<BoxInput['limit']>): OpeningLimit {
  return { count, period, timeZone: timeZone ?? 'UTC' }
}

/** For a time zone that the database does not know. */
export function unknownTimeZoneError(): InputError {
  return new InputError(
    toErrors([{ name: 'limit.time_zone', error: 'exists', message: `limit.time_zone ${timeZoneMessage}` }]),
  )
}

/** For a box whose items have more text than a page of the catalogue holds. */
export function textTooLongError(): InputError {
  const message = `the texts of the items in entries and fallback_item_id (item_id, name, description and image_url, in UTF-8) must be at most ${boxTextBytesMax} bytes together, counting an item once for each entry`
  return new InputError(toErrors([{ name: 'entries', error: 'max', message }]))
}

/** Names the parameters that name items which the casino does not have. */
export function unknownItemsError(box: BoxDefinition, unknown: ReadonlySet<string>): InputError {
  const named = [
    ...box.entries.map(({ itemId }, index) => ({ name: `entries.${index}.item_id`, itemId })),
    { name: 'fallback_item_id', itemId: box.fallbackItemId },
  ]
  return new InputError(
    toErrors(
      named
        .filter(({ itemId }) => itemId !== null && unknown.has(itemId))
        .map(({ name }) => ({ name, error: 'exists', message: `${name} must be an item of the casino` })),
    ),
  )
}

function toErrors(problems: readonly { name: string; error: string; message: string }[]): ParameterErrors {
  return Object.fromEntries(problems.map(({ name, error, message }) => [name, [{ error, message }]]))
}
