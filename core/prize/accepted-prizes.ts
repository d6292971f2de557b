import type { WrittenEvent } from '../event/written-events.ts'
import { claimedKeys } from '../idempotency/claimed-keys.ts'
import type { Operation } from '../idempotency/idempotency.ts'
import type { Prisma } from '../platform/database.ts'
import { sql } from '../platform/sql.ts'
import type { RowLocks } from '../platform/sql.ts'

/**
 * The first steps of every statement that takes prizes from players. From `input` (casino_id, prize_id, revision, key,
 * fingerprint and more) they make `accepted`: the rows whose prize is still as loaded, now locked, and whose
 * idempotency key, if any, they have claimed. Prizes are locked before keys are claimed, both in key order, so that no
 * two statements deadlock.
 *
 * One input may have two rows with the same key and different contents; the fingerprint tells which row got the key.
 */
export function acceptedPrizes(operation: Operation, response: string, locks: RowLocks): Prisma.Sql {
  return sql`prize_locked AS (
      SELECT input.*
        FROM input JOIN prize ON prize.casino_id = input.casino_id AND prize.id = input.prize_id
       WHERE prize.revision = input.revision
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
