import type { Prisma } from '../platform/database.ts'
import { sql } from '../platform/sql.ts'

/**
 * SQL: a player's newest openings of a box since a time, at most so many, without columns: to be counted. Only the index
 * with the time has this order. Without it, a plan for any values sees no difference to another index of the player's
 * openings, with which each box would need all of them.
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
