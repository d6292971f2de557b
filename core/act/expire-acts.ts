import { batchInput, instant, sql, text } from '../platform/sql.ts'
import { singleRow } from '../platform/single-row.ts'
import { isNotSetAside, workAroundDamage } from '../set-aside/set-aside.ts'
import type { Found, SetAsideDeps } from '../set-aside/set-aside.ts'

/** Each may have a thousand objects, whose rows change too; most have a few dozen. */
const batchSizeMax = 100

/**
 * Ends acts that were not started, approved or declined in time: their objects are skipped. Returns the number, and must
 * be called again while there are more. Any number of workers may run it at the same time: each skips locked rows.
 */
export async function expireActs(deps: SetAsideDeps): Promise<number> {
  const { database, clock } = deps
  const now = clock.now()
  const isDue = sql`act.state IN ('previewed', 'pending_approval') AND act.expires_at <= ${instant(now)}`
  const isWanted = isNotSetAside('expire-acts', now, { casinoId: sql`act.casino_id`, id: sql`act.id` })
  const found = await database.$queryRaw<Found[]>`
    SELECT casino_id AS "casinoId", id FROM act
     WHERE ${isDue} AND ${isWanted}
     ORDER BY expires_at
     LIMIT ${batchSizeMax}::int
       FOR UPDATE SKIP LOCKED`
  return workAroundDamage(deps, 'expire-acts', found, async (some) => {
    const rows = await database.$queryRaw<{ count: number }[]>`
      WITH act_locked AS (
        SELECT act.id
          FROM ${batchInput(some, { id: text((act) => act.id) })}
          JOIN act ON act.id = input.id
         WHERE ${isDue}
           FOR UPDATE OF act SKIP LOCKED
      ),
      act_expired AS (
        UPDATE act
           SET state = 'expired', ended_at = ${instant(now)}, skipped_count = object_count - refused_count
          FROM act_locked WHERE act.id = act_locked.id
        RETURNING act.id
      ),
      objects_skipped AS (
        UPDATE act_object SET state = 'skipped', settled_at = ${instant(now)}
          FROM act_expired WHERE act_object.act_id = act_expired.id AND act_object.state = 'waiting'
      )
      SELECT count(*)::int AS count FROM act_expired`
    return singleRow(rows).count
  })
}
