import type { Database, Prisma } from '../platform/database.ts'
import type { RunStatement } from '../platform/reserve-quota.ts'
import { batchInput, bigint, boolean, instant, int, sql, text } from '../platform/sql.ts'
import { columnsOf, insertInto, sameColumns } from '../platform/sql-insert.ts'
import type { BoxDefinition, PublishedStock } from './box-definition.ts'
import type { BoxName } from './box-name.ts'
import { matchedStocks } from './matched-stocks.ts'
import { hashOddsTable } from './odds-table.ts'

/** A version to be stored on top of the loaded one. */
export interface VersionWrite {
  name: BoxName
  definition: BoxDefinition
  /** Positions of the entries that start with their full stock. */
  restocked: ReadonlySet<number>
  /** The replaced version's entries whose stocks these continue with (`decidePredecessors`). */
  predecessors: ReadonlyMap<number, number>
  /** The version that was current; 0 for a new box. */
  replacedVersion: number
  /** The number of entries of that version. */
  entriesBefore: number
}

/**
 * Stores the version, its entries, their stocks and the box's pointer to it in one statement. Returns undefined if
 * another version was published since.
 *
 * An entry's stock is how often it can be won before a restock. Its predecessor in the previous version passes on its
 * wins: the rest is the new stock less those, at least zero. An entry that is restocked, or has no predecessor, starts
 * with its full stock.
 *
 * The box is locked first, then the previous version's stocks. Openings decided on those either come first or find them
 * closed and are decided again. As the box's row is still as loaded, the statement sees everything that was stored with
 * it, and the previous version's entries are those that were matched: a version never changes.
 */
export async function storeVersion(
  database: Database,
  now: Date,
  { name: { casinoId, boxId }, definition, restocked, predecessors, replacedVersion }: VersionWrite,
  run: RunStatement,
): Promise<{ version: number; stocks: PublishedStock[] } | undefined> {
  const { entries } = definition
  const storing = database.$queryRaw<{ version: number; stocks: PublishedStock[] }[]>`
    WITH input AS (
      SELECT * FROM ${batchInput(entries, {
        item_id: text((entry) => entry.itemId),
        weight: bigint((entry) => entry.weight),
        stock: int((entry) => entry.stock),
        position: int((_, index) => index + 1),
        restocked: boolean((_, index) => restocked.has(index + 1)),
        position_before: int((_, index) => predecessors.get(index + 1) ?? null),
      })}
    ),
    box_created AS (
      INSERT INTO box (casino_id, id, current_version, created_at)
      SELECT ${casinoId}::text, ${boxId}::text, 1, ${instant(now)} WHERE ${replacedVersion}::int = 0
          ON CONFLICT DO NOTHING
      RETURNING casino_id, id AS box_id, current_version AS version
    ),
    box_advanced AS (
      UPDATE box SET current_version = current_version + 1
       WHERE casino_id = ${casinoId}::text AND id = ${boxId}::text AND current_version = ${replacedVersion}::int
      RETURNING casino_id, id AS box_id, current_version AS version
    ),
    box_moved AS (
      SELECT * FROM box_created UNION ALL SELECT * FROM box_advanced
    ),
    ${matchedStocks},
    stocks AS (
      SELECT *,
             CASE WHEN position IS NULL THEN 0 WHEN is_carried THEN greatest(balance, 0) ELSE stock END AS remaining,
             CASE WHEN is_carried THEN greatest(-balance, 0) ELSE 0 END AS overdrawn,
             item_id NOT IN (SELECT item_id FROM before) AND EXISTS (
               SELECT FROM box_entry AS earlier
                WHERE earlier.casino_id = ${casinoId}::text AND earlier.box_id = ${boxId}::text
                  AND earlier.item_id = matched.item_id AND earlier.stock IS NOT NULL
             ) AS is_again
        FROM matched
    ),
    version_published AS (
      ${insertedVersion(definition, now)}
    ),
    entries_published AS (
      ${insertedEntries}
    ),
    stocks_filled AS (
      ${insertedStocks}
    ),
    stocks_closed AS (
      UPDATE box_stock SET state = CASE WHEN is_carried THEN 'carried' ELSE 'ended' END,
                           remaining = CASE WHEN is_carried THEN 0 ELSE box_stock.remaining END,
                           overdrawn = CASE WHEN is_carried THEN 0 ELSE box_stock.overdrawn END
        FROM box_moved CROSS JOIN stocks
       WHERE box_stock.casino_id = box_moved.casino_id AND box_stock.box_id = box_moved.box_id
         AND box_stock.version = box_moved.version - 1 AND box_stock.position = stocks.position_before
    )
    SELECT version,
           (SELECT coalesce(jsonb_agg(jsonb_build_object(
                     'position', position, 'itemId', item_id, 'stock', stock, 'leftBefore', left_before,
                     'remaining', remaining, 'isCarried', is_carried, 'isAgain', is_again
                   ) ORDER BY position, position_before), '[]') FROM stocks) AS stocks
      FROM box_moved`
  const [stored] = await run(storing)
  return stored
}

function insertedVersion({ limit, ...definition }: BoxDefinition, now: Date): Prisma.Sql {
  return insertInto('box_version', {
    from: sql`box_moved`,
    columns: {
      ...sameColumns('casino_id', 'box_id', 'version'),
      name: sql`${definition.name}::text`,
      description: sql`${definition.description}::text`,
      image_url: sql`${definition.imageUrl}::text`,
      access: sql`${definition.access}::text`,
      limit_count: sql`${limit?.count ?? null}::int`,
      limit_period: sql`${limit?.period ?? null}::text`,
      limit_time_zone: sql`${limit?.timeZone ?? null}::text`,
      active_from: instant(definition.activeFrom),
      active_until: instant(definition.activeUntil),
      fallback_item_id: sql`${definition.fallbackItemId}::text`,
      odds_hash: sql`${hashOddsTable(definition)}::text`,
      created_at: instant(now),
    },
  })
}

const insertedEntries = insertInto('box_entry', {
  from: sql`box_moved CROSS JOIN input LEFT JOIN stocks ON stocks.position = input.position`,
  columns: {
    ...sameColumns('casino_id', 'box_id', 'version'),
    ...columnsOf('input', 'position', 'item_id', 'weight', 'stock'),
    stock_of_version: sql`CASE WHEN is_carried THEN stock_of_version END`,
    stock_of_position: sql`CASE WHEN is_carried THEN stock_of_position END`,
  },
})

const insertedStocks = insertInto('box_stock', {
  from: sql`box_moved CROSS JOIN stocks WHERE position IS NOT NULL`,
  columns: sameColumns('casino_id', 'box_id', 'version', 'position', 'remaining', 'overdrawn'),
})
