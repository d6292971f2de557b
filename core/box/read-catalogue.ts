import { RewardsError } from '../errors.ts'
import type { Page, PageRequest } from '../page.ts'
import type { Prisma } from '../platform/database.ts'
import type { Database } from '../platform/database.ts'
import { instant, sql } from '../platform/sql.ts'
import type { BoxVersion } from './box.ts'
import { isOpen, isSoldOut } from './decide-opening.ts'
import { toBoxVersion } from './load-boxes.ts'
import type { BoxName, BoxVersionRow } from './load-boxes.ts'

/** A box as players look at it. */
export interface CatalogueBox extends BoxVersion {
  name: string
  description: string | null
  imageUrl: string | null
}

interface Row extends BoxVersionRow {
  name: string
  description: string | null
  image_url: string | null
  /** How many boxes there are to show, at most one more than asked for. */
  found: number
}

/** A page ends before its boxes have more entries together; an answer of that many is about a megabyte. */
const entriesMax = 2_000

/**
 * The casino's boxes that can be opened now, by whoever is entitled to: what `decideOpening` says of a box, in SQL. All
 * of it is read as of one moment. A page may be shorter than asked for without being the last.
 */
export async function listOpenBoxes(
  database: Database,
  casinoId: string,
  now: Date,
  page: PageRequest,
): Promise<Page<CatalogueBox>> {
  const rows = await readCurrentVersions(
    database,
    sql`
      SELECT box.casino_id, box.id, box.current_version, box.enabled FROM box
        JOIN box_version ON box_version.casino_id = box.casino_id AND box_version.box_id = box.id
                        AND box_version.version = box.current_version
       WHERE box.casino_id = ${casinoId}::text AND box.id > ${page.afterId ?? ''}::text AND box.enabled
         AND (box_version.active_from IS NULL OR box_version.active_from <= ${instant(now)})
         AND (box_version.active_until IS NULL OR box_version.active_until > ${instant(now)})
         AND (box_version.fallback_item_id IS NOT NULL OR NOT EXISTS (
               SELECT 1 FROM box_stock
                WHERE box_stock.casino_id = box.casino_id AND box_stock.box_id = box.id
                  AND box_stock.version = box.current_version AND box_stock.remaining = 0
             ))
       ORDER BY box.id
       LIMIT ${page.limit + 1}::int`,
  )
  const shown = rows.slice(0, page.limit)
  const isMore = shown.length < (rows[0]?.found ?? 0)
  return { rows: shown.map(toCatalogueBox), nextAfterId: isMore ? shown.at(-1)?.box_id : undefined }
}

/** Throws `box_unknown`, `box_closed` or `box_sold_out`. */
export async function getOpenBox(
  database: Database,
  { casinoId, boxId }: BoxName,
  now: Date,
): Promise<CatalogueBox> {
  const [row] = await readCurrentVersions(
    database,
    sql`
      SELECT casino_id, id, current_version, enabled FROM box
       WHERE casino_id = ${casinoId}::text AND id = ${boxId}::text`,
  )
  if (row === undefined) throw new RewardsError('box_unknown')
  const box = toCatalogueBox(row)
  if (!isOpen(box, now)) throw new RewardsError('box_closed')
  if (isSoldOut(box)) throw new RewardsError('box_sold_out')
  return box
}

/** The selected boxes' current versions with what is left of their stock, as many as a page has room for. */
function readCurrentVersions(database: Database, selectedBoxes: Prisma.Sql): Promise<Row[]> {
  return database.$queryRaw<Row[]>`
    WITH selected AS MATERIALIZED (${selectedBoxes}),
    counted AS (
      SELECT selected.*, row_number() OVER in_order AS place, sum(entries.count) OVER in_order AS entries_so_far,
             count(*) OVER () AS found
        FROM selected
       CROSS JOIN LATERAL (
         SELECT count(*) FROM box_entry
          WHERE box_entry.casino_id = selected.casino_id AND box_entry.box_id = selected.id
            AND box_entry.version = selected.current_version
       ) AS entries
      WINDOW in_order AS (ORDER BY selected.id)
    )
    SELECT box_version.casino_id, box_version.box_id, box_version.version, box_version.odds_hash, counted.enabled,
           box_version.access, box_version.limit_count, box_version.limit_period, box_version.limit_time_zone,
           box_version.active_from, box_version.active_until, box_version.name, box_version.description,
           box_version.image_url, counted.found::int AS found, entries.entries, 
           CASE WHEN item.id IS NOT NULL THEN jsonb_build_object(${itemColumns}) END AS fallback
      FROM counted
      JOIN box_version ON box_version.casino_id = counted.casino_id AND box_version.box_id = counted.id
                      AND box_version.version = counted.current_version
     CROSS JOIN LATERAL (
       SELECT jsonb_agg(${entryJson} ORDER BY box_entry.position) AS entries
         FROM box_entry
         JOIN item ON item.casino_id = box_entry.casino_id AND item.id = box_entry.item_id
         LEFT JOIN box_stock
           ON box_stock.casino_id = box_entry.casino_id AND box_stock.box_id = box_entry.box_id
          AND box_stock.version = box_entry.version AND box_stock.position = box_entry.position
        WHERE box_entry.casino_id = box_version.casino_id AND box_entry.box_id = box_version.box_id
          AND box_entry.version = box_version.version
     ) AS entries
      LEFT JOIN item ON item.casino_id = box_version.casino_id AND item.id = box_version.fallback_item_id
     WHERE counted.place = 1 OR counted.entries_so_far <= ${entriesMax}::int
     ORDER BY counted.place`
}

/** The columns of an ItemRow. */
const itemColumns = sql`
  'item_id', item.id, 'name', item.name, 'kind', item.kind, 'description', item.description, 'image_url', item.image_url,
  'cashback_amount_minor', item.cashback_amount_minor::text, 'cashback_currency', item.cashback_currency,
  'claim_days', item.claim_days`

const entryJson = sql`jsonb_build_object(
  'position', box_entry.position, 'weight', box_entry.weight::text, 'remaining', box_stock.remaining, ${itemColumns})`

function toCatalogueBox(row: Row): CatalogueBox {
  return {
    ...toBoxVersion(row),
    name: row.name,
    description: row.description,
    imageUrl: row.image_url,
  }
}
