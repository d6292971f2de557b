import type { Database } from '../platform/database.ts'
import type { WaitingCasino } from '../platform/waiting-casino.ts'

/**
 * The casinos that have waited longest for a cashback to be settled, the longest first: since it was asked for, whatever it
 * waits for (a slot, a pause, a wallet, a worker). What is under review waits for people, and sandboxes for nobody. Ids
 * begin with their time, so the first one in a state is the oldest.
 */
export async function findOldestUnsettled(database: Database, max: number): Promise<WaitingCasino[]> {
  return database.$queryRaw<WaitingCasino[]>`
    SELECT casino.id AS "casinoId", extract(epoch FROM now() - min(oldest.created_at))::float8 AS seconds
      FROM casino
     CROSS JOIN (VALUES ('requested'), ('processing'), ('unknown')) AS unsettled (state)
     CROSS JOIN LATERAL (
       SELECT created_at FROM cashback
        WHERE cashback.casino_id = casino.id AND cashback.state = unsettled.state ORDER BY cashback.id LIMIT 1
     ) AS oldest
     WHERE casino.sandbox_of IS NULL
     GROUP BY casino.id
     ORDER BY seconds DESC LIMIT ${max}::int`
}
