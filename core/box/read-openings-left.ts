import type { Database } from '../platform/database.ts'
import { batchInput, instant, int, sql, text } from '../platform/sql.ts'
import type { BoxName } from './box-name.ts'
import type { BoxTerms } from './box.ts'
import { endOfPeriod, startOfPeriod } from './limit-period.ts'
import { newestOpenings } from './newest-openings.ts'

/** How often a player may open a box now, by grants and limit; the box's own state is not considered. */
export interface OpeningsLeft {
  count: number
  /** When the limit of the day or week resets. */
  resetsAt: Date | null
  /** When the first remaining grant expires. */
  expiresAt: Date | null
}

interface Row {
  granted: number
  expiresAt: Date | null
  opened: number
  resetsAt: Date | null
}

/** After a few billion grants, the sum would no longer be exact. */
const countMax = Number.MAX_SAFE_INTEGER

/** The player's remaining openings of each box, in the given order: the data that `loadOpeners` reads, summed up. */
export async function readOpeningsLeft(
  database: Database,
  { casinoId, playerId }: { casinoId: string; playerId: string },
  boxes: readonly (Pick<BoxName, 'boxId'> & Pick<BoxTerms, 'limit'>)[],
  now: Date,
): Promise<readonly OpeningsLeft[]> {
  const columns = { period: sql`input.period`, timeZone: sql`input.time_zone`, now }
  const rows = await database.$queryRaw<Row[]>`
    SELECT grants.granted, grants.expires_at AS "expiresAt", openings.opened, ${endOfPeriod(columns)} AS "resetsAt"
      FROM ${batchInput(boxes, {
        box_id: text(({ boxId }) => boxId),
        period: text(({ limit }) => limit?.period ?? null),
        time_zone: text(({ limit }) => limit?.timeZone ?? null),
        opened_max: int(({ limit }) => limit?.count ?? null),
        position: int((_, index) => index + 1),
      })}
     CROSS JOIN LATERAL (
       SELECT LEAST(COALESCE(sum(opening_grant.count - opening_grant.used), 0), ${String(countMax)}::bigint)::float8 AS granted,
              min(opening_grant.expires_at) AS expires_at
         FROM opening_grant
        WHERE opening_grant.casino_id = ${casinoId}::text AND opening_grant.player_id = ${playerId}::text
          AND opening_grant.box_id = input.box_id AND opening_grant.used < opening_grant.count
          AND (opening_grant.expires_at IS NULL OR opening_grant.expires_at > ${instant(now)})
          AND input.period IS NULL
     ) AS grants
     CROSS JOIN LATERAL (
       SELECT count(*)::int + CASE input.period WHEN 'lifetime' THEN coalesce((
                SELECT archived.openings::int FROM archived_opening_count AS archived
                 WHERE archived.casino_id = ${casinoId}::text AND archived.player_id = ${playerId}::text
                   AND archived.box_id = input.box_id), 0) ELSE 0 END AS opened
         FROM ${newestOpenings({
           casinoId: sql`${casinoId}::text`,
           playerId: sql`${playerId}::text`,
           boxId: sql`input.box_id`,
           since: startOfPeriod(columns),
           max: sql`input.opened_max`,
         })} AS counted
     ) AS openings
     ORDER BY input.position`
  return boxes.map(({ limit }, index) => {
    const row = rows[index]
    if (row === undefined) throw new Error('no row for a box')
    const { granted, opened, expiresAt, resetsAt } = row
    return limit === null
      ? { count: granted, expiresAt, resetsAt: null }
      : { count: Math.max(0, limit.count - opened), expiresAt: null, resetsAt }
  })
}
