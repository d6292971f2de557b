import type { Database } from '../platform/database.ts'

/** What people must settle. Orders that wait for their confirmation have reminders. */
const openStates = ['held', 'exception', 'cancel_requested'] as const

/** How many orders there are in each of those states, of all casinos; `held` are the confirmed ones that a hold keeps back. */
export async function countOpenOrders(
  database: Database,
): Promise<ReadonlyMap<(typeof openStates)[number], number>> {
  const rows = await database.$queryRaw<{ state: string; count: bigint }[]>`
    SELECT state, count(*) AS count FROM prize_order WHERE state IN ('exception', 'cancel_requested') GROUP BY state
     UNION ALL
    SELECT 'held', count(DISTINCT order_hold.order_id)
      FROM order_hold JOIN prize_order ON prize_order.id = order_hold.order_id
     WHERE order_hold.released_at IS NULL AND prize_order.state = 'confirmed'`
  const counts = new Map(rows.map(({ state, count }) => [state, Number(count)]))
  return new Map(openStates.map((state) => [state, counts.get(state) ?? 0]))
}
