import type { Database } from '../platform/database.ts'
import { singleRow } from '../platform/single-row.ts'
import { batchInput, instant, sql, text } from '../platform/sql.ts'
import { isNotSetAside, workAroundDamage } from '../set-aside/set-aside.ts'
import type { Found, SetAsideDeps } from '../set-aside/set-aside.ts'

/** What one statement moves in a few dozen milliseconds. */
const expiredAtOnceMax = 500

/**
 * Expires prizes whose time to claim has run out, those that have waited longest first, and lets what came out of a
 * limited stock be won once more. Any number of processes may do it at once; whoever orders a prize or takes its cashback
 * at the same moment either comes first or finds it expired. Returns how many were expired.
 *
 * What comes back goes to the entry that has the stock by now: a later version may have gone on with it. Where that
 * happens just then, the prize is left for the next time.
 *
 * Stocks are locked before prizes, as everywhere. Prizes that somebody else holds are left for the next time: they may be
 * claimed by then.
 */
export async function expirePrizes(deps: SetAsideDeps): Promise<number> {
  const now = deps.clock.now()
  const isWanted = isNotSetAside('expire-prizes', now, { casinoId: sql`prize.casino_id`, id: sql`prize.id` })
  const due = await deps.database.$queryRaw<Found[]>`
    SELECT casino_id AS "casinoId", id FROM prize
     WHERE state = 'won' AND expires_at IS NOT NULL AND expires_at <= ${instant(now)} AND ${isWanted}
     ORDER BY expires_at
     LIMIT ${expiredAtOnceMax}::int`
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
    taken_from AS (
      SELECT due.casino_id, due.id, drawn.box_id, holder.version, holder.position
        FROM due
        JOIN opening ON opening.id = due.opening_id AND opening.casino_id = due.casino_id
        JOIN box_entry AS drawn
          ON drawn.casino_id = opening.casino_id AND drawn.box_id = opening.box_id
         AND drawn.version = opening.version AND drawn.position = opening.position
       CROSS JOIN LATERAL (
         SELECT drawn.version, drawn.position
          UNION ALL
         SELECT later.version, later.position FROM box_entry AS later
          WHERE later.casino_id = drawn.casino_id AND later.box_id = drawn.box_id
            AND later.stock_of_version = coalesce(drawn.stock_of_version, drawn.version)
            AND later.stock_of_position = coalesce(drawn.stock_of_position, drawn.position)
          ORDER BY version DESC
          LIMIT 1
       ) AS holder
       WHERE NOT opening.substituted
    ),
    stock_locked AS (
      SELECT casino_id, box_id, version, position, state FROM box_stock
       WHERE (casino_id, box_id, version, position) IN (
         SELECT casino_id, box_id, version, position FROM taken_from
       )
       ORDER BY casino_id, box_id, version, position
         FOR UPDATE
    ),
    prize_locked AS (
      SELECT prize.casino_id, prize.id, prize.revision
        FROM due JOIN prize ON prize.casino_id = due.casino_id AND prize.id = due.id
       WHERE prize.state = 'won' AND prize.expires_at <= ${instant(now)}
         AND (SELECT count(*) FROM stock_locked) >= 0 -- so that stocks are locked by now
         AND NOT EXISTS (
           SELECT FROM taken_from JOIN stock_locked USING (casino_id, box_id, version, position)
            WHERE taken_from.casino_id = due.casino_id AND taken_from.id = due.id AND stock_locked.state = 'carried'
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
    prize_expired AS (
      UPDATE prize SET state = 'expired', stock_returned = expiring.returns_stock, revision = prize.revision + 1,
                       updated_at = ${instant(now)}
        FROM expiring WHERE prize.casino_id = expiring.casino_id AND prize.id = expiring.id
    ),
    stock_returned AS (
      UPDATE box_stock SET overdrawn = greatest(box_stock.overdrawn - returned.count, 0),
                           remaining = least(
                             box_stock.remaining + greatest(returned.count - box_stock.overdrawn, 0), box_entry.stock
                           )
        FROM (
          SELECT casino_id, box_id, version, position, count(*)::int AS count
            FROM expiring WHERE returns_stock GROUP BY casino_id, box_id, version, position
        ) AS returned
        JOIN box_entry USING (casino_id, box_id, version, position)
       WHERE box_stock.casino_id = returned.casino_id AND box_stock.box_id = returned.box_id
         AND box_stock.version = returned.version AND box_stock.position = returned.position
    ),
    event_written AS (
      INSERT INTO event (casino_id, object_type, object_id, sequence, type, from_state, to_state, actor, data, created_at)
      SELECT casino_id, 'prize', id, revision + 1, 'prize.expired', 'won', 'expired', 'worker',
             jsonb_build_object('stock_returned', returns_stock), ${instant(now)}
        FROM expiring
    )
    SELECT count(*)::int AS count FROM expiring`
  return singleRow(rows).count
}
