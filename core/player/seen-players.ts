import { Prisma } from '../platform/database.ts'
import { sql } from '../platform/sql.ts'
import { insertInto } from '../platform/sql-insert.ts'

/**
 * The statement, or the body of a step, that creates rows for new players: those of the query `players` (casino_id,
 * id), in the order of their keys. A `RETURNING` clause may follow.
 */
export function seenPlayers(players: Prisma.Sql): Prisma.Sql {
  return sql`${insertInto('player', {
    from: sql`(${players}) AS named ORDER BY casino_id, id`,
    columns: { casino_id: sql`casino_id`, id: sql`id` },
  })}
      ON CONFLICT DO NOTHING`
}

/** A step that counts the openings of `source` (casino_id, player_id, seed_id, nonce, client_seed): one per player. */
export function countedOpenings(source: string): Prisma.Sql {
  const opened = Prisma.raw(source)
  return sql`player_moved AS (
      UPDATE player SET opening_count = player.opening_count + 1, seed_id = ${opened}.seed_id, nonce = ${opened}.nonce,
                        seed_client_seed = ${opened}.client_seed
        FROM ${opened} WHERE player.casino_id = ${opened}.casino_id AND player.id = ${opened}.player_id
    )`
}
