import { stepRows } from '../event/steps.ts'
import { writtenEvents } from '../event/written-events.ts'
import { Prisma } from '../platform/database.ts'
import { instant, sql } from '../platform/sql.ts'
import { claimGrace } from './claim-grace.ts'
import type { PrizeState } from './state.ts'

/**
 * Steps of statements in which an order or a cashback moves its prize. Their rows have casino_id, prize_id,
 * prize_revision, and the prize's states in prize_from and prize_to, or null in prize_to to keep the state.
 */

/** Locks the prizes that `input` moves and that are still as loaded, in key order. */
export const lockedPrizes = sql`prize_locked AS (
      SELECT prize.casino_id, prize.id
        FROM prize JOIN input ON prize.casino_id = input.casino_id AND prize.id = input.prize_id
       WHERE prize.revision = input.prize_revision AND input.prize_to IS NOT NULL
       ORDER BY prize.casino_id, prize.id
         FOR UPDATE OF prize
    )`

/** Moves the prizes of `source`, an earlier step (casino_id, prize_id), to one state; never back to their players. */
export function prizesMovedTo(state: Exclude<PrizeState, 'won'>, source: string, now: Date): Prisma.Sql {
  const moved = Prisma.raw(source)
  return sql`prize_moved AS (
      UPDATE prize SET state = ${Prisma.raw(`'${state}'`)}, revision = prize.revision + 1, updated_at = ${instant(now)}
        FROM ${moved} WHERE prize.casino_id = ${moved}.casino_id AND prize.id = ${moved}.prize_id
    )`
}

/** Moves the prizes of `source`, an earlier step. */
export function movedPrizes(source: string, now: Date): Prisma.Sql {
  const moved = Prisma.raw(source)
  return sql`prize_moved AS (
      UPDATE prize
         SET state = prize_to, revision = prize.revision + 1, updated_at = ${instant(now)},
             ${claimGrace(now)}
        FROM ${moved}
       WHERE prize.casino_id = ${moved}.casino_id AND prize.id = ${moved}.prize_id AND prize_to IS NOT NULL
    )`
}

/** The order in which the events of a change are written. */
const inOrder = {
  prize_order: sql`change ORDER BY object_type DESC, object_id, sequence`,
  cashback: sql`change ORDER BY object_type, object_id, sequence`,
}

/** The columns of `change` as the event's. */
const changeWritten = {
  objectType: sql`object_type`,
  objectId: sql`object_id`,
  sequence: sql`sequence`,
  type: sql`type`,
  fromState: sql`from_state`,
  toState: sql`to_state`,
  actor: sql`actor`,
  reason: sql`reason`,
  requestId: sql`request_id`,
  data: sql`data`,
}

/**
 * Writes the histories of the objects of `source` (also revision, steps as `toStepsJson`, actor, reason, request_id,
 * and the object's id in `objectId`), and then of their prizes; for each object in the order of its steps.
 */
export function eventsWithPrizes(
  source: string,
  { objectType, objectId }: { objectType: 'prize_order' | 'cashback'; objectId: string },
  now: Date,
): Prisma.Sql {
  const [changed, type] = [Prisma.raw(source), Prisma.raw(objectType)]
  return sql`change AS (
      SELECT casino_id, '${type}' AS object_type, ${Prisma.raw(objectId)} AS object_id,
             revision + step.place AS sequence,
             '${type}.' || step.event AS type, step.from_state, step.to_state, actor, reason, request_id, step.data
        FROM ${changed}
       CROSS JOIN LATERAL ${stepRows}
       UNION ALL
      SELECT casino_id, 'prize', prize_id, prize_revision + 1,
             CASE prize_to WHEN 'won' THEN 'prize.returned' ELSE 'prize.' || prize_to END,
             prize_from, prize_to, actor, reason, request_id, NULL
        FROM ${changed} WHERE prize_to IS NOT NULL
    ),
    event_written AS (
      ${writtenEvents(instant(now), { ...changeWritten, from: inOrder[objectType] })}
    )`
}
