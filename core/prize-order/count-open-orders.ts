import { cappedCount } from '../platform/capped-count.ts'
import type { Database } from '../platform/database.ts'
import { singleRow } from '../platform/single-row.ts'
import { sql } from '../platform/sql.ts'

/** States that operators must resolve. Orders that wait for confirmation have reminders. */
const openStates = ['held', 'exception', 'cancel_requested'] as const

/** The number of holds examined for those of confirmed orders. */
const holdsMax = 100_000

/**
 * The number of orders in each of those states, of all casinos, up to `countedMax`; `held` counts confirmed orders with
 * a hold.
 */
export async function countOpenOrders(
  database: Database,
): Promise<ReadonlyMap<(typeof openStates)[number], number>> {
  const rows = await database.$queryRaw<Record<(typeof openStates)[number], number>[]>`
    SELECT ${cappedCount(sql`SELECT FROM prize_order WHERE state = 'exception'`)} AS exception,
           ${cappedCount(sql`SELECT FROM prize_order WHERE state = 'cancel_requested'`)} AS cancel_requested,
           ${cappedCount(sql`
             SELECT FROM (
               SELECT order_id FROM order_hold
                WHERE released_at IS NULL GROUP BY casino_id, order_id LIMIT ${holdsMax}::int
             ) AS hold
               JOIN prize_order ON prize_order.id = hold.order_id
              WHERE prize_order.state = 'confirmed'`)} AS held`
  const counts = singleRow(rows)
  return new Map(openStates.map((state) => [state, counts[state]]))
}
