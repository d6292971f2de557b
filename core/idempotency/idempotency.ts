import { createHmac } from 'node:crypto'
import { RewardsError } from '../errors.ts'

/**
 * For the three operations, which store an answer in the statement of its effect. For the management API see
 * claim-key.ts.
 */
export type Operation = 'box_open' | 'prize_order' | 'prize_cashback'

/** An `Idempotency-Key` and a hash of the request. */
export interface KeyClaim {
  key: string
  /** 32 bytes. Keyed, so that parameters (an address, for example) cannot be guessed from a stored hash. */
  fingerprint: Uint8Array
}

/**
 * The answer of an operation: the response as the API wrote it, stored under the key and replayed byte for byte, and
 * whether it was stored before.
 */
export interface Answer {
  response: string
  replayed: boolean
}

/** The record stored under a key. */
export interface StoredAnswer {
  operation: string
  fingerprint: Uint8Array
  response: string
}

/** The columns of a left join with `idempotency_record`; all null if the key has no record. */
export interface StoredAnswerRow {
  stored_operation: string | null
  stored_fingerprint: Uint8Array
  stored_response: string
}

export function toStoredAnswer(row: StoredAnswerRow): StoredAnswer | undefined {
  if (row.stored_operation === null) return undefined
  return {
    operation: row.stored_operation,
    fingerprint: row.stored_fingerprint,
    response: row.stored_response,
  }
}

/** The same parameters give the same fingerprint, in any order and form. */
export function fingerprintOf(
  hashSecret: string,
  operation: string,
  parameters: Readonly<Record<string, string | undefined>>,
): Uint8Array {
  const canonical = Object.entries(parameters)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return createHmac('sha256', `${hashSecret}/idempotency`)
    .update(JSON.stringify([operation, canonical]))
    .digest()
}

/**
 * The answer to replay, or undefined if the key is new. Throws `idempotency_key_reused` if the key belongs to another
 * request.
 */
export function replayOf(
  operation: Operation,
  claim: KeyClaim | undefined,
  stored: StoredAnswer | undefined,
): Answer | undefined {
  if (claim === undefined || stored === undefined) return undefined
  const isSame = stored.operation === operation && Buffer.compare(stored.fingerprint, claim.fingerprint) === 0
  if (!isSame) throw new RewardsError('idempotency_key_reused')
  return { response: stored.response, replayed: true }
}
