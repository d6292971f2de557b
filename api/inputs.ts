import Joi from 'joi'
import { callerId, InputError, text } from './parse-input.ts'
import { giving, requestOf, required } from '../core/shape/request-shape.ts'

/** The id that a path has under `name`. Throws an InputError when nothing can have such an id. */
export function pathId({ params }: { params: Readonly<Record<string, string>> }, name: string): string {
  const id = params[name] ?? ''
  if (callerId.validate(id).error === undefined) return id
  throw inputError(name, 'identifier', `${name} must be a string of 1 to 128 characters`)
}

/**
 * Refuses a new id that is not in Unicode's form NFC: `é` can be written as one character, or as `e` and an accent, and
 * people could not tell such ids apart. Existing objects keep such an id. Ids of players and prizes are the caller's
 * own, and accepted unchanged.
 */
export async function refuseLookAlike(
  name: string,
  id: string,
  isThere: () => Promise<boolean>,
): Promise<void> {
  if (id === id.normalize('NFC') || (await isThere())) return
  throw inputError(name, 'normalisation', `${name} must be in the Unicode normalisation form NFC`)
}

/** Refuses one parameter for a reason that a schema cannot express. */
export function inputError(name: string, error: string, message: string): InputError {
  return new InputError({ [name]: [{ error, message }] })
}

/** The largest number of PostgreSQL's `integer`. */
export const int32Max = 2 ** 31 - 1

/** A whole number that JSON carries exactly; `"5"` is refused. */
export function wholeNumber(min: number, max: number): Joi.NumberSchema {
  return Joi.number().strict().integer().min(min).max(max)
}

/** An amount of money; `null` counts as absent. */
export const money = requestOf({
  amount_minor: required(wholeNumber(1, Number.MAX_SAFE_INTEGER)),
  currency: required(Joi.string())
    .pattern(/^[A-Z]{3}$/)
    .messages({ 'string.pattern.base': '{{#label}} must be an ISO 4217 code of three capital letters' }),
})
  .strict()
  .empty(null)

/** Where a picture is, for players' browsers. */
export const webUrl = text(2_000)
  .uri({ scheme: ['https', 'http'] })
  .messages({ 'string.uriCustomScheme': '{{#label}} must be a URL such as https://example.com/mug.png' })

/** The reason that an operator gives, for the history. */
export const reason = text(500)

/** The revision of the object that the operator has seen: if it has another one by now, nothing is done. */
export const expectedRevision = wholeNumber(1, int32Max)

/** The same for an object that may be new: 0 says that there is none yet. */
export const expectedRevisionOrNone = wholeNumber(0, int32Max)
  .description(
    'The revision that the caller has seen; 0 if there was none yet. If it has changed since, nothing is done and the response is 409.',
  )
  .example(3)

const timestampPattern =
  /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/
/**
 * The same, but it also takes days that a common year has not, minutes after 24:00, and times that an offset moves out
 * of range.
 */
const timestampSchema = {
  type: 'string',
  pattern:
    '^(19[7-9]\\d|[2-9]\\d{3})-((0[13578]|1[02])-(0[1-9]|[12]\\d|3[01])|(0[469]|11)-(0[1-9]|[12]\\d|30)|02-(0[1-9]|[12]\\d))' +
    '(T([01]\\d|2[0-4]):[0-5]\\d(:[0-5]\\d(\\.\\d{1,9})?)?(Z|[+-]([01]\\d|2[0-3]):[0-5]\\d))?$',
}
const earliestMs = Date.UTC(1970)
const latestMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/**
 * A moment in ISO 8601 between 1970 and 9999, with its offset from UTC, or a date, which means its beginning in UTC; gives
 * a Date. `null` counts as absent.
 */
export const timestamp = timeOf(parseTimestamp).empty(Joi.valid('', null))

/**
 * The same in a query, where a blank value is an error. Rows have times in milliseconds, so a finer time is rounded up:
 * the same rows are earlier.
 */
export const moment = timeOf((value) => {
  const time = parseTimestamp(value)
  const isFiner = time !== undefined && time.getTime() < latestMs && /\.\d{3}\d*[1-9]/.test(value)
  return isFiner ? new Date(time.getTime() + 1) : time
})

function timeOf(parse: (value: string) => Date | undefined): Joi.AnySchema<Date> {
  const schema = Joi.string()
    .custom((value: string, helpers) => parse(value) ?? helpers.error('date.format'))
    .messages({ 'date.format': '{{#label}} must be a time in ISO 8601 such as 2030-01-31T12:00:00Z' })
    .meta({ jsonSchema: timestampSchema })
  return giving<Date>(schema)
}

function parseTimestamp(value: string): Date | undefined {
  const { year, month, day } = timestampPattern.exec(value)?.groups ?? {}
  const time = new Date(value)
  const isInRange = time.getTime() >= earliestMs && time.getTime() <= latestMs
  // JavaScript takes 31 February for a day in March.
  const daysInMonth = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()
  return isInRange && Number(day) <= daysInMonth ? time : undefined
}

export const timeZoneMessage = 'must be a name of the IANA time zone database such as Europe/Malta, or UTC'

/**
 * A possible name of a time zone; only the database knows the existing ones. Names without an area (`CET`, `EST`) are
 * refused: there are abbreviations of the same spelling that know no daylight saving time.
 */
/** The same without the flag `i` and the look-ahead: patterns of the OpenAPI document have neither. */
const timeZoneSchema = {
  type: 'string',
  maxLength: 64,
  pattern: '^([uU][tT][cC]|[A-Za-z_]+(/[A-Za-z0-9_+-]+){1,2})$',
}

export const timeZone = Joi.string()
  .empty(Joi.valid('', null))
  .max(64)
  .pattern(/^(utc|(?!posix\/|right\/)[a-z_]+(\/[a-z0-9_+-]+){1,2})$/i)
  .messages({ 'string.pattern.base': `{{#label}} ${timeZoneMessage}` })
  .meta({ jsonSchema: timeZoneSchema })
