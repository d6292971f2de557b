import type { Prisma } from '../platform/database.ts'
import { batchInput, instant, sql, text } from '../platform/sql.ts'
import { insertInto, sameColumns } from '../platform/sql-insert.ts'

/** Steps that place the hold of each row of `accepted` (hold_id, hold_reason, by actor), and release others. */
export function changedHolds(
  released: readonly { orderId: string; reason: string }[],
  now: Date,
): Prisma.Sql {
  return sql`hold_placed AS (
      ${insertInto('order_hold', {
        from: sql`accepted WHERE hold_id IS NOT NULL`,
        columns: {
          id: sql`hold_id`,
          ...sameColumns('casino_id', 'order_id'),
          reason: sql`hold_reason`,
          placed_by: sql`actor`,
          placed_at: instant(now),
        },
      })}
    ),
    hold_released AS (
      UPDATE order_hold SET released_by = accepted.actor, released_at = ${instant(now)}
        FROM accepted
        JOIN ${batchInput(released, {
          order_id: text((hold) => hold.orderId),
          reason: text((hold) => hold.reason),
        })} ON input.order_id = accepted.order_id
       WHERE order_hold.order_id = input.order_id AND order_hold.reason = input.reason
         AND order_hold.released_at IS NULL
    )`
}

/** A step that stores the outcomes of the shipment updates of `accepted`. */
export function settledUpdates(
  updates: readonly { orderId: string; id: string; outcome: string }[],
): Prisma.Sql {
  return sql`updates_settled AS (
      UPDATE partner_event SET outcome = input.outcome
        FROM accepted
        JOIN ${batchInput(updates, {
          order_id: text((piece) => piece.orderId),
          id: text((piece) => piece.id),
          outcome: text((piece) => piece.outcome),
        })} ON input.order_id = accepted.order_id
       WHERE partner_event.casino_id = accepted.casino_id AND partner_event.id = input.id
    )`
}
