import type { Database } from '../platform/database.ts'
import type { Prisma } from '../platform/database.ts'
import { singleRow } from '../platform/single-row.ts'
import { batchInput, instant, sql, text, textArray, timestamptz } from '../platform/sql.ts'

/** What one statement erases in a few dozen milliseconds. */
const erasedAtOnceMax = 500

export interface ErasableCasino {
  casinoId: string
  /** What was finished before this is due. */
  finishedBefore: Date
}

/**
 * Erases delivery details of orders that were finished long enough ago, and what the provider wrote of them: data key and
 * ciphertext, tracking numbers, reasons. The orders themselves stay. Returns how many there were; while it is as many as
 * one statement takes, there may be more.
 */
export async function eraseFinishedDeliveries(
  database: Database,
  now: Date,
  casinos: readonly ErasableCasino[],
): Promise<number> {
  const due = sql`
    SELECT due.id
      FROM ${batchInput(casinos, {
        casino_id: text((casino) => casino.casinoId),
        finished_before: timestamptz((casino) => casino.finishedBefore),
      })}
     CROSS JOIN LATERAL (
       SELECT id FROM prize_order
        WHERE prize_order.casino_id = input.casino_id AND prize_order.ended_at < input.finished_before
          AND prize_order.delivery_key IS NOT NULL
        ORDER BY prize_order.ended_at
        LIMIT ${erasedAtOnceMax}::int
     ) AS due
     LIMIT ${erasedAtOnceMax}::int`
  return erase(database, now, due, { actor: 'worker', reason: null, requestId: null })
}

/** Who wants it and why, for the history. */
export interface EraseWish {
  actor: string
  reason: string | null
  requestId: string | null
}

/** The same for one player's finished orders that were placed before `placedBefore`, however lately they were finished. */
export async function erasePlayerDeliveries(
  database: Database,
  now: Date,
  player: { casinoId: string; playerId: string; placedBefore: Date },
  wish: EraseWish,
): Promise<number> {
  const due = sql`
    SELECT id FROM prize_order
     WHERE casino_id = ${player.casinoId}::text AND player_id = ${player.playerId}::text
       AND created_at <= ${instant(player.placedBefore)} AND ended_at IS NOT NULL AND delivery_key IS NOT NULL
     LIMIT ${erasedAtOnceMax}::int`
  return erase(database, now, due, wish)
}

/**
 * The orders are locked by a statement of their own: news on its way holds a shared lock on its order (shipment-news.ts), so
 * the statement that erases begins when all of it is there to be erased, and what comes later finds the order erased.
 */
async function erase(
  database: Database,
  now: Date,
  due: Prisma.Sql,
  { actor, reason, requestId }: EraseWish,
): Promise<number> {
  const found = await database.$queryRaw<{ id: string }[]>`${due}`
  if (found.length === 0) return 0
  const ids = found.map(({ id }) => id)
  const [, rows] = await database.$transaction([
    database.$queryRaw`SELECT id FROM prize_order WHERE id = ANY(${textArray(ids)}) ORDER BY id FOR UPDATE`,
    database.$queryRaw<{ count: number }[]>`
      WITH erasable AS (
        SELECT id, casino_id, state, revision FROM prize_order
         WHERE id = ANY(${textArray(ids)}) AND ended_at IS NOT NULL AND delivery_key IS NOT NULL
         ORDER BY id
           FOR UPDATE
      ),
      delivery_erased AS (
        UPDATE prize_order
           SET delivery_ciphertext = '', delivery_key = NULL, delivery_key_id = NULL, carrier = NULL,
               tracking_number = NULL, revision = prize_order.revision + 1
          FROM erasable WHERE prize_order.id = erasable.id
      ),
      news_erased AS (
        UPDATE partner_event SET carrier = NULL, tracking_number = NULL, reason = NULL
          FROM erasable
         WHERE partner_event.casino_id = erasable.casino_id AND partner_event.order_id = erasable.id
           AND num_nonnulls(partner_event.carrier, partner_event.tracking_number, partner_event.reason) > 0
      ),
      event_written AS (
        INSERT INTO event (casino_id, object_type, object_id, sequence, type, from_state, to_state, actor, reason,
                           request_id, created_at)
        SELECT casino_id, 'prize_order', id, revision + 1, 'prize_order.delivery_erased', state, state, ${actor}::text,
               ${reason}::text, ${requestId}::text, ${instant(now)}
          FROM erasable
      )
      SELECT count(*)::int AS count FROM erasable`,
  ])
  return singleRow(rows).count
}
