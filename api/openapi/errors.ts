import type { ErrorCode } from '../../core/errors.ts'
import { errorMeanings, errorResponse } from '../error-response.ts'
import type { ErrorStyle } from '../error-style.ts'
import type { JsonSchema } from '../../core/shape/json-schema.ts'
import { count, list, matching, named, object, oneOf, string } from '../../core/shape/json-schema.ts'
import { said } from '../../core/shape/shape.ts'
import type { Operation } from './operations.ts'

/** All codes that an operation answers with, its own and those of everybody who calls, by the status they have there. */
export function errorsOf(operation: Operation): Map<number, ErrorCode[]> {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of new Set([...commonErrors(operation), ...operation.description.errors])) {
    const { status } = errorResponse(code, operation.style)
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return new Map([...byStatus].sort(([a], [b]) => a - b))
}

const keyErrors: readonly ErrorCode[] = [
  'api_key_invalid',
  'api_key_address_refused',
  'api_key_scope_missing',
  'api_key_attempts_limited',
  'rate_limited',
]

/** Of people who are signed in. */
const sessionErrors: readonly ErrorCode[] = ['session_ended', 'second_factor_required', 'right_missing']

const partnerErrors: readonly ErrorCode[] = [
  'signature_invalid',
  'signature_attempts_limited',
  'rate_limited',
]

const sharedKeyErrors = ['api_key_misplaced', 'idempotency_key_invalid', 'idempotency_key_reused'] as const

/** Of routes that take an `Idempotency-Key`. */
const keyErrorsOf: Readonly<Record<Operation['for'], readonly ErrorCode[]>> = {
  casinos: ['idempotency_key_required'],
  operators: ['idempotency_key_in_progress', 'idempotency_answer_lost'],
  partners: [],
  anybody: [],
}

function commonErrors({ method, path, for: caller, description }: Operation): readonly ErrorCode[] {
  const { body, query, headers } = description
  const readsBody = method !== 'get' && caller !== 'anybody'
  // Reads of the management API refuse parameters that they do not know, also those that take none.
  const refusesUnknown = caller === 'operators' && method === 'get'
  const takesInput = body !== undefined || query !== undefined || path.includes(':') || refusesUnknown
  return [
    'api_key_in_url',
    ...(caller === 'casinos' || caller === 'operators' ? keyErrors : []),
    ...(caller === 'operators' ? sessionErrors : []),
    ...(caller === 'operators' && method !== 'get' ? (['cross_site_refused'] as const) : []),
    ...(caller === 'partners' ? partnerErrors : []),
    ...(caller === 'operators' && path.includes(':casino_id') ? (['casino_unknown'] as const) : []),
    ...(readsBody ? (['body_too_large'] as const) : []),
    ...(body === undefined ? [] : (['body_malformed', 'api_key_misplaced'] as const)),
    ...(takesInput ? (['parameters_invalid'] as const) : []),
    ...(headers?.includes('Idempotency-Key') === true ? [...sharedKeyErrors, ...keyErrorsOf[caller]] : []),
    ...(caller === 'anybody' ? [] : (['overloaded'] as const)),
    'storage_contended',
    'internal',
  ]
}

const isError = said(oneOf(['error']), { description: 'The result of the request.' })
const message = said(string, {
  description: 'The same in a sentence, for people.',
  example: 'player_id is required',
})

const parameterErrors: JsonSchema = {
  description: 'The problems of each parameter, by its name.',
  type: 'object',
  additionalProperties: list(
    named(
      'ParameterError',
      object({
        error: said(matching(/^[a-zA-Z._]+$/), {
          description: 'The rule that it breaks.',
          example: 'required',
        }),
        message,
      }),
    ),
  ),
}

const general = named('Error', object({ status: isError, message }))
const versionConflict = named(
  'VersionConflict',
  object(
    { status: isError, message },
    {
      current_version: said(count, {
        description: 'The version that the box has; 0 without a box.',
        example: 3,
      }),
    },
  ),
)
const invalid = named('InvalidParameters', object({ status: isError, message }, { errors: parameterErrors }))

/** All codes with a status, of all endpoints. */
export function errorCodesOf(status: number): ErrorCode[] {
  const codes = Object.keys(errorMeanings) as ErrorCode[] // of a record by them
  return codes.filter((code) => errorMeanings[code].status === status)
}

/** The body of errors of one status. The three operations have fixed messages and no other keys. */
export function errorBody(style: ErrorStyle, status: number, codes: readonly ErrorCode[]): JsonSchema {
  if (style === 'general') {
    if (codes.includes('box_version_conflict')) return versionConflict
    return status === 400 || codes.includes('reason_required') ? invalid : general
  }
  const messages = new Set(codes.map((code) => errorResponse(code, style).body.message))
  const body = { status: isError, message: { ...message, ...oneOf([...messages]) } }
  const namesParameters = status === 400 && style === 'prize_order'
  return { ...object(body, namesParameters ? { errors: parameterErrors } : {}), additionalProperties: false }
}

/** An example of such a body: that of the most usual code. */
export function errorExample(style: ErrorStyle, codes: readonly ErrorCode[]): object | undefined {
  if (codes.includes('parameters_invalid')) {
    const errors = { player_id: [{ error: 'required', message: 'player_id is required' }] }
    return errorResponse('parameters_invalid', style, { errors }).body
  }
  const [first] = codes
  return first === undefined ? undefined : errorResponse(first, style).body
}
