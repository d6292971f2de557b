import { waitingInStates } from '../casino/waiting-in-states.ts'
import type { Database } from '../platform/database.ts'
import { sql } from '../platform/sql.ts'
import { isChosen, waitingCasinosMax, waitingMax } from '../platform/waiting-work.ts'
import type { CasinoChoice, WaitingWork } from '../platform/waiting-work.ts'

/** States in which an order waits for a person. */
const waitingStates = ['pending_confirmation', 'exception', 'cancel_requested'] as const
export type WaitingOrderState = (typeof waitingStates)[number]

/** Orders that wait for a person, by casino and state. */
export async function findWaitingOrders(
  database: Database,
  casinos: CasinoChoice,
): Promise<(WaitingWork & { state: WaitingOrderState })[]> {
  const found = waitingInStates({
    table: sql`prize_order`,
    objectType: 'prize_order',
    states: waitingStates,
    casinos,
  })
  return database.$queryRaw<(WaitingWork & { state: WaitingOrderState })[]>`${found}`
}

/** Open holds that are looked at for those of confirmed orders; an unconfirmed order is counted as such. */
const holdsMax = 2 * waitingMax

/** Confirmed orders that a hold keeps back, by casino, and since when the oldest has been held. */
export async function findHeldOrders(database: Database, casinos: CasinoChoice): Promise<WaitingWork[]> {
  return database.$queryRaw<WaitingWork[]>`
    SELECT casino.id AS "casinoId", held.count, held.since AS "oldestAt"
      FROM casino
     CROSS JOIN LATERAL (
       SELECT least(count(DISTINCT hold.order_id), ${waitingMax + 1}::int)::int AS count, min(hold.placed_at) AS since
         FROM (
           SELECT order_id, placed_at FROM order_hold
            WHERE order_hold.casino_id = casino.id AND released_at IS NULL
            ORDER BY order_id LIMIT ${holdsMax}::int
         ) AS hold
         JOIN prize_order ON prize_order.id = hold.order_id
        WHERE prize_order.state = 'confirmed'
     ) AS held
     WHERE ${isChosen(casinos)} AND held.since IS NOT NULL
     ORDER BY held.since LIMIT ${waitingCasinosMax}::int`
}
