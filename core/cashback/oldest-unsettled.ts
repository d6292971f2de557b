import type { Database } from '../platform/database.ts'
import type { WaitingCasino } from '../platform/waiting-casino.ts'

/** Of reversals in a state so many are looked at: those of the cashbacks that were asked for first. */
const reversalsMax = 100

/**
 * The casinos that have waited longest for a cashback to be settled, the longest first: since it was asked for, whatever
 * it waits for (a slot, a pause, a wallet, a worker); a reversal since that was asked for. What is under review waits
 * for people, and sandboxes for nobody. Ids begin with their time, so the first one in a state is the oldest.
 */
export async function findOldestUnsettled(database: Database, max: number): Promise<WaitingCasino[]> {
  return database.$queryRaw<WaitingCasino[]>`
    SELECT casino.id AS "casinoId", extract(epoch FROM now() - min(oldest.since))::float8 AS seconds
      FROM casino
     CROSS JOIN LATERAL (
       SELECT first.created_at AS since
         FROM (VALUES ('requested'), ('processing'), ('unknown')) AS unsettled (state)
        CROSS JOIN LATERAL (
          SELECT created_at FROM cashback
           WHERE cashback.casino_id = casino.id AND cashback.state = unsettled.state ORDER BY cashback.id LIMIT 1
        ) AS first
        UNION ALL
       SELECT asked.created_at
         FROM (VALUES ('reversing'), ('reversal_unknown')) AS unsettled (state)
        CROSS JOIN LATERAL (
          SELECT id FROM cashback
           WHERE cashback.casino_id = casino.id AND cashback.state = unsettled.state
           ORDER BY cashback.id LIMIT ${reversalsMax}::int
        ) AS reversal
        CROSS JOIN LATERAL (
          SELECT created_at FROM event
           WHERE event.casino_id = casino.id AND object_type = 'cashback' AND object_id = reversal.id
             AND from_state = 'credited' AND to_state = 'reversing'
           ORDER BY sequence DESC LIMIT 1
        ) AS asked
     ) AS oldest
     WHERE casino.sandbox_of IS NULL
     GROUP BY casino.id
     ORDER BY seconds DESC LIMIT ${max}::int`
}
