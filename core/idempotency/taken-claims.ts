import { Prisma } from '../platform/database.ts'
import { sql } from '../platform/sql.ts'
import { insertInto } from '../platform/sql-insert.ts'

/**
 * Claims for work that a worker does for an operator, object by object. They are like those of requests under an
 * `Idempotency-Key` (claim-key.ts), so the same statements honour them, with one difference: no waiting for a lease.
 * Taking a claim over waits for a running statement to commit, and from then on its former holder can change nothing.
 */

/** Longer than any outage: until the worker ends its claims, they are not pruned. */
const keptFor = sql`interval '10 years'`

/** No `Idempotency-Key` has a space, so no casino can name such a claim. */
export function workClaimKey(work: Prisma.Sql, part: Prisma.Sql): Prisma.Sql {
  return sql`${work} || ' ' || ${part}`
}

/**
 * The step `claim_taken` (key, carried_out_at): takes the claim of each row of `from` (claim_key), new or from its
 * holder. Work that was already carried out under it stays so.
 */
export function takenClaims(
  from: Prisma.Sql,
  { casinoId, attemptId }: { casinoId: string; attemptId: string },
): Prisma.Sql {
  return sql`claim_taken AS (
      ${insertInto('idempotency_record AS record', {
        from,
        columns: {
          casino_id: sql`${casinoId}::text`,
          key: sql`claim_key`,
          operation: 'act',
          fingerprint: sql`sha256(convert_to(claim_key, 'UTF8'))`,
          attempt_id: sql`${attemptId}::text`,
          attempt_until: sql`now()`,
          created_at: sql`now() + ${keptFor}`,
        },
      })}
          ON CONFLICT (casino_id, key) DO UPDATE SET attempt_id = EXCLUDED.attempt_id
      RETURNING key, carried_out_at
    )`
}

/**
 * The step `claim_ended` (key, carried_out_at): ends the claims with the keys of `from` (claim_key), of this attempt if
 * there is one, else of any. Nothing can be carried out under them any more.
 */
export function endedClaims(
  from: Prisma.Sql,
  { casinoId, attemptId }: { casinoId: string; attemptId?: string },
): Prisma.Sql {
  const isOfAttempt = attemptId === undefined ? Prisma.empty : sql`AND attempt_id = ${attemptId}::text`
  return sql`claim_ended AS (
      DELETE FROM idempotency_record
       WHERE casino_id = ${casinoId}::text AND key = ANY(ARRAY(SELECT claim_key FROM ${from})) ${isOfAttempt}
      RETURNING key, carried_out_at
    )`
}
