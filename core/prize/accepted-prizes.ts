import type { WrittenEvent } from '../event/written-events.ts'
import { claimedKeys } from '../idempotency/claimed-keys.ts'
import type { Operation } from '../idempotency/idempotency.ts'
import type { Prisma } from '../platform/database.ts'
import { instant, sql } from '../platform/sql.ts'
import type { RowLocks } from '../platform/sql.ts'
import { originOf } from '../queue/jobs.ts'
import type { DueWork, JobName } from '../queue/jobs.ts'
import { traceparentOf } from '../trace/carried-span.ts'
import { loadedPrizeColumns, toLoadedPrize } from './load-prizes.ts'
import type { LoadedPrize, LoadedPrizeRow, PrizeRequest } from './load-prizes.ts'

/**
 * The parts of every statement that takes prizes from players. It decides by itself what is plainly allowed, under the lock
 * of the prize, and loads the other requests, whose answers are decided afterwards. So most requests need no load.
 */

interface Taking {
  operation: Operation
  response: string
  /** The condition on `prize` for this operation, besides that it can be claimed. */
  isTakable: Prisma.Sql
  now: Date
  locks: RowLocks
}

/**
 * From `input` (casino_id, prize_id, player_id, key, fingerprint and more) these first steps make `accepted`: the rows
 * whose prize can be claimed (`isClaimable`) by its player and is now locked, and whose idempotency key, if any, they have
 * claimed; with the prize's revision and cashback. Prizes are locked before keys are claimed, both in key order, so that
 * no two statements deadlock.
 *
 * One input may have two rows with the same key and different contents; the fingerprint tells which row got the key.
 */
export function acceptedPrizes({ operation, response, isTakable, now, locks }: Taking): Prisma.Sql {
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

/** The event of the prizes in `accepted` (also traceparent). */
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
  /** Of `input`, from 0. */
  position: number
  outbox_id: bigint | null
}

/**
 * The query after the steps: for each row of `input` (also position) its new work in `work_due`, whose object is `objectId`,
 * or else what `loadPrizes` loads, as it was when the statement began.
 */
export function takenOrLoaded(objectId: Prisma.Sql): Prisma.Sql {
  return sql`SELECT input.position, work_due.id AS outbox_id, ${loadedPrizeColumns}
      FROM input
      LEFT JOIN work_due ON work_due.object_id = ${objectId}
      LEFT JOIN LATERAL (
        SELECT * FROM prize
         WHERE work_due.id IS NULL AND prize.casino_id = input.casino_id AND prize.id = input.prize_id OFFSET 0
      ) AS prize ON true
      LEFT JOIN LATERAL (
        SELECT * FROM idempotency_record
         WHERE work_due.id IS NULL AND idempotency_record.casino_id = input.casino_id
           AND idempotency_record.key = input.key OFFSET 0
      ) AS stored ON true`
}

/** The requests whose prizes were taken, their work to hand over, and what was loaded for the others. */
export function readTakenOrLoaded<Request extends PrizeRequest>(
  rows: readonly TakenOrLoadedRow[],
  requests: readonly Request[],
  { jobName, objectIds }: { jobName: JobName; objectIds: readonly string[] },
): { taken: readonly Request[]; works: readonly DueWork[]; prizes: ReadonlyMap<Request, LoadedPrize> } {
  const taken: Request[] = []
  const works: DueWork[] = []
  const prizes = new Map<Request, LoadedPrize>()
  for (const row of rows) {
    const [request, objectId] = [requests[row.position], objectIds[row.position]]
    if (request === undefined || objectId === undefined) throw new Error('a row belongs to no request')
    if (row.outbox_id === null) {
      prizes.set(request, toLoadedPrize(row))
      continue
    }
    taken.push(request)
    const origin = originOf(request.casinoId, traceparentOf(request))
    works.push({ jobName, outboxId: String(row.outbox_id), objectId, ...origin })
  }
  return { taken, works, prizes }
}
