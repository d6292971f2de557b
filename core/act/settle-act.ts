import { endedClaims, workClaimKey } from '../idempotency/taken-claims.ts'
import { finishedWork } from '../outbox/work-steps.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import { instant, sql } from '../platform/sql.ts'

interface Deps {
  database: Database
  clock: Clock
}

/**
 * Ends a stopping act. Its claims end first: a worker in the middle of a statement is waited for, and a slower one can
 * change nothing any more. Objects that were carried out are done, the rest skipped. A second run changes nothing.
 */
export async function settleStoppedAct(
  { database, clock }: Deps,
  { casinoId, actId }: { casinoId: string; actId: string },
): Promise<void> {
  const now = instant(clock.now())
  await database.$executeRaw`
    WITH act_held AS (
      SELECT id FROM act
       WHERE id = ${actId}::text AND casino_id = ${casinoId}::text AND state = 'stopping' FOR UPDATE
    ),
    waiting AS (
      SELECT object_id, ${workClaimKey(sql`act_id`, sql`position`)} AS claim_key
        FROM act_object JOIN act_held ON act_held.id = act_id WHERE state = 'waiting'
    ),
    ${endedClaims(sql`waiting`, { casinoId })},
    settled AS (
      UPDATE act_object
         SET state = CASE WHEN EXISTS (SELECT FROM claim_ended WHERE key = claim_key AND carried_out_at IS NOT NULL)
                          THEN 'done' ELSE 'skipped' END,
             settled_at = ${now}
        FROM waiting
       WHERE act_object.act_id = ${actId}::text AND act_object.object_id = waiting.object_id
         AND act_object.state = 'waiting'
      RETURNING act_object.state
    )
    UPDATE act
       SET state = 'stopped', ended_at = ${now},
           done_count = done_count + (SELECT count(*) FROM settled WHERE settled.state = 'done'),
           skipped_count = skipped_count + (SELECT count(*) FROM settled WHERE settled.state = 'skipped')
      FROM act_held WHERE act.id = act_held.id`
}

/** Begins to stop a running act whose maker no longer has the right to it. */
export async function stopForMaker({ database, clock }: Deps, actId: string): Promise<void> {
  await database.act.updateMany({
    where: { id: actId, state: 'running' },
    data: {
      state: 'stopping',
      stoppedBy: 'worker',
      stoppedAt: clock.now(),
      stopReason: 'The operator who made the act no longer has the right to it',
    },
  })
}

/** Ends a running act without waiting objects, and the work of an act that has ended. */
export async function endAct({ database, clock }: Deps, actId: string, outboxId: string): Promise<void> {
  await database.$executeRaw`
    WITH act_ended AS (
      UPDATE act SET state = 'done', ended_at = ${instant(clock.now())}
       WHERE id = ${actId}::text AND state = 'running'
         AND NOT EXISTS (SELECT FROM act_object WHERE act_id = act.id AND act_object.state = 'waiting')
      RETURNING id
    ),
    ended AS (
      SELECT FROM act_ended
       UNION ALL
      SELECT FROM act WHERE id = ${actId}::text AND state NOT IN ('running', 'stopping')
    ),
    ${finishedWork(sql`SELECT ${outboxId}::bigint WHERE EXISTS (SELECT FROM ended)`)}
    SELECT`
}
