import { loadDecideStore } from '../batch/load-decide-store.ts'
import type { Change } from '../batch/load-decide-store.ts'
import { writtenEvents } from '../event/written-events.ts'
import { heldClaim, markedClaim } from '../idempotency/claim-steps.ts'
import type { HeldClaim } from '../idempotency/claim-steps.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import { instant, sql } from '../platform/sql.ts'
import { decideVoid } from './decide-void.ts'
import { refuseChanged } from './decide-revision.ts'
import { findPrize } from './read-prizes.ts'
import type { PrizeRecord } from './read-prizes.ts'

export interface VoidPrizeRequest {
  casinoId: string
  prizeId: string
  reason: string | null
  /** Actor, for the history: `admin` or `key:…`. */
  actor: string
  requestId: string
  claim: HeldClaim | undefined
  /** Nothing is done if the object has another revision; undefined for any. */
  expectedRevision?: number | undefined
}

/**
 * Takes a prize from its player permanently: it was given by mistake, or won by fraud. Only a prize that is still
 * `won`: an order or a cashback must be ended first, so that its parcel or its money is not forgotten. A limited stock
 * does not get it back: the player may know of the win, and the draw stands. Returns the prize after the change. Throws
 * `prize_unknown`, `revision_changed` or `transition_illegal`.
 */
export async function voidPrize(
  { database, clock }: { database: Database; clock: Clock },
  request: VoidPrizeRequest,
): Promise<PrizeRecord> {
  const { casinoId, prizeId } = request
  const change: Change<VoidPrizeRequest, PrizeRecord | null, PrizeRecord, PrizeRecord> = {
    load: () => findPrize(database, casinoId, prizeId),
    decide: ({ expectedRevision }, prize) => {
      if (prize !== null) refuseChanged(expectedRevision, prize)
      return { write: decideVoid(prize) }
    },
    store: async ([prize]) => {
      const now = clock.now()
      const isStored = prize !== undefined && (await storeVoid(database, request, prize, now))
      return isStored
        ? new Map([[prize, { ...prize, state: 'voided', revision: prize.revision + 1, updatedAt: now }]])
        : new Map()
    },
  }
  const [result] = await loadDecideStore(change, [request])
  if (result === undefined) throw new Error('a request got no result')
  if ('error' in result) throw result.error
  return result.value
}

/** Writes nothing and returns false if the prize is no longer as loaded. */
async function storeVoid(
  database: Database,
  { casinoId, prizeId, reason, actor, requestId, claim }: VoidPrizeRequest,
  { revision }: PrizeRecord,
  now: Date,
): Promise<boolean> {
  const rows = await database.$queryRaw<{ id: string }[]>`
    WITH ${heldClaim(claim)},
    prize_voided AS (
      UPDATE prize SET state = 'voided', revision = revision + 1, updated_at = ${instant(now)}
        FROM claim_held
       WHERE casino_id = ${casinoId}::text AND id = ${prizeId}::text AND revision = ${revision}::int
      RETURNING casino_id, id, revision
    ),
    ${markedClaim(claim, 'prize_voided')},
    event_written AS (
      ${writtenEvents(instant(now), {
        from: sql`prize_voided`,
        objectType: 'prize',
        objectId: sql`id`,
        sequence: sql`revision`,
        type: 'prize.voided',
        fromState: 'won',
        toState: 'voided',
        actor: sql`${actor}::text`,
        reason: sql`${reason}::text`,
        requestId: sql`${requestId}::text`,
      })}
    )
    SELECT id FROM prize_voided`
  return rows.length > 0
}
