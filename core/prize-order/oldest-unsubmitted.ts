import type { Database } from '../platform/database.ts'
import type { WaitingCasino } from '../platform/waiting-casino.ts'

/** The number of orders examined per casino, oldest first. */
const ordersMax = 100
/** The number of orders examined for those without a hold; the same limit as for open orders. */
const lookedAtMax = 10_000

/**
 * The casinos whose confirmed orders have waited longest to be submitted, longest first. The wait starts at the
 * confirmation, and its cause (slot, pause, worker) does not matter. Held orders wait for operators and are left out,
 * as are sandboxes.
 */
export async function findOldestUnsubmitted(database: Database, max: number): Promise<WaitingCasino[]> {
  return database.$queryRaw<WaitingCasino[]>`
    SELECT casino.id AS "casinoId", extract(epoch FROM now() - min(confirmed.created_at))::float8 AS seconds
      FROM casino
     CROSS JOIN LATERAL (
       SELECT looked_at.id
         FROM (
           SELECT id FROM prize_order
            WHERE casino_id = casino.id AND state = 'confirmed' ORDER BY id LIMIT ${lookedAtMax}::int
         ) AS looked_at
        WHERE NOT EXISTS (SELECT FROM order_hold WHERE order_id = looked_at.id AND released_at IS NULL)
        LIMIT ${ordersMax}::int
     ) AS waiting
     CROSS JOIN LATERAL (
       SELECT created_at FROM event
        WHERE event.casino_id = casino.id AND object_type = 'prize_order' AND object_id = waiting.id
          AND to_state = 'confirmed' AND from_state IS DISTINCT FROM 'confirmed'
        ORDER BY sequence DESC LIMIT 1
     ) AS confirmed
     WHERE casino.sandbox_of IS NULL
     GROUP BY casino.id
     ORDER BY seconds DESC LIMIT ${max}::int`
}
