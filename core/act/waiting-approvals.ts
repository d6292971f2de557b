import type { Database } from '../platform/database.ts'
import { isChosen, waitingCasinosMax, waitingMax } from '../platform/waiting-work.ts'
import type { CasinoChoice, WaitingWork } from '../platform/waiting-work.ts'

/** Acts that wait for a second person, by casino, since the oldest was made. */
export async function findWaitingApprovals(
  database: Database,
  casinos: CasinoChoice,
): Promise<WaitingWork[]> {
  return database.$queryRaw<WaitingWork[]>`
    SELECT casino.id AS "casinoId", waiting.count, waiting.since AS "oldestAt"
      FROM casino
     CROSS JOIN LATERAL (
       SELECT count(*)::int AS count, min(created_at) AS since
         FROM (
           SELECT created_at FROM act
            WHERE act.casino_id = casino.id AND act.state = 'pending_approval'
            ORDER BY id LIMIT ${waitingMax + 1}::int
         ) AS first
     ) AS waiting
     WHERE ${isChosen(casinos)} AND waiting.since IS NOT NULL
     ORDER BY waiting.since LIMIT ${waitingCasinosMax}::int`
}
