import { Prisma } from '../platform/database.ts'
import { sql, text } from '../platform/sql.ts'

/** A key that one attempt of a request holds while the request is carried out (claim-key.ts). */
export interface HeldClaim {
  casinoId: string
  key: string
  attemptId: string
}

/**
 * Steps that a statement begins with which carries out a request of the management API: `claim_held` has one row when the
 * request has no key, or its attempt still holds it. An effect that is built on it does not take place for an attempt that
 * was taken for dead.
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

/** The step that goes with it: when `effect`, an earlier step, has made rows, the request counts as carried out. */
export function markedClaim(claim: HeldClaim | undefined, effect: string): Prisma.Sql {
  const { casinoId, key, attemptId } = partsOf(claim)
  return sql`claim_marked AS (
      UPDATE idempotency_record SET carried_out_at = now()
       WHERE casino_id = ${casinoId}::text AND key = ${key}::text AND attempt_id = ${attemptId}::text
         AND EXISTS (SELECT FROM ${Prisma.raw(effect)})
    )`
}

/** The columns of the input of a statement of many requests that say which claims they have. */
export function claimColumns<Row>(claimOf: (row: Row) => HeldClaim | undefined) {
  return {
    claim_casino: text((row: Row) => claimOf(row)?.casinoId ?? null),
    claim_key: text((row: Row) => claimOf(row)?.key ?? null),
    claim_attempt: text((row: Row) => claimOf(row)?.attemptId ?? null),
  }
}

/** The same steps for such a statement, from `input`. */
export const heldClaims = sql`claim_locked AS (
      SELECT record.casino_id, record.key
        FROM input
        JOIN idempotency_record AS record ON record.casino_id = input.claim_casino AND record.key = input.claim_key
       WHERE record.attempt_id = input.claim_attempt
       ORDER BY record.casino_id, record.key
         FOR UPDATE OF record
    )`

/** Which rows of `input` may take effect: those without a key, or with one that is still theirs. */
export const isClaimHeld = sql`(input.claim_key IS NULL
        OR (input.claim_casino, input.claim_key) IN (SELECT casino_id, key FROM claim_locked))`

/** Marks those that `accepted` has. */
export const markedClaims = sql`claim_marked AS (
      UPDATE idempotency_record AS record SET carried_out_at = now()
        FROM accepted
       WHERE record.casino_id = accepted.claim_casino AND record.key = accepted.claim_key
         AND record.attempt_id = accepted.claim_attempt
    )`

function partsOf(claim: HeldClaim | undefined) {
  return claim ?? { casinoId: null, key: null, attemptId: null }
}
