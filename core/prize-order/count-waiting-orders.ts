import type { Database } from '../platform/database.ts'
import { pollProblems } from './poll-problem.ts'
import type { PollProblem } from './poll-problem.ts'

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

/** How long what contradicts an order is counted: nobody says that it was dealt with. */
export const contradictedForMs = 7 * 24 * 3_600_000

/**
 * How many orders of all casinos a provider leaves people to look into: those that it knows nothing of or says nothing
 * about (poll-problem.ts), and those that it has contradicted lately. Partial indexes hold nothing else.
 */
export async function countDoubtfulOrders(
  database: Database,
): Promise<ReadonlyMap<PollProblem | 'contradicted', number>> {
  const rows = await database.$queryRaw<{ problem: PollProblem | 'contradicted'; count: number }[]>`
    SELECT problem, count(*)::int AS count FROM prize_order
     WHERE problem IN ('parcel_unknown', 'provider_silent') GROUP BY problem
     UNION ALL
    SELECT 'contradicted', count(DISTINCT (casino_id, order_id))::int FROM partner_event
     WHERE outcome = 'noted' AND received_at > now() - ${contradictedForMs}::float8 * interval '1 millisecond'`
  const counts = new Map(rows.map(({ problem, count }) => [problem, count]))
  return new Map(
    ([...pollProblems, 'contradicted'] as const).map((problem) => [problem, counts.get(problem) ?? 0]),
  )
}
