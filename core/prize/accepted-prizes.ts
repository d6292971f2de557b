import type { WrittenEvent } from '../event/written-events.ts'
import { claimedKeys } from '../idempotency/claimed-keys.ts'
import type { Operation } from '../idempotency/idempotency.ts'
import type { Prisma } from '../platform/database.ts'
import { bytea, instant, sql, text } from '../platform/sql.ts'
import type { RowLocks } from '../platform/sql.ts'
import { traceparentOf } from '../trace/carried-span.ts'
import { loadedPrizeColumns } from './load-prizes.ts'
import type { LoadedPrizeRow, PrizeRequest } from './load-prizes.ts'

/**
 * The parts of every statement that takes prizes from players. It decides by itself what is plainly allowed, under the lock
 * of the prize, and loads the other requests, whose answers are decided afterwards. So most requests need no load.
 */

/** A request, and the id of the order or cashback that it makes if it is accepted. */
export interface Taking<Request extends PrizeRequest> {
  request: Request
  objectId: string
}

/** The columns of `input`, besides those of the operation. */
export const takingColumns = {
  casino_id: text(({ request }: Taking<PrizeRequest>) => request.casinoId),
  prize_id: text(({ request }: Taking<PrizeRequest>) => request.prizeId),
  player_id: text(({ request }: Taking<PrizeRequest>) => request.playerId),
  object_id: text(({ objectId }: Taking<PrizeRequest>) => objectId),
  actor: text(({ request }: Taking<PrizeRequest>) => request.actor),
  request_id: text(({ request }: Taking<PrizeRequest>) => request.requestId),
  traceparent: text(({ request }: Taking<PrizeRequest>) => traceparentOf(request)),
  key: text(({ request }: Taking<PrizeRequest>) => request.claim?.key ?? null),
  fingerprint: bytea(({ request }: Taking<PrizeRequest>) => request.claim?.fingerprint ?? null),
}

interface Acceptance {
  operation: Operation
  response: string
  /** The condition on `prize` for this operation, besides that it can be claimed. */
  isTakable: Prisma.Sql
  now: Date
  locks: RowLocks
}

/**
 * From `input` these first steps make `accepted`: the rows whose prize can be claimed (`isClaimable`) by its player and
 * is now locked, and whose idempotency key, if any, they have claimed; with the prize's revision and cashback. Prizes are
 * locked before keys are claimed, both in key order, so that no two statements deadlock. PostgreSQL checks the conditions
 * again on a row that has changed before it was locked, so they must be in the query that locks.
 *
 * One input may have two rows with the same key and different contents; the fingerprint tells which row got the key.
 */
export function acceptedPrizes({ operation, response, isTakable, now, locks }: Acceptance): Prisma.Sql {
  return sql`prize_locked AS (
      SELECT input.*, prize.revision, prize.cashback_amount_minor AS amount_minor, prize.cashback_currency AS currency
        FROM input JOIN prize ON prize.casino_id = input.casino_id AND prize.id = input.prize_id
       WHERE prize.player_id = input.player_id AND prize.state = 'won'
         AND (prize.expires_at IS NULL OR prize.expires_at > ${instant(now)}) AND ${isTakable}
       ORDER BY prize.casino_id, prize.id
         FOR UPDATE OF prize ${locks}
    ),
    ${claimedKeys(operation, 'prize_locked', sql`${response}::text`)}`
}

/** The event of the prizes in `accepted`. */
export function prizeTaken(toState: 'ordered' | 'cashback_pending') {
  return {
    from: sql`accepted`,
    objectType: 'prize',
    objectId: sql`prize_id`,
    sequence: sql`revision + 1`,
    type: `prize.${toState}`,
    fromState: 'won',
    toState,
    actor: sql`actor`,
    requestId: sql`request_id`,
    traceparent: sql`traceparent`,
  } satisfies WrittenEvent
}

/** A row of `takenOrLoaded`. Without work, the request was not accepted; its decision needs the rest. */
export interface TakenOrLoadedRow extends LoadedPrizeRow {
  /** Of `input`. */
  object_id: string
  outbox_id: bigint | null
}

/**
 * The query after the steps: for each row of `input` its new work in `work_due`, or else what `loadPrizes` loads, as it was
 * when the statement began. Joins of steps are nested loops (`plannerSettings`), so the others are found without one.
 */
export const takenOrLoaded = sql`SELECT request.object_id, request.outbox_id, ${loadedPrizeColumns}
      FROM (
        SELECT object_id, id AS outbox_id, NULL AS casino_id, NULL AS prize_id, NULL AS key FROM work_due
         UNION ALL
        SELECT object_id, NULL, casino_id, prize_id, key FROM input
         WHERE object_id NOT IN (SELECT object_id FROM work_due)
      ) AS request
      LEFT JOIN LATERAL (
        SELECT * FROM prize WHERE prize.casino_id = request.casino_id AND prize.id = request.prize_id OFFSET 0
      ) AS prize ON true
      LEFT JOIN LATERAL (
        SELECT * FROM idempotency_record
         WHERE idempotency_record.casino_id = request.casino_id AND idempotency_record.key = request.key OFFSET 0
      ) AS stored ON true`
