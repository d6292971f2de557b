import { Prisma } from '../platform/database.ts'
import { sql } from '../platform/sql.ts'
import type { RowLocks } from '../platform/sql.ts'

/**
 * Steps of the statement of openings. `in_stock` are the rows of `source` (casino_id, box_id, version, position,
 * opening_id, takes_stock, substituted) whose locked stock is as decided: enough is left for the rows that take from
 * it, in the order of their ids, or it is empty for the rows that get the fallback.
 */
export function stockInTurn(source: string, locks: RowLocks): Prisma.Sql {
  return sql`in_turn AS (
      SELECT *,
             row_number() OVER (
               PARTITION BY casino_id, box_id, version, position, takes_stock ORDER BY opening_id
             ) AS place
        FROM ${Prisma.raw(source)}
    ),
    stock_locked AS (
      SELECT casino_id, box_id, version, position, remaining, state FROM box_stock
       WHERE (casino_id, box_id, version, position) IN (
         SELECT casino_id, box_id, version, position FROM in_turn WHERE takes_stock OR substituted
       )
       ORDER BY casino_id, box_id, version, position
         FOR UPDATE ${locks}
    ),
    in_stock AS (
      SELECT in_turn.*
        FROM in_turn LEFT JOIN stock_locked USING (casino_id, box_id, version, position)
       WHERE CASE
               WHEN in_turn.takes_stock THEN stock_locked.state = 'open' AND in_turn.place <= stock_locked.remaining
               WHEN in_turn.substituted THEN stock_locked.state = 'open' AND stock_locked.remaining = 0
               ELSE true
             END
    )`
}

/** Takes the wins of `source` out of their stocks. */
export function stockTaken(source: string): Prisma.Sql {
  return sql`stock_taken AS (
      UPDATE box_stock SET remaining = box_stock.remaining - taken.count
        FROM (
          SELECT casino_id, box_id, version, position, count(*)::int AS count
            FROM ${Prisma.raw(source)} WHERE takes_stock GROUP BY casino_id, box_id, version, position
        ) AS taken
       WHERE box_stock.casino_id = taken.casino_id AND box_stock.box_id = taken.box_id
         AND box_stock.version = taken.version AND box_stock.position = taken.position
    )`
}
