import Joi from 'joi'
import { limitPeriods } from '../../core/box/box.ts'
import type { BoxAccess, LimitPeriod, OpeningLimit } from '../../core/box/box.ts'
import { findBoxProblems } from '../../core/box/box-definition.ts'
import type { BoxDefinition, BoxProblem } from '../../core/box/box-definition.ts'
import { boxTextBytesMax } from '../../core/box/box-text.ts'
import type { Publication } from '../../core/box/publish-box.ts'
import type { ParameterErrors } from '../error-response.ts'
import { callerId, InputError, parseInput, text } from '../parse-input.ts'
import type { ReadBody } from '../parse-input.ts'
import { boundedList } from '../../core/platform/bounded-list.ts'
import { int32Max, timestamp, wholeNumber } from '../inputs.ts'

interface BoxInput {
  name: string
  access: BoxAccess
  description?: string
  image_url?: string
  limit?: { count: number; period: LimitPeriod; time_zone?: string }
  active_from?: Date
  active_until?: Date
  entries: { item_id: string | number; weight: number; stock?: number; restock?: boolean }[]
  fallback_item_id?: string | number
  expected_version?: number
}

const accesses: readonly BoxAccess[] = ['granted', 'limited']
/** Every opening walks through them. */
const entriesMax = 1_000

const timeZoneMessage = 'must be a name of the IANA time zone database such as Europe/Malta, or UTC'

/**
 * What could be the name of a time zone; only the database knows which there are. Names without an area (`CET`, `EST`) are
 * none: there are abbreviations of the same spelling that know no daylight saving time.
 */
/** The same without the flag `i` and the look-ahead: patterns of the OpenAPI document have neither. */
const timeZoneSchema = {
  type: 'string',
  maxLength: 64,
  pattern: '^([uU][tT][cC]|[A-Za-z_]+(/[A-Za-z0-9_+-]+){1,2})$',
}

const timeZone = Joi.string()
  .empty(Joi.valid('', null))
  .max(64)
  .pattern(/^(utc|(?!posix\/|right\/)[a-z_]+(\/[a-z0-9_+-]+){1,2})$/i)
  .messages({ 'string.pattern.base': `{{#label}} ${timeZoneMessage}` })
  .meta({ jsonSchema: timeZoneSchema })

export const boxInput = Joi.object<BoxInput>({
  name: text(200).required(),
  description: text(4_000),
  image_url: text(2_000).uri({ scheme: ['https', 'http'] }),
  access: Joi.string()
    .valid(...accesses)
    .required(),
  limit: Joi.object({
    count: wholeNumber(1, int32Max).required(),
    period: Joi.string()
      .valid(...limitPeriods)
      .required(),
    time_zone: timeZone,
  })
    .strict()
    .empty(null),
  active_from: timestamp,
  active_until: timestamp,
  entries: boundedList(
    Joi.object({
      item_id: callerId.required(),
      weight: wholeNumber(1, Number.MAX_SAFE_INTEGER).required(),
      // An entry of which there is none has odds that nobody can have.
      stock: wholeNumber(1, int32Max).empty(null),
      restock: Joi.boolean().strict().empty(null),
    }),
    { max: entriesMax },
  ).required(),
  fallback_item_id: callerId.empty(null),
  expected_version: wholeNumber(0, int32Max).empty(null),
})

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

/** Reads a box as `PUT …/boxes/{box_id}` takes it. Throws an InputError that names everything that is wrong with it. */
export function parseBoxDefinition(body: ReadBody): BoxDefinition {
  return parsePublication(body).definition
}

/** The same with what is said of its publication. */
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

const boxFields = Object.keys((boxInput.describe() as { keys: object }).keys)

/** Whether a body that need not have a box has anything of one. */
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
