import Joi from 'joi'
import { giving } from '../core/shape/request-shape.ts'
import { holdsKey } from '../core/casino/find-key.ts'
import { RewardsError } from '../core/errors.ts'
import { compileAcceptor } from './accept-input.ts'
import type { ParameterErrors } from './error-response.ts'

/** The body of a request: a JSON object, another JSON value, or something unreadable. */
export type ReadBody =
  { kind: 'object'; value: Record<string, unknown> } | { kind: 'no_object' } | { kind: 'unreadable' }

/** Refuses parameters, with the problems of each. */
export class InputError extends RewardsError {
  readonly errors: ParameterErrors

  constructor(
    errors: ParameterErrors,
    code:
      | 'parameters_invalid'
      | 'body_malformed'
      | 'idempotency_key_invalid'
      | 'idempotency_key_required'
      | 'reason_required'
      | 'api_key_misplaced' = 'parameters_invalid',
  ) {
    super(code)
    this.name = 'InputError'
    this.errors = errors
  }
}

/**
 * One to 128 characters that are neither control characters nor lone halves of surrogate pairs (PostgreSQL stores no NUL,
 * and no UTF-8 exists for the others), and not only white space.
 */
const idPattern = /^(?!\s*$)[^\p{Cc}\p{Cs}]{1,128}$/u

/** The same for the OpenAPI document, as far as the patterns of other languages can express it. */
const idSchema = {
  type: 'string',
  minLength: 1,
  maxLength: 128,
  pattern: '^ *[^ \\p{Cc}\\p{Cs}][^\\p{Cc}\\p{Cs}]*$',
}

/** A player, box or prize id: text, or a whole number that JSON carries exactly; kept as text. */
export const callerId = Joi.alternatives<string | number>()
  .try(Joi.string().pattern(idPattern).meta({ jsonSchema: idSchema }), Joi.number().integer().strict())
  .error((reports) => {
    // For any reason that Joi gives, it is not an id; a missing or empty one is a failure of its own.
    for (const report of reports) if (!isAbsence(report.code)) report.code = 'alternatives.match'
    return reports
  })

/** The same in a query, where every value is text. */
export const idInQuery = giving<string>(callerId)

function isAbsence(code: string): boolean {
  return code === 'any.required' || code === 'string.empty'
}

/** Text without the characters that cannot be stored. */
const textPattern = /^[^\0\p{Cs}]*$/u

/** Trimmed text of at most `max` UTF-16 units. As a parameter, `null` and blank text count as absent. */
export function text(max: number): Joi.StringSchema {
  return Joi.string().trim().max(max).pattern(textPattern).meta(blankIsAbsent)
}

const blankIsAbsent = { blankIsAbsent: true }

/** The rule names of the documented error bodies, from Joi's. */
const ruleNames: Record<string, string> = {
  'any.required': 'required',
  'string.empty': 'required',
  'string.base': 'string',
  'string.max': 'max',
  'string.min': 'min',
  'string.email': 'email',
  'string.pattern.base': 'characters',
  'string.uri': 'url',
  'string.uriCustomScheme': 'url',
  'string.isoDate': 'date',
  'date.format': 'date',
  'date.base': 'date',
  'alternatives.match': 'identifier',
  'number.base': 'number',
  'number.integer': 'integer',
  'number.unsafe': 'number',
  'number.infinity': 'number',
  'number.min': 'min',
  'number.max': 'max',
  'any.only': 'in',
  'any.invalid': 'invalid',
  'any.unknown': 'unknown',
  'array.base': 'array',
  'array.min': 'min',
  'array.max': 'max',
  'array.unique': 'unique',
  'object.base': 'object',
  'boolean.base': 'boolean',
}

const validateOptions: Joi.ValidationOptions = {
  abortEarly: false,
  stripUnknown: true,
  errors: { wrap: { label: false } },
  // For all schemas together: Joi merges what single ones have with every validation.
  messages: {
    'string.pattern.base': '{{#label}} contains characters that cannot be stored', // Joi's own repeats the value
    'alternatives.match': '{{#label}} must be a string of 1 to 128 characters or an integer',
  },
}

/**
 * Parses a body into the value that the schema describes; other parameters are ignored. Throws an InputError that names
 * every missing or invalid parameter, or the ones that contain an API key: most parameters are stored unchanged.
 */
export function parseInput<Input>(schema: Joi.ObjectSchema<Input>, body: ReadBody): Input {
  if (body.kind === 'unreadable') {
    throw new InputError(
      { body: [{ error: 'json', message: 'body must be a JSON object sent as application/json' }] },
      'body_malformed',
    )
  }
  const { prepared, parameters, accepts } = prepare(schema)
  const picked = body.kind === 'object' ? pickKnown(parameters, body.value) : {}
  refuseApiKeys(picked)
  if (accepts(picked)) return picked as Input
  const result = prepared.validate(picked)
  if (result.error) throw new InputError(toParameterErrors(result.error), 'parameters_invalid')
  return result.value
}

/**
 * Only own properties that the schema names ever reach it, so names like `__proto__` mean nothing; and blank text does
 * not, which costs less here than Joi's own way of saying so.
 */
function pickKnown(
  parameters: readonly Parameter[],
  value: Record<string, unknown>,
): Record<string, unknown> {
  const picked: Record<string, unknown> = {}
  for (const { name, isText } of parameters) {
    if (Object.hasOwn(value, name) && !(isText && isBlank(value[name]))) picked[name] = value[name]
  }
  return picked
}

/** A key that was sent in a wrong place by mistake would be stored, shown and passed on in the clear. */
export function refuseApiKeys(input: Readonly<Record<string, unknown>>): void {
  const errors: ParameterErrors = {}
  for (const name of Object.keys(input)) {
    if (!holdsKey(input[name])) continue
    errors[name] = [{ error: 'api_key', message: `${name} must not contain an API key` }]
  }
  if (Object.keys(errors).length > 0) throw new InputError(errors, 'api_key_misplaced')
}

function isBlank(value: unknown): boolean {
  return value === null || (typeof value === 'string' && value.trim() === '')
}

interface Parameter {
  name: string
  isText: boolean
}

interface Prepared<Input> {
  /** The schema with our options built in: merging them costs as much as validating a short body. */
  prepared: Joi.ObjectSchema<Input>
  parameters: readonly Parameter[]
  accepts: (input: Readonly<Record<string, unknown>>) => boolean
}

const preparedSchemas = new WeakMap<Joi.ObjectSchema, Prepared<unknown>>()

function prepare<Input>(schema: Joi.ObjectSchema<Input>): Prepared<Input> {
  const known = preparedSchemas.get(schema)
  if (known !== undefined) return known as Prepared<Input>
  const description = schema.describe()
  const { keys = {} } = description as { keys?: Record<string, { metas?: object[] }> }
  const parameters = Object.entries(keys).map(([name, { metas = [] }]) => ({
    name,
    isText: metas.some((meta) => 'blankIsAbsent' in meta),
  }))
  const made = {
    prepared: schema.prefs(validateOptions),
    parameters,
    accepts: compileAcceptor(schema, description),
  }
  preparedSchemas.set(schema, made)
  return made
}

function toParameterErrors(error: Joi.ValidationError): ParameterErrors {
  const errors: ParameterErrors = {}
  for (const { path, type, message } of error.details) {
    const name = path.length === 0 ? 'body' : path.join('.')
    ;(errors[name] ??= []).push({ error: ruleNames[type] ?? type, message })
  }
  return errors
}

/**
 * Reads an `Idempotency-Key` header: 1 to 255 visible characters, bare or quoted. Some API keys must bring one. It is
 * stored as it is, so an API key in its place is refused.
 */
export function parseIdempotencyKey(
  header: string | undefined,
  { isRequired }: { isRequired: boolean },
): string | undefined {
  if (header === undefined) {
    if (!isRequired) return undefined
    throw new InputError(
      {
        'Idempotency-Key': [{ error: 'required', message: 'Idempotency-Key is required with this API key' }],
      },
      'idempotency_key_required',
    )
  }
  refuseApiKeys({ 'Idempotency-Key': header })
  const key = /^"(.*)"$/.exec(header)?.[1] ?? header
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key
  throw new InputError(
    {
      'Idempotency-Key': [
        { error: 'characters', message: 'Idempotency-Key must be 1 to 255 visible ASCII characters' },
      ],
    },
    'idempotency_key_invalid',
  )
}
