import type { Database } from '../platform/database.ts'
import { hasSessionLock, isLockedByUs, takeSessionLock } from '../platform/session-lock.ts'
import { sql } from '../platform/sql.ts'
import { insertInto, sameColumns } from '../platform/sql-insert.ts'

/** An entry whose stock does not match its openings. */
export interface StockDifference {
  casinoId: string
  boxId: string
  version: number
  position: number
  itemId: string
  /** As published; null for unlimited. */
  stock: number | null
  /** Openings that took from this stock, in all versions that had it, without those that got the fallback. */
  openings: bigint
  /** Expired prizes of those openings that went back into the stock. */
  returned: bigint
  /** The stock that openings use; null if the row is missing, which they treat as unlimited. */
  remaining: number | null
  /** The stock according to openings and returns. Below zero if more was won than published; null for unlimited. */
  expected: bigint | null
}

/** More was won than published. It cannot be undone; a repair only prevents more. */
export function isOversold({ expected }: StockDifference): boolean {
  return expected !== null && expected < 0n
}

/** Ids of the casinos with stock to check, in order. */
export async function listCasinosWithStock(database: Database): Promise<string[]> {
  const rows = await database.$queryRaw<{ id: string }[]>`
    SELECT id FROM casino
     WHERE EXISTS (SELECT FROM box_entry WHERE box_entry.casino_id = casino.id AND box_entry.stock IS NOT NULL)
        OR EXISTS (SELECT FROM box_stock WHERE box_stock.casino_id = casino.id)
     ORDER BY id`
  return rows.map((row) => row.id)
}

/**
 * Compares the stock of each limited entry with the published stock, less the openings that took from it, plus the
 * returns, in all versions of a casino's boxes. A stock that later versions have taken over is counted in the last of
 * them, and is empty in the others. The statement sees one snapshot, and an opening or an expiry changes both sides in
 * one statement, so every difference is real, even under load. Reads all live openings and prizes of the casino, and the counts of those that
 * are archived.
 */
export function findStockDifferences(database: Database, casinoId: string): Promise<StockDifference[]> {
  return database.$queryRaw<StockDifference[]>`
    WITH ${differencesOf(casinoId)}
    SELECT ${found} FROM differences ORDER BY box_id, version, position`
}

/** An arbitrary number that no other lock uses. */
const repairLockId = 7_236_201_915

/**
 * Prevents two repairs at the same time, which would apply the same correction twice. `database` must have a single
 * connection. Returns false if another repair holds the lock.
 */
export function lockRepairs(database: Database): Promise<boolean> {
  return takeSessionLock(database, repairLockId)
}

/**
 * Corrects the stocks of a casino and returns the differences found. Openings may run meanwhile: they change the actual
 * and the expected stock alike, so a difference from one snapshot can be added to the later stock. An oversold entry is
 * set to zero. Throws unless `lockRepairs` has locked this connection.
 */
export async function repairStock(database: Database, casinoId: string): Promise<StockDifference[]> {
  // Locked in the same order as openings lock.
  const differences = await database.$queryRaw<StockDifference[]>`
    WITH ${differencesOf(casinoId)},
    stock_locked AS (
      SELECT box_stock.casino_id, box_stock.box_id, box_stock.version, box_stock.position, differences.stock,
             differences.expected - differences.remaining AS correction
        FROM differences JOIN box_stock USING (casino_id, box_id, version, position)
       WHERE ${isLockedByUs(repairLockId)}
       ORDER BY box_stock.casino_id, box_stock.box_id, box_stock.version, box_stock.position
         FOR UPDATE OF box_stock
    ),
    stock_corrected AS (
      UPDATE box_stock SET remaining = greatest(box_stock.remaining + stock_locked.correction, 0)
        FROM stock_locked
       WHERE box_stock.casino_id = stock_locked.casino_id AND box_stock.box_id = stock_locked.box_id
         AND box_stock.version = stock_locked.version AND box_stock.position = stock_locked.position
         AND stock_locked.stock IS NOT NULL
    ),
    stock_without_limit_removed AS (
      DELETE FROM box_stock USING stock_locked
       WHERE box_stock.casino_id = stock_locked.casino_id AND box_stock.box_id = stock_locked.box_id
         AND box_stock.version = stock_locked.version AND box_stock.position = stock_locked.position
         AND stock_locked.stock IS NULL
    ),
    missing_stock_added AS (
      ${insertInto('box_stock', {
        from: sql`differences WHERE remaining IS NULL AND ${isLockedByUs(repairLockId)}
       ORDER BY casino_id, box_id, version, position`,
        columns: {
          ...sameColumns('casino_id', 'box_id', 'version', 'position'),
          remaining: sql`greatest(expected, 0)`,
          state: sql`CASE WHEN is_holder THEN 'open' ELSE 'carried' END`,
        },
      })}
          ON CONFLICT DO NOTHING
    )
    SELECT ${found} FROM differences ORDER BY box_id, version, position`
  // If the lock is held afterwards, it was held all the time; the statement checks it as well.
  if (!(await hasSessionLock(database, repairLockId)))
    throw new Error('the lock for repairs is not held: nothing was repaired')
  return differences
}

const differencesOf = (casinoId: string) => sql`
    taken AS (
      SELECT box_id, version, position, count(*) AS openings FROM opening
       WHERE casino_id = ${casinoId}::text AND NOT substituted
       GROUP BY box_id, version, position
    ),
    given_back AS (
      SELECT opening.box_id, opening.version, opening.position, count(*) AS returned
        FROM prize JOIN opening ON opening.id = prize.opening_id
       WHERE prize.casino_id = ${casinoId}::text AND prize.stock_returned
       GROUP BY opening.box_id, opening.version, opening.position
    ),
    archived AS (
      SELECT box_id, version, position, sum(openings) AS archived_openings, sum(returned) AS archived_returned
        FROM archived_draw_count WHERE casino_id = ${casinoId}::text AND NOT substituted
       GROUP BY box_id, version, position
    ),
    entries AS (
      SELECT casino_id, box_id, version, position, item_id, stock, version = max(version) OVER of_stock AS is_holder,
             sum(coalesce(openings, 0) + coalesce(archived_openings, 0)) OVER of_stock AS openings_of_stock,
             sum(coalesce(returned, 0) + coalesce(archived_returned, 0)) OVER of_stock AS returned_of_stock
        FROM box_entry
        LEFT JOIN taken USING (box_id, version, position)
        LEFT JOIN given_back USING (box_id, version, position)
        LEFT JOIN archived USING (box_id, version, position)
       WHERE casino_id = ${casinoId}::text
      WINDOW of_stock AS (PARTITION BY box_id, coalesce(stock_of_version, version), coalesce(stock_of_position, position))
    ),
    compared AS (
      SELECT casino_id, box_id, version, position, item_id, stock, is_holder,
             CASE WHEN is_holder THEN openings_of_stock ELSE 0 END::bigint AS openings,
             CASE WHEN is_holder THEN returned_of_stock ELSE 0 END::bigint AS returned, remaining,
             CASE WHEN is_holder THEN stock - openings_of_stock + returned_of_stock + coalesce(overdrawn, 0)
                  ELSE 0 END::bigint AS expected
        FROM entries LEFT JOIN box_stock USING (casino_id, box_id, version, position)
       WHERE stock IS NOT NULL OR remaining IS NOT NULL
    ),
    differences AS MATERIALIZED (SELECT * FROM compared WHERE remaining IS DISTINCT FROM expected)`

/** The columns of a StockDifference. */
const found = sql`
    casino_id AS "casinoId", box_id AS "boxId", version, position, item_id AS "itemId", stock, openings, returned,
    remaining, expected`
