import type { Database } from '../platform/database.ts'
import { singleRow } from '../platform/single-row.ts'
import { batchInput, instant, sql, text } from '../platform/sql.ts'
import { isNotSetAside, workAroundDamage } from '../set-aside/set-aside.ts'
import { expiredPrizes } from '../prize/expired-prizes.ts'
import { findDue } from '../set-aside/find-due.ts'
import type { Found, SetAsideDeps } from '../set-aside/set-aside.ts'
import { stockOfDue, stockReturned } from './returned-stock.ts'

/** One statement moves this many in a few dozen milliseconds. */
const expiredAtOnceMax = 500

/**
 * Expires prizes after their last day, a share per casino, and returns limited stock. Any number of processes may run
 * it at the same time. An order or a cashback at the same moment either comes first or finds the prize expired. Returns the
 * number of expired prizes.
 *
 * A returned item goes to the entry that holds the stock now: a later version may have taken it over. If that happens
 * at the same moment, the prize is left for the next run.
 *
 * Stocks are locked before prizes, as everywhere. It never waits for locks: a prize that is locked, or whose stock is,
 * is left for the next run, and may have been claimed by then.
 */
export async function expirePrizes(deps: SetAsideDeps): Promise<number> {
  const now = deps.clock.now()
  const isWanted = isNotSetAside('expire-prizes', now, { casinoId: sql`prize.casino_id`, id: sql`prize.id` })
  const due = await findDue(deps.database, {
    casinos: sql`(SELECT id AS casino_id FROM casino) AS input`,
    due: sql`
      SELECT prize.casino_id, prize.id, prize.expires_at AS due_at FROM prize
       WHERE prize.casino_id = input.casino_id AND prize.state = 'won' AND prize.expires_at IS NOT NULL
         AND prize.expires_at <= ${instant(now)} AND ${isWanted}`,
    max: expiredAtOnceMax,
  })
  return workAroundDamage(deps, 'expire-prizes', due, (found) => expire(deps.database, now, found))
}

async function expire(database: Database, now: Date, found: readonly Found[]): Promise<number> {
  const rows = await database.$queryRaw<{ count: number }[]>`
    WITH due AS (
      SELECT prize.casino_id, prize.id, prize.opening_id
        FROM ${batchInput(found, { casino_id: text((prize) => prize.casinoId), id: text((prize) => prize.id) })}
        JOIN prize ON prize.casino_id = input.casino_id AND prize.id = input.id
       WHERE prize.state = 'won'
    ),
    ${stockOfDue},
    prize_locked AS (
      SELECT prize.casino_id, prize.id, prize.revision
        FROM due JOIN prize ON prize.casino_id = due.casino_id AND prize.id = due.id
       WHERE prize.state = 'won' AND prize.expires_at <= ${instant(now)}
         AND (SELECT count(*) FROM stock_locked) >= 0 -- so that stocks are locked by now
         AND NOT EXISTS (
           SELECT FROM taken_from LEFT JOIN stock_locked USING (casino_id, box_id, version, position)
            WHERE taken_from.casino_id = due.casino_id AND taken_from.id = due.id AND taken_from.has_stock
              AND (stock_locked.box_id IS NULL OR stock_locked.state = 'carried') -- held by somebody, or carried on
         )
       ORDER BY prize.casino_id, prize.id
         FOR UPDATE OF prize SKIP LOCKED
    ),
    expiring AS (
      SELECT prize_locked.casino_id, prize_locked.id, prize_locked.revision, taken_from.box_id, taken_from.version,
             taken_from.position, stock_locked.box_id IS NOT NULL AS returns_stock
        FROM prize_locked
        LEFT JOIN taken_from USING (casino_id, id)
        LEFT JOIN stock_locked USING (casino_id, box_id, version, position)
    ),
    ${expiredPrizes('expiring', now)},
    ${stockReturned}
    SELECT count(*)::int AS count FROM expiring`
  return singleRow(rows).count
}
