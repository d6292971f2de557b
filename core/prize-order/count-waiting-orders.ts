import type { Database } from '../platform/database.ts'

/** Longer than a weekend: by then somebody should have looked at an order. */
export const waitingLongMs = 3 * 24 * 3_600_000

/**
 * How many orders of all casinos were placed longer ago than `waitingLongMs` and still wait for people: `unconfirmed`, and
 * `unshipped`, which were handed to the people who send parcels (the provider `manual`) and have not been sent. Ids begin
 * with the milliseconds at which they were made (UUID version 7), so the index by casino, state and id finds the old ones;
 * nothing is written for this anywhere.
 */
export async function countWaitingOrders(
  database: Database,
): Promise<ReadonlyMap<'unconfirmed' | 'unshipped', number>> {
  const rows = await database.$queryRaw<{ unconfirmed: number; unshipped: number }[]>`
    SELECT coalesce(sum(waiting.unconfirmed), 0)::int AS unconfirmed,
           coalesce(sum(waiting.unshipped), 0)::int AS unshipped
      FROM (
        SELECT 'ord_' || lpad(to_hex((extract(epoch FROM now()) * 1000)::bigint - ${waitingLongMs}::bigint), 12, '0') AS id
      ) AS bound
     CROSS JOIN casino
     CROSS JOIN LATERAL (
       SELECT (SELECT count(*) FROM prize_order
                WHERE casino_id = casino.id AND state = 'pending_confirmation' AND prize_order.id < bound.id) AS unconfirmed,
              (SELECT count(*) FROM prize_order
                WHERE casino_id = casino.id AND state IN ('submitted', 'processing') AND prize_order.id < bound.id
                  AND provider = 'manual') AS unshipped
     ) AS waiting`
  const [{ unconfirmed, unshipped } = { unconfirmed: 0, unshipped: 0 }] = rows
  return new Map([
    ['unconfirmed', unconfirmed],
    ['unshipped', unshipped],
  ])
}
