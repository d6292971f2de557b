import { loadDecideStore } from '../batch/load-decide-store.ts'
import type { Change } from '../batch/load-decide-store.ts'
import { heldClaim, markedClaim } from '../idempotency/claim-steps.ts'
import type { HeldClaim } from '../idempotency/claim-steps.ts'
import type { Money } from '../money.ts'
import { dueRow, toDueWork } from '../outbox/due-row.ts'
import type { DueRow } from '../outbox/due-row.ts'
import type { HandOver } from '../outbox/hand-over.ts'
import { causedWork } from '../outbox/work-steps.ts'
import { currentTraceparent } from '../trace/current-span.ts'
import type { Clock } from '../platform/clock.ts'
import type { Prisma, Database } from '../platform/database.ts'
import { instant, sql } from '../platform/sql.ts'
import { isMakerAble } from './able-maker.ts'
import type { ActRecord } from './act.ts'
import { decideActMove } from './decide-act-move.ts'
import type { ActMove, ActMovePlan } from './decide-act-move.ts'
import { getAct } from './read-acts.ts'
import { settleStoppedAct } from './settle-act.ts'

export interface MoveActRequest {
  casinoId: string
  actId: string
  move: ActMove
  actor: string
  reason: string
  requestId: string
  /** The casino's limits for persons. */
  limits: readonly Money[]
  claim: HeldClaim | undefined
}

interface Deps {
  database: Database
  clock: Clock
  handOver: HandOver
}

/**
 * Starts, approves, declines or stops an act, and returns it as it is then. A running act whose stop was answered
 * changes no further object. Throws `act_unknown`, and the errors of `decideActMove`.
 */
export async function moveAct(deps: Deps, request: MoveActRequest): Promise<ActRecord> {
  const { database, clock } = deps
  const { casinoId, actId, move, actor, limits } = request
  type Loaded = { act: ActRecord; isMakerAble: boolean; now: Date }
  type Write = { act: ActRecord; plan: ActMovePlan }
  const change: Change<MoveActRequest, Loaded, Write, Write> = {
    load: async () => {
      const act = await getAct(database, casinoId, actId)
      return { act, isMakerAble: await isMakerAble(database, act), now: clock.now() }
    },
    decide: (_, { act, isMakerAble: isAble, now }) => ({
      write: {
        act,
        plan: decideActMove(move, act, { actor, limits, isMakerAble: isAble, now }),
      },
    }),
    store: async ([write]) => {
      const isStored = write !== undefined && (await storeMove(deps, request, write))
      return isStored ? new Map([[write, write]]) : new Map()
    },
  }
  const [result] = await loadDecideStore(change, [request])
  if (result === undefined) throw new Error('a request got no result')
  if ('error' in result) throw result.error
  if (result.value.plan.to === 'stopping') await settleStoppedAct(deps, { casinoId, actId })
  return getAct(database, casinoId, actId)
}

/** Writes nothing and returns false if the act is no longer in the state that was loaded. */
async function storeMove(
  { database, clock, handOver }: Deps,
  { casinoId, actId, move, actor, reason, requestId, claim }: MoveActRequest,
  { act, plan }: { act: ActRecord; plan: ActMovePlan },
): Promise<boolean> {
  const now = instant(clock.now())
  const traceparent = currentTraceparent()
  const isEnd = plan.to === 'declined' || plan.to === 'stopped'
  const rows = await database.$queryRaw<DueRow[]>`
    WITH ${heldClaim(claim)},
    act_moved AS (
      UPDATE act
         SET state = ${plan.to}::text, expires_at = coalesce(${instant(plan.expiresAt ?? null)}, expires_at),
             ${columnsOf(move, plan, { now, actor, reason, requestId })},
             started_at = CASE WHEN ${plan.to === 'running'}::boolean THEN ${now} ELSE started_at END,
             ended_at = CASE WHEN ${isEnd}::boolean THEN ${now} ELSE ended_at END,
             skipped_count = CASE WHEN ${isEnd}::boolean THEN object_count - refused_count ELSE skipped_count END
        FROM claim_held
       WHERE act.id = ${actId}::text AND casino_id = ${casinoId}::text AND state = ${act.state}::text
      RETURNING act.id
    ),
    ${markedClaim(claim, 'act_moved')},
    objects_skipped AS (
      UPDATE act_object SET state = 'skipped', settled_at = ${now}
        FROM act_moved
       WHERE act_id = act_moved.id AND state = 'waiting' AND ${isEnd}::boolean
    ),
    ${causedWork({
      from: sql`act_moved WHERE ${plan.to === 'running'}::boolean`,
      jobName: 'carry-out-act',
      objectId: sql`act_moved.id`,
      casinoId: sql`${casinoId}::text`,
      traceparent: sql`${traceparent}::text`,
    })}
    SELECT ${dueRow} FROM act_moved LEFT JOIN work_due ON work_due.object_id = act_moved.id`
  handOver(rows.flatMap((row) => toDueWork('carry-out-act', actId, row)))
  return rows.length > 0
}

/** The actor and the reason. The history of the objects names the request that started the act, approved or not. */
function columnsOf(
  move: ActMove,
  plan: ActMovePlan,
  by: { now: Prisma.Sql; actor: string; reason: string; requestId: string },
): Prisma.Sql {
  const { now, actor, reason, requestId } = by
  switch (move) {
    case 'start':
      return sql`reason = ${reason}::text, request_id = ${requestId}::text,
                 needs_approval = ${plan.to === 'pending_approval'}::boolean`
    case 'approve':
    case 'decline':
      return sql`decided_by = ${actor}::text, decided_at = ${now}, decision_reason = ${reason}::text`
    case 'stop':
      return sql`stopped_by = ${actor}::text, stopped_at = ${now}, stop_reason = ${reason}::text`
    default:
      return move satisfies never
  }
}
