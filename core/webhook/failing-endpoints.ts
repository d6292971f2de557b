import type { Database } from '../platform/database.ts'
import { isChosen, waitingCasinosMax, waitingMax } from '../platform/waiting-work.ts'
import type { CasinoChoice, WaitingWork } from '../platform/waiting-work.ts'

/**
 * Endpoints that nothing gets through to, and those that a worker has disabled for that, by casino. An endpoint that an
 * operator has disabled needs no attention.
 */
export async function findFailingEndpoints(
  database: Database,
  casinos: CasinoChoice,
): Promise<WaitingWork[]> {
  return database.$queryRaw<WaitingWork[]>`
    SELECT casino.id AS "casinoId", failing.count, failing.since AS "oldestAt"
      FROM casino
     CROSS JOIN LATERAL (
       SELECT count(*)::int AS count, min(since) AS since
         FROM (
           SELECT coalesce(failing_since, updated_at) AS since FROM webhook_endpoint AS endpoint
            WHERE endpoint.casino_id = casino.id
              AND (state = 'enabled' AND failing_since IS NOT NULL
                   OR state = 'disabled' AND disabled_reason IN ('failing', 'gone'))
            LIMIT ${waitingMax + 1}::int
         ) AS endpoint
     ) AS failing
     WHERE ${isChosen(casinos)} AND failing.since IS NOT NULL
     ORDER BY failing.since LIMIT ${waitingCasinosMax}::int`
}
