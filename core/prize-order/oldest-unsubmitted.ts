import type { Database } from '../platform/database.ts'
import type { WaitingCasino } from '../platform/waiting-casino.ts'

/** Beyond so many that wait in a casino, those that were placed first tell enough. */
const ordersMax = 100
/** So many are looked at for those that no hold keeps back: as many as are counted of those that people must settle. */
const lookedAtMax = 10_000

/**
 * The casinos that have waited longest for an order to be submitted, the longest first: since it was confirmed, whatever it
 * waits for (a slot, a pause, a worker). Orders that are held wait for people, and sandboxes for nobody.
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
