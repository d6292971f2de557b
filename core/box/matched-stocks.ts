import { sql } from '../platform/sql.ts'

/**
 * Steps of the statement that publishes the version `box_moved`, with the entries `input`, over one with stocks. They
 * lock those stocks. `matched` has each new limited entry with the earlier one whose stock it continues with
 * (`input.position_before`), and the earlier ones without a successor.
 */
export const matchedStocks = sql`stock_locked AS (
      SELECT box_stock.position, box_stock.remaining, box_stock.overdrawn
        FROM box_moved
        JOIN box_stock ON box_stock.casino_id = box_moved.casino_id AND box_stock.box_id = box_moved.box_id
                      AND box_stock.version = box_moved.version - 1
       ORDER BY box_stock.position
         FOR UPDATE OF box_stock
    ),
    before AS (
      SELECT box_entry.position, box_entry.item_id, stock_locked.remaining,
             stock_locked.remaining::bigint - stock_locked.overdrawn - box_entry.stock AS less_won,
             coalesce(box_entry.stock_of_version, box_entry.version) AS stock_of_version,
             coalesce(box_entry.stock_of_position, box_entry.position) AS stock_of_position
        FROM box_moved
        JOIN box_entry ON box_entry.casino_id = box_moved.casino_id AND box_entry.box_id = box_moved.box_id
                      AND box_entry.version = box_moved.version - 1
        JOIN stock_locked ON stock_locked.position = box_entry.position
       WHERE box_entry.stock IS NOT NULL
    ),
    matched AS (
      SELECT fresh.position, coalesce(fresh.item_id, before.item_id) AS item_id, fresh.stock,
             before.position AS position_before, before.remaining AS left_before,
             before.stock_of_version, before.stock_of_position,
             fresh.position IS NOT NULL AND before.position IS NOT NULL AND NOT fresh.restocked AS is_carried,
             fresh.stock + before.less_won AS balance
        FROM (SELECT * FROM input WHERE stock IS NOT NULL) AS fresh
        FULL JOIN before ON before.position = fresh.position_before
    )`
