import type { Database } from '../platform/database.ts'
import { singleRow } from '../platform/single-row.ts'
import { batchInput, instant, sql, text } from '../platform/sql.ts'
import { isNotSetAside, workAroundDamage } from '../set-aside/set-aside.ts'
import { expiredPrizes } from '../prize/expired-prizes.ts'
import { findDue } from '../set-aside/find-due.ts'
import type { Found, SetAsideDeps } from '../set-aside/set-aside.ts'
import { stockOfDue, stockReturned } from './returned-stock.ts'

/** What one statement moves in a few dozen milliseconds. */
const expiredAtOnceMax = 500

/**
 * Expires prizes whose time to claim has run out, of each casino its share, and lets what came out of a limited stock be
 * won once more. Any number of processes may do it at once; whoever orders a prize or takes its cashback
 * at the same moment either comes first or finds it expired. Returns how many were expired.
 *
 * What comes back goes to the entry that has the stock by now: a later version may have gone on with it. Where that
 * happens just then, the prize is left for the next time.
 *
 * Stocks are locked before prizes, as everywhere. Nothing waits for a lock: a prize that somebody else holds, or whose
 * stock somebody holds, is left for the next time. It may be claimed by then.
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
