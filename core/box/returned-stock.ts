import { sql } from '../platform/sql.ts'

/**
 * Steps of the statement that expires the prizes of `due` (casino_id, id, opening_id). `taken_from` tells which of them
 * came from an entry, and which entry holds its stock now (`has_stock` if there is one); `stock_locked` are those
 * stocks that no other transaction holds.
 */
export const stockOfDue = sql`taken_from AS (
      SELECT due.casino_id, due.id, drawn.box_id, holder.version, holder.position,
             stock.version IS NOT NULL AS has_stock
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
        LEFT JOIN box_stock AS stock
          ON stock.casino_id = drawn.casino_id AND stock.box_id = drawn.box_id
         AND stock.version = holder.version AND stock.position = holder.position
       WHERE NOT opening.substituted
    ),
    stock_locked AS (
      SELECT casino_id, box_id, version, position, state FROM box_stock
       WHERE (casino_id, box_id, version, position) IN (
         SELECT casino_id, box_id, version, position FROM taken_from
       )
       ORDER BY casino_id, box_id, version, position
         FOR UPDATE SKIP LOCKED
    )`

/**
 * Returns the prizes of `expiring` (casino_id, box_id, version, position, returns_stock) to their stocks, up to the
 * published number.
 */
export const stockReturned = sql`stock_returned AS (
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
    )`
