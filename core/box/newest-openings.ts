import type { Prisma } from '../platform/database.ts'
import { sql } from '../platform/sql.ts'

/**
 * SQL: a player's newest openings of a box since a time, up to `max`, without columns: to be counted. Only the index with
 * the time has this order. A plan for any values expects one opening of a player, so without the order each index with the
 * player costs the same, and with another one each box would read all of the player's openings.
 */
export function newestOpenings({
  casinoId,
  playerId,
  boxId,
  since,
  max,
}: Record<'casinoId' | 'playerId' | 'boxId' | 'since' | 'max', Prisma.Sql>): Prisma.Sql {
  return sql`(
    SELECT FROM opening
     WHERE opening.casino_id = ${casinoId} AND opening.player_id = ${playerId}
       AND opening.box_id = ${boxId} AND opening.opened_at >= ${since}
     ORDER BY opening.opened_at DESC LIMIT ${max})`
}
