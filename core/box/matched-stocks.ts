import { sql } from '../platform/sql.ts'

/**
 * Steps of the statement that publishes the version `box_moved`, with the entries `input`, over one with the stocks
 * `stock_locked`. `matched` has each new limited entry with the earlier one whose stock it takes over, and the earlier
 * ones without a successor. Entries of one item are matched first by weight and stock, then by weight, then by the size
 * of their stocks, largest first.
 */
export const matchedStocks = sql`before AS (
      SELECT box_entry.position, box_entry.item_id, stock_locked.remaining,
             stock_locked.remaining::bigint - stock_locked.overdrawn - box_entry.stock AS less_won,
             coalesce(box_entry.stock_of_version, box_entry.version) AS stock_of_version,
             coalesce(box_entry.stock_of_position, box_entry.position) AS stock_of_position,
             box_entry.weight, box_entry.stock
        FROM box_moved
        JOIN box_entry ON box_entry.casino_id = box_moved.casino_id AND box_entry.box_id = box_moved.box_id
                      AND box_entry.version = box_moved.version - 1
        JOIN stock_locked ON stock_locked.position = box_entry.position
       WHERE box_entry.stock IS NOT NULL
    ),
    fresh AS (
      SELECT * FROM input WHERE stock IS NOT NULL
    ),
    equal_pair AS (
      SELECT fresh.position, before.position AS position_before
        FROM (SELECT *, row_number() OVER (PARTITION BY item_id, weight, stock ORDER BY position) AS place FROM fresh) AS fresh
        JOIN (SELECT *, row_number() OVER (PARTITION BY item_id, weight, stock ORDER BY position) AS place FROM before) AS before
       USING (item_id, weight, stock, place)
    ),
    weight_pair AS (
      SELECT fresh.position, before.position AS position_before
        FROM (SELECT *, row_number() OVER (PARTITION BY item_id, weight ORDER BY stock DESC, position) AS place
                FROM fresh WHERE position NOT IN (SELECT position FROM equal_pair)) AS fresh
        JOIN (SELECT *, row_number() OVER (PARTITION BY item_id, weight ORDER BY stock DESC, position) AS place
                FROM before WHERE position NOT IN (SELECT position_before FROM equal_pair)) AS before
       USING (item_id, weight, place)
    ),
    close_pair AS (
      SELECT * FROM equal_pair UNION ALL SELECT * FROM weight_pair
    ),
    size_pair AS (
      SELECT fresh.position, before.position AS position_before
        FROM (SELECT *, row_number() OVER (PARTITION BY item_id ORDER BY stock DESC, position) AS place
                FROM fresh WHERE position NOT IN (SELECT position FROM close_pair)) AS fresh
        JOIN (SELECT *, row_number() OVER (PARTITION BY item_id ORDER BY stock DESC, position) AS place
                FROM before WHERE position NOT IN (SELECT position_before FROM close_pair)) AS before
       USING (item_id, place)
    ),
    pair AS (
      SELECT * FROM close_pair UNION ALL SELECT * FROM size_pair
    ),
    matched AS (
      SELECT fresh.position, coalesce(fresh.item_id, before.item_id) AS item_id, fresh.stock,
             before.position AS position_before, before.remaining AS left_before,
             before.stock_of_version, before.stock_of_position,
             fresh.position IS NOT NULL AND before.position IS NOT NULL AND NOT fresh.restocked AS is_carried,
             fresh.stock + before.less_won AS balance
        FROM fresh
        LEFT JOIN pair ON pair.position = fresh.position
        FULL JOIN before ON before.position = pair.position_before
    )`
