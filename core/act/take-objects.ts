import type { HeldClaim } from '../idempotency/claim-steps.ts'
import { endedClaims, takenClaims, workClaimKey } from '../idempotency/taken-claims.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import { newId } from '../platform/ids.ts'
import { batchInput, instant, sql, text } from '../platform/sql.ts'

/** An object that a worker has taken up. */
export interface TakenObject {
  objectId: string
  revision: number | null
  /** How often it was taken up, this time included. */
  attempts: number
  /** A worker has carried the action out before, and could not say so. */
  isCarriedOut: boolean
  claim: HeldClaim
}

/** One statement's worth: a stop waits for no more. */
const takenMax = 50

/**
 * Takes up the next waiting objects of a running act, those first that were taken up least: an object that always fails
 * holds none of the others up. Its former holder can do nothing with an object any more. Empty when there is
 * nothing left, or the act does not run.
 */
export async function takeObjects(
  database: Database,
  { casinoId, actId }: { casinoId: string; actId: string },
): Promise<TakenObject[]> {
  const attemptId = newId('idk')
  const rows = await database.$queryRaw<
    {
      object_id: string
      revision: number | null
      attempts: number
      claim_key: string
      carried_out_at: Date | null
    }[]
  >`
    WITH act_held AS (
      SELECT id FROM act WHERE id = ${actId}::text AND state = 'running' FOR UPDATE
    ),
    object_locked AS (
      SELECT act_id, object_id, ${workClaimKey(sql`act_id`, sql`position`)} AS claim_key
        FROM act_object
       WHERE act_id IN (SELECT id FROM act_held) AND state = 'waiting'
       ORDER BY attempts, position LIMIT ${takenMax}::int
         FOR UPDATE
    ),
    object_taken AS (
      UPDATE act_object SET attempts = attempts + 1
        FROM object_locked
       WHERE act_object.act_id = object_locked.act_id AND act_object.object_id = object_locked.object_id
      RETURNING act_object.object_id, revision, attempts, position, claim_key
    ),
    ${takenClaims(sql`object_locked`, { casinoId, attemptId })}
    SELECT object_id, revision, attempts, claim_key, carried_out_at
      FROM object_taken JOIN claim_taken ON claim_taken.key = claim_key
     ORDER BY attempts, position`
  return rows.map((row) => ({
    objectId: row.object_id,
    revision: row.revision,
    attempts: row.attempts,
    isCarriedOut: row.carried_out_at !== null,
    claim: { casinoId, key: row.claim_key, attemptId },
  }))
}

/** The result of the action on an object. */
export interface ObjectResult {
  object: TakenObject
  refusal: { code: string; message: string | null } | null
}

/**
 * Stores results, and ends the claims. Only of objects that no other worker has taken since: that worker knows better.
 * An action that was carried out counts as done, also if something failed after it.
 */
export async function storeResults(
  { database, clock }: { database: Database; clock: Clock },
  { casinoId, actId }: { casinoId: string; actId: string },
  results: readonly ObjectResult[],
): Promise<void> {
  const attemptId = results[0]?.object.claim.attemptId
  if (attemptId === undefined) return
  await database.$executeRaw`
    WITH act_held AS (
      SELECT id FROM act WHERE id = ${actId}::text FOR UPDATE
    ),
    input AS (
      SELECT input.* FROM act_held CROSS JOIN ${batchInput(results, {
        object_id: text(({ object }) => object.objectId),
        claim_key: text(({ object }) => object.claim.key),
        code: text(({ refusal }) => refusal?.code ?? null),
        message: text(({ refusal }) => refusal?.message ?? null),
      })}
    ),
    ${endedClaims(sql`input`, { casinoId, attemptId })},
    result AS (
      SELECT object_id, code IS NULL OR carried_out_at IS NOT NULL AS is_done, code, message
        FROM input JOIN claim_ended ON claim_ended.key = input.claim_key
    ),
    settled AS (
      UPDATE act_object
         SET state = CASE WHEN is_done THEN 'done' ELSE 'refused' END, settled_at = ${instant(clock.now())},
             code = CASE WHEN NOT is_done THEN result.code END,
             message = CASE WHEN NOT is_done THEN result.message END
        FROM result
       WHERE act_id = ${actId}::text AND act_object.object_id = result.object_id AND state = 'waiting'
      RETURNING act_object.state
    )
    UPDATE act
       SET done_count = done_count + (SELECT count(*) FROM settled WHERE settled.state = 'done'),
           refused_count = refused_count + (SELECT count(*) FROM settled WHERE settled.state = 'refused')
      FROM act_held WHERE act.id = act_held.id`
}
