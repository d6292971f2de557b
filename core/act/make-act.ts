import { RewardsError } from '../errors.ts'
import { heldClaim, markedClaim } from '../idempotency/claim-steps.ts'
import type { HeldClaim } from '../idempotency/claim-steps.ts'
import type { Money } from '../money.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import { newId } from '../platform/ids.ts'
import { batchInput, instant, int, sql, text } from '../platform/sql.ts'
import { insertInto, sameColumns } from '../platform/sql-insert.ts'
import { toAmountsJson } from './act.ts'
import type { ActRecord } from './act.ts'
import { decidesMoney, sumOf } from './decide-act.ts'
import type { ActAction, ActParams } from './decide-act.ts'
import { needsApproval } from './decide-act-move.ts'
import { loadObjects } from './load-objects.ts'
import type { PreviewedObject } from './load-objects.ts'
import { getAct } from './read-acts.ts'

export interface MakeActRequest {
  casinoId: string
  action: ActAction
  params: ActParams
  /** Without repetitions. */
  objectIds: readonly string[]
  /** The revisions that the maker has seen, by the objects' ids; an object that is not in it may have any. */
  expectedRevisions?: ReadonlyMap<string, number>
  actor: string
  /** The casino's limits for persons. */
  limits: readonly Money[]
  claim: HeldClaim | undefined
}

/** People look at a preview for minutes; after that they should look again. */
const previewMs = 15 * 60_000

/**
 * Previews an action on a selection, and freezes it: the ids, and the revision of each object. Changes no object. One that
 * has another revision than the expected one is refused; the others are not affected.
 */
export async function makeAct(
  { database, clock }: { database: Database; clock: Clock },
  request: MakeActRequest,
): Promise<{ act: ActRecord; objects: readonly PreviewedObject[] }> {
  const now = clock.now()
  const loaded = await loadObjects(database, request, now)
  const objects = loaded.map((object) => refusedIfChanged(object, request.expectedRevisions))
  const allowed = objects.filter(({ refusal }) => refusal === null)
  const isAboutMoney = decidesMoney(request.action, request.params)
  const amounts = isAboutMoney ? sumOf(allowed.flatMap(({ amount }) => amount ?? [])) : []
  const id = newId('act', now)
  await storeAct(database, request, { id, now, amounts, objects })
  return { act: await getAct(database, request.casinoId, id), objects }
}

function refusedIfChanged(
  object: PreviewedObject,
  expected: MakeActRequest['expectedRevisions'],
): PreviewedObject {
  const { objectId, revision } = object
  const seen = expected?.get(objectId)
  if (seen === undefined || revision === null || revision === seen) return object
  return { ...object, refusal: { code: 'revision_changed', message: null } }
}

async function storeAct(
  database: Database,
  { casinoId, action, params, actor, limits, claim }: MakeActRequest,
  made: { id: string; now: Date; amounts: readonly Money[]; objects: readonly PreviewedObject[] },
): Promise<void> {
  const { id, now, amounts, objects } = made
  const expiresAt = new Date(now.getTime() + previewMs)
  const rows = await database.$queryRaw<{ id: string }[]>`
    WITH ${heldClaim(claim)},
    act_made AS (
      ${insertInto('act', {
        from: sql`claim_held`,
        columns: {
          id: sql`${id}::text`,
          casino_id: sql`${casinoId}::text`,
          action: sql`${action}::text`,
          params: sql`${JSON.stringify(params)}::jsonb`,
          state: 'previewed',
          amounts: sql`${toAmountsJson(amounts)}::jsonb`,
          needs_approval: sql`${needsApproval({ madeBy: actor, amounts }, { limits })}::boolean`,
          object_count: sql`${objects.length}::int`,
          refused_count: sql`${objects.filter(({ refusal }) => refusal !== null).length}::int`,
          made_by: sql`${actor}::text`,
          created_at: instant(now),
          expires_at: instant(expiresAt),
        },
      })}
      RETURNING id
    ),
    ${markedClaim(claim, 'act_made')},
    objects_frozen AS (
      ${insertInto('act_object', {
        from: sql`act_made CROSS JOIN ${batchInput(objects, {
          object_id: text((object) => object.objectId),
          position: int((_, index) => index + 1),
          revision: int((object) => object.revision),
          code: text((object) => object.refusal?.code ?? null),
          message: text((object) => object.refusal?.message ?? null),
        })}`,
        columns: {
          act_id: sql`act_made.id`,
          ...sameColumns('object_id', 'position', 'revision', 'code', 'message'),
          state: sql`CASE WHEN code IS NULL THEN 'waiting' ELSE 'refused' END`,
          settled_at: sql`CASE WHEN code IS NULL THEN NULL ELSE ${instant(now)} END`,
        },
      })}
    )
    SELECT id FROM act_made`
  // Another attempt of the same request has its key, and reports its result.
  if (rows.length === 0) throw new RewardsError('idempotency_key_in_progress')
}
