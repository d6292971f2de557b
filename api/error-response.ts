import type { ErrorCode } from '../core/errors.ts'
import { documentedMessages, namesParameters, statusOverrides } from './error-style.ts'
import type { ErrorStyle } from './error-style.ts'

/** The problems of a parameter, as the reference documents them: a rule's name and a sentence. */
export type ParameterErrors = Record<string, { error: string; message: string }[]>

export interface ErrorResponse {
  status: number
  body: { status: 'error'; message: string; errors?: ParameterErrors; current_version?: number }
  headers: Record<string, string>
}

interface Meaning {
  status: number
  /** For errors that have no documented message of the operation. */
  message: string
  /** Seconds after which trying again makes sense. */
  retryAfter?: number
}

/** The one table of codes with their HTTP status and message. A test compares docs/integrate/errors.md with it. */
export const errorMeanings: Record<ErrorCode, Meaning> = {
  api_key_invalid: { status: 401, message: 'Invalid or missing API key' },
  api_key_scope_missing: {
    status: 403,
    message: 'This API key may not do this: use one with the needed scope',
  },
  api_key_address_refused: {
    status: 401,
    message: 'This API key may not be used from this address: call from one of its allowed_addresses',
  },
  api_key_attempts_limited: {
    status: 429,
    message: 'Too many attempts with invalid API keys, try again later',
    retryAfter: 60,
  },
  api_key_in_url: {
    status: 401,
    message: 'An API key was sent in the URL, which other systems log: revoke this key, it counts as leaked',
  },
  api_key_misplaced: { status: 400, message: 'Send API keys only in the Authorization header' },
  rate_limited: { status: 429, message: 'Too many requests, try again later', retryAfter: 1 },
  signature_invalid: {
    status: 401,
    message: 'The signature is missing or invalid: sign with the shared secret',
  },
  signature_attempts_limited: {
    status: 429,
    message: 'Too many messages with invalid signatures, try again later',
    retryAfter: 60,
  },
  login_limited: {
    status: 429,
    message: 'Too many failed attempts to sign in: try again later',
    retryAfter: 60,
  },
  sign_in_refused: { status: 401, message: 'Wrong username, password or code: try again' },
  second_factor_code_required: { status: 401, message: 'Enter the code from your authenticator app' },
  second_factor_required: { status: 403, message: 'Set up a second factor first' },
  session_required: {
    status: 403,
    message: 'This needs an operator, not an API key: sign in to the console',
  },
  session_ended: { status: 401, message: 'You are signed out: sign in again' },
  right_missing: { status: 403, message: 'You do not have the right to do this: ask an admin for it' },
  invitation_invalid: {
    status: 404,
    message: 'The invitation is invalid, was used or has expired: ask for another one',
  },
  passwords_off: { status: 403, message: 'Passwords are off: use single sign-on to sign in' },
  single_sign_on_refused: {
    status: 403,
    message: 'Single sign-on did not let you in: ask an admin for access',
  },
  single_sign_on_stale: {
    status: 400,
    message: 'This sign-in was used, has expired or began in another browser: sign in again',
  },
  identity_provider_failed: {
    status: 502,
    message: 'The identity provider did not give a valid answer: try again later',
  },
  cross_site_refused: {
    status: 403,
    message: 'Another site sent this request: use the pages of this service',
  },
  request_malformed: { status: 400, message: 'The request is not valid HTTP: correct its headers and body' },
  request_timeout: { status: 408, message: 'The request did not arrive in time: send it again' },
  headers_too_large: {
    status: 431,
    message: 'The request line and headers are too large: shorten the URL or the headers',
  },
  route_unknown: { status: 404, message: 'No endpoint has this path: check the base URL and the path' },
  method_not_allowed: {
    status: 405,
    message: 'This path does not have the method: use one of the Allow header',
  },
  body_too_large: {
    status: 413,
    message: 'The request body is too large: send less, for example in several requests',
  },
  body_malformed: { status: 400, message: 'The given data was invalid.' },
  parameters_invalid: { status: 400, message: 'The given data was invalid.' },
  reason_required: { status: 422, message: 'Give a reason for this action: reason is required' },
  idempotency_key_invalid: { status: 400, message: 'The given data was invalid.' },
  idempotency_key_required: { status: 400, message: 'The given data was invalid.' },
  idempotency_key_reused: {
    status: 422,
    message: 'This Idempotency-Key was used for a different request: use a new key for this one',
  },
  idempotency_key_in_progress: {
    status: 409,
    message: 'Another request with this Idempotency-Key is in progress: try again later',
  },
  idempotency_answer_lost: {
    status: 409,
    message: 'The request took effect, but its answer was lost: read the object to see the result',
  },
  prize_unknown: { status: 404, message: 'Prize not found: check prize_id' },
  prize_not_owned: { status: 404, message: 'Prize not found: check prize_id' },
  prize_not_orderable: { status: 404, message: 'Prize not found: check prize_id' },
  prize_not_cashable: { status: 404, message: 'Prize not found: check prize_id' },
  prize_exists: { status: 409, message: 'A prize with this prize_id exists: use another prize_id' },
  box_unknown: { status: 404, message: 'Box not found or unavailable: check box_id' },
  box_closed: { status: 404, message: 'Box not found or unavailable: check box_id' },
  box_sold_out: { status: 404, message: 'Box not found or unavailable: check box_id' },
  box_version_conflict: {
    status: 409,
    message: 'The box has a different version from expected_version: read it and try again',
  },
  opening_not_entitled: { status: 404, message: 'Box not found or unavailable: check box_id' },
  opening_unknown: { status: 404, message: 'Opening not found: check opening_id' },
  seed_unknown: { status: 404, message: 'Seed not found: check seed_id' },
  test_outcome_unknown: {
    status: 400,
    message: 'The item in X-Test-Outcome is not in the box: use the item of one of its entries',
  },
  casino_unknown: { status: 404, message: 'Casino not found: check casino_id and your access to it' },
  item_unknown: { status: 404, message: 'Item not found: check item_id' },
  order_unknown: { status: 404, message: 'Order not found: check order_id' },
  cashback_unknown: { status: 404, message: 'Cashback not found: check cashback_id' },
  api_key_unknown: { status: 404, message: 'API key not found: check key_id' },
  operator_unknown: { status: 404, message: 'Operator not found: check operator_id' },
  operator_exists: { status: 409, message: 'The username is taken: choose another one' },
  session_unknown: { status: 404, message: 'Session not found: check session_id' },
  audit_entry_unknown: { status: 404, message: 'Audit entry not found: check entry_id' },
  api_key_limit: { status: 409, message: 'The casino has reached its limit of API keys: revoke one first' },
  api_key_wider: {
    status: 403,
    message:
      'This API key has wider limits than the key that you use: use a key with at least the same limits',
  },
  setting_unknown: { status: 404, message: 'Setting not found: check its name' },
  setting_unreadable: { status: 409, message: 'The setting cannot be read: save it again' },
  event_unknown: { status: 404, message: 'Event not found: check event_id' },
  event_cursor_unknown: {
    status: 400,
    message: 'Unknown cursor: use the cursor of an earlier answer, or start without one',
  },
  cursor_expired: {
    status: 410,
    message: 'The feed no longer has all events after this cursor: start without one',
  },
  webhook_endpoint_unknown: { status: 404, message: 'Webhook endpoint not found: check endpoint_id' },
  webhook_endpoint_limit: {
    status: 409,
    message: 'The casino has reached its limit of webhook endpoints: delete one first',
  },
  webhook_endpoint_deleting: {
    status: 409,
    message: 'This webhook endpoint is being deleted: try again later, or use another id',
  },
  quota_exceeded: { status: 409, message: 'The casino has reached its quota: ask for a larger one' },
  grant_conflict: {
    status: 409,
    message: 'A different grant with this grant_id exists: use another grant_id',
  },
  transition_illegal: {
    status: 409,
    message: 'The current state does not allow this: read the object again',
  },
  revision_changed: { status: 409, message: 'The object has changed since you read it: read it again' },
  cashback_needs_resolution: {
    status: 409,
    message: 'A wallet has reported a payment for this cashback: resolve it instead',
  },
  act_unknown: { status: 404, message: 'Act not found: check act_id' },
  act_expired: { status: 409, message: 'The act has expired: make a new one' },
  act_not_yours: { status: 403, message: 'Only the maker can start this act: make one of your own' },
  act_maker_unable: {
    status: 409,
    message: 'The operator who made this act no longer has the right to it: decline the act',
  },
  approval_required: {
    status: 409,
    message: 'This amount needs approval by a second operator: make an act for it',
  },
  approval_by_maker: {
    status: 403,
    message: 'You made this act: another operator must approve or decline it',
  },
  overloaded: { status: 503, message: 'The service is overloaded, try again later', retryAfter: 1 },
  storage_contended: { status: 500, message: 'An internal error occurred: try again later', retryAfter: 1 },
  queue_unavailable: { status: 503, message: 'The queues cannot be reached: try again later', retryAfter: 5 },
  internal: { status: 500, message: 'An internal error occurred: try again later', retryAfter: 1 },
}

/** The meaning of a stored code, for people. */
export function meaningOfCode(code: string): string {
  return Object.hasOwn(errorMeanings, code) ? errorMeanings[code as ErrorCode].message : code
}

/** The response for an error, in the words of the operation. `detail` is for operators, used in `general` only. */
export function errorResponse(
  code: ErrorCode,
  style: ErrorStyle,
  extra: {
    errors?: ParameterErrors | undefined
    detail?: string | undefined
    retryAfterSeconds?: number | undefined
    currentVersion?: number | undefined
  } = {},
): ErrorResponse {
  const meaning = errorMeanings[code]
  const status = statusOverrides[style]?.[code] ?? meaning.status
  const retryAfter = extra.retryAfterSeconds ?? meaning.retryAfter
  const message =
    documentedMessages[style][status] ?? (style === 'general' ? extra.detail : undefined) ?? meaning.message
  const namesThem = (status === 400 || code === 'reason_required') && namesParameters[style]
  return {
    status,
    body: {
      status: 'error',
      message,
      ...(namesThem && extra.errors ? { errors: extra.errors } : {}),
      ...(style === 'general' && extra.currentVersion !== undefined
        ? { current_version: extra.currentVersion }
        : {}),
    },
    headers: {
      'X-Error-Code': code,
      ...(status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {}),
      ...(retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }),
    },
  }
}
