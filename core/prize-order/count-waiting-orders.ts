import { cappedCount, countedMax } from '../platform/capped-count.ts'
import type { Database } from '../platform/database.ts'
import { singleRow } from '../platform/single-row.ts'
import { sql } from '../platform/sql.ts'
import { pollProblems } from './poll-problem.ts'
import type { PollProblem } from './poll-problem.ts'

/** Longer than a weekend: by then an operator should have seen the order. */
export const waitingLongMs = 3 * 24 * 3_600_000

/**
 * The number of orders, of all casinos, that were placed longer ago than `waitingLongMs` and still wait for operators:
 * `unconfirmed`, and `unshipped`, which the provider `manual` has not sent. Ids begin with their creation time in
 * milliseconds (UUID version 7), so indexes find the old ones. Counted up to `countedMax`.
 */
export async function countWaitingOrders(
  database: Database,
): Promise<ReadonlyMap<'unconfirmed' | 'unshipped', number>> {
  const before = sql`'ord_' || lpad(to_hex((extract(epoch FROM now()) * 1000)::bigint - ${waitingLongMs}::bigint), 12, '0')`
  const rows = await database.$queryRaw<{ unconfirmed: number; unshipped: number }[]>`
    SELECT ${cappedCount(sql`
             SELECT FROM casino
              CROSS JOIN LATERAL (
                SELECT FROM prize_order
                 WHERE casino_id = casino.id AND state = 'pending_confirmation' AND prize_order.id < ${before}
                 LIMIT ${countedMax}::int
              ) AS waiting`)} AS unconfirmed,
           ${cappedCount(sql`
             SELECT FROM prize_order
              WHERE provider = 'manual' AND state IN ('submitted', 'processing') AND id < ${before}`)} AS unshipped`
  const { unconfirmed, unshipped } = singleRow(rows)
  return new Map([
    ['unconfirmed', unconfirmed],
    ['unshipped', unshipped],
  ])
}

/** Contradicted orders are counted for this long: nothing records that an operator has dealt with them. */
export const contradictedForMs = 7 * 24 * 3_600_000

/**
 * The number of orders, of all casinos, that operators must clarify with the provider: parcels that it does not know or
 * reports nothing about (poll-problem.ts), and recent contradictions. Partial indexes hold nothing else.
 */
export async function countDoubtfulOrders(
  database: Database,
): Promise<ReadonlyMap<PollProblem | 'contradicted', number>> {
  const lately = sql`now() - ${contradictedForMs}::float8 * interval '1 millisecond'`
  const rows = await database.$queryRaw<Record<PollProblem | 'contradicted', number>[]>`
    SELECT ${cappedCount(sql`SELECT FROM prize_order WHERE problem = 'parcel_unknown'`)} AS parcel_unknown,
           ${cappedCount(sql`SELECT FROM prize_order WHERE problem = 'provider_silent'`)} AS provider_silent,
           (SELECT count(DISTINCT (casino_id, order_id))::int
              FROM (
                SELECT casino_id, order_id FROM partner_event
                 WHERE outcome = 'noted' AND received_at > ${lately} LIMIT ${countedMax}::int
              ) AS noted) AS contradicted`
  const counts = singleRow(rows)
  return new Map(([...pollProblems, 'contradicted'] as const).map((problem) => [problem, counts[problem]]))
}
