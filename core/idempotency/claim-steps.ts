import { Prisma } from '../platform/database.ts'
import { sql, text } from '../platform/sql.ts'

/** The key that an attempt of a request holds while the request is carried out (claim-key.ts). */
export interface HeldClaim {
  casinoId: string
  key: string
  attemptId: string
}

/**
 * The first steps of a statement that carries out a request of the management API: `claim_held` has one row if the
 * request has no key, or its attempt still holds it. An effect built on it does not happen for an attempt that was
 * assumed dead.
 */
export function heldClaim(claim: HeldClaim | undefined): Prisma.Sql {
  const { casinoId, key, attemptId } = partsOf(claim)
  return sql`claim_locked AS (
      SELECT key FROM idempotency_record
       WHERE casino_id = ${casinoId}::text AND key = ${key}::text AND attempt_id = ${attemptId}::text
         FOR UPDATE
    ),
    claim_held AS (
      SELECT FROM (SELECT) AS one WHERE ${key}::text IS NULL OR EXISTS (SELECT FROM claim_locked)
    )`
}

/** The matching last step: if `effect`, an earlier step, has rows, the request counts as carried out. */
export function markedClaim(claim: HeldClaim | undefined, effect: string): Prisma.Sql {
  const { casinoId, key, attemptId } = partsOf(claim)
  return sql`claim_marked AS (
      UPDATE idempotency_record SET carried_out_at = now()
       WHERE casino_id = ${casinoId}::text AND key = ${key}::text AND attempt_id = ${attemptId}::text
         AND EXISTS (SELECT FROM ${Prisma.raw(effect)})
    )`
}

/** The claim columns in the input of a statement for many requests. */
export function claimColumns<Row>(claimOf: (row: Row) => HeldClaim | undefined) {
  return {
    claim_casino: text((row: Row) => claimOf(row)?.casinoId ?? null),
    claim_key: text((row: Row) => claimOf(row)?.key ?? null),
    claim_attempt: text((row: Row) => claimOf(row)?.attemptId ?? null),
  }
}

/** The same steps for such a statement, reading `input`. */
export const heldClaims = sql`claim_locked AS (
      SELECT record.casino_id, record.key
        FROM input
        JOIN idempotency_record AS record ON record.casino_id = claim_casino AND record.key = claim_key
       WHERE record.attempt_id = input.claim_attempt
       ORDER BY record.casino_id, record.key
         FOR UPDATE OF record
    )`

/** The rows of `input` that may take effect: those without a key, or whose key is still held. */
export const isClaimHeld = sql`(claim_key IS NULL OR (claim_casino, claim_key) IN (SELECT casino_id, key FROM claim_locked))`

/** Marks the rows of `accepted` as carried out: `claim_locked` has their claims, which no other attempt can take. */
export const markedClaims = sql`claim_marked AS (
      UPDATE idempotency_record AS record SET carried_out_at = now()
        FROM accepted
       WHERE record.casino_id = accepted.claim_casino AND record.key = accepted.claim_key
    )`

function partsOf(claim: HeldClaim | undefined) {
  return claim ?? { casinoId: null, key: null, attemptId: null }
}
