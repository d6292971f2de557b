import type { Database } from '../platform/database.ts'
import type { WaitingCasino } from '../platform/waiting-casino.ts'

/** The number of reversals examined per state, oldest cashbacks first. */
const reversalsMax = 100

/**
 * The casinos whose cashbacks have waited longest for a result, longest first. The wait starts at the request, or at
 * the request for the reversal, and its cause (slot, pause, wallet, worker) does not matter. Cashbacks under review
 * wait for operators and are left out, as are sandboxes. Ids start with their time, so the first one in a state is the
 * oldest.
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
