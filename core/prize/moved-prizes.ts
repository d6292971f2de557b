import { eventsOfHistory, toHistoryJson } from '../event/steps.ts'
import type { Step } from '../event/steps.ts'
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
       ORDER BY prize.casino_id, prize.id FOR UPDATE OF prize
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

/** A change of an order or a cashback, with its effect on the prize. */
interface ChangeWithPrize {
  objectType: 'prize_order' | 'cashback'
  /** As loaded. */
  object: {
    id: string
    state: string
    revision: number
    prizeId: string
    prizeState: string
    prizeRevision: number
  }
  plan: { steps: readonly Step[]; prizeTo?: PrizeState | undefined }
}

/** The input column `history` of a statement with `eventsWithPrizes`: the object's events and its prize's. */
export function historyWithPrize({ objectType, object, plan: { steps, prizeTo } }: ChangeWithPrize): string {
  const { id: objectId, state, revision } = object
  const history = { objectType, objectId, state, revision, steps }
  if (prizeTo === undefined) return toHistoryJson(history)
  return toHistoryJson(history, {
    objectType: 'prize',
    objectId: object.prizeId,
    state: object.prizeState,
    revision: object.prizeRevision,
    steps: [{ event: prizeTo === 'won' ? 'returned' : prizeTo, to: prizeTo }],
  })
}

/**
 * Writes the histories of the objects of `source`, an earlier step (casino_id, history, actor, reason, request_id).
 * `traceparent` is that of each row's cause.
 */
export function eventsWithPrizes(source: string, now: Date, traceparent: Prisma.Sql): Prisma.Sql {
  return sql`event_written AS (
      ${writtenEvents(instant(now), eventsOfHistory(source, traceparent))}
    )`
}
