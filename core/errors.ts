/**
 * Every refusal and failure that the rules know, by a stable code. Only `api/error-response.ts` knows a code's HTTP
 * status. A released code is never renamed.
 */
export type ErrorCode =
  // the caller
  | 'api_key_invalid'
  | 'api_key_scope_missing'
  | 'api_key_address_refused'
  | 'api_key_attempts_limited'
  | 'api_key_in_url'
  | 'api_key_misplaced'
  | 'rate_limited'
  | 'signature_invalid'
  | 'signature_attempts_limited'
  | 'login_limited'
  | 'sign_in_refused'
  | 'second_factor_code_required'
  | 'second_factor_required'
  | 'session_required'
  | 'session_ended'
  | 'right_missing'
  | 'invitation_invalid'
  | 'passwords_off'
  | 'single_sign_on_refused'
  | 'single_sign_on_stale'
  | 'identity_provider_failed'
  | 'cross_site_refused'
  // the request
  | 'request_malformed'
  | 'request_timeout'
  | 'headers_too_large'
  | 'route_unknown'
  | 'method_not_allowed'
  | 'body_too_large'
  | 'body_malformed'
  | 'parameters_invalid'
  | 'reason_required'
  | 'idempotency_key_invalid'
  | 'idempotency_key_required'
  | 'idempotency_key_reused'
  | 'idempotency_key_in_progress'
  | 'idempotency_answer_lost'
  // the rules
  | 'prize_unknown'
  | 'prize_not_owned'
  | 'prize_not_orderable'
  | 'prize_not_cashable'
  | 'prize_exists'
  | 'box_unknown'
  | 'box_closed'
  | 'box_sold_out'
  | 'box_version_conflict'
  | 'opening_not_entitled'
  | 'opening_unknown'
  | 'seed_unknown'
  | 'test_outcome_unknown'
  | 'casino_unknown'
  | 'item_unknown'
  | 'order_unknown'
  | 'cashback_unknown'
  | 'api_key_unknown'
  | 'operator_unknown'
  | 'operator_exists'
  | 'session_unknown'
  | 'audit_entry_unknown'
  | 'api_key_limit'
  | 'api_key_wider'
  | 'setting_unknown'
  | 'setting_unreadable'
  | 'event_unknown'
  | 'event_cursor_unknown'
  | 'cursor_expired'
  | 'webhook_endpoint_unknown'
  | 'webhook_endpoint_limit'
  | 'webhook_endpoint_deleting'
  | 'quota_exceeded'
  | 'grant_conflict'
  | 'transition_illegal'
  | 'cashback_needs_resolution'
  | 'revision_changed'
  | 'act_unknown'
  | 'act_expired'
  | 'act_not_yours'
  | 'act_maker_unable'
  | 'approval_required'
  | 'approval_by_maker'
  // failures on our side
  | 'overloaded'
  | 'storage_contended'
  | 'queue_unavailable'
  | 'internal'

/** A refusal by the rules, or a failure whose kind is known. Carries no data of the caller. */
export class RewardsError extends Error {
  readonly code: ErrorCode
  /** When trying again makes sense, where that depends on more than the code. */
  readonly retryAfterSeconds: number | undefined
  /** The version that an object has, for `box_version_conflict`. */
  readonly currentVersion: number | undefined

  constructor(
    code: ErrorCode,
    message: string = code,
    options?: ErrorOptions & { retryAfterSeconds?: number; currentVersion?: number },
  ) {
    super(message, options)
    this.name = 'RewardsError'
    this.code = code
    this.retryAfterSeconds = options?.retryAfterSeconds
    this.currentVersion = options?.currentVersion
  }
}

/** Whether the service itself refused, and not because of another error. */
export function isOwnError(error: unknown): boolean {
  return error instanceof RewardsError && error.cause === undefined
}
