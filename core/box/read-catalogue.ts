import { RewardsError } from '../errors.ts'
import { itemTextBytes } from '../item/item-text.ts'
import type { Page, PageRequest } from '../page.ts'
import type { Prisma, Database } from '../platform/database.ts'
import { instant, sql } from '../platform/sql.ts'
import type { BoxName } from './box-name.ts'
import { termsColumns, toTerms } from './box-terms.ts'
import type { TermsRow } from './box-terms.ts'
import { boxTextBytesMax } from './box-text.ts'
import type { BoxTerms } from './box.ts'
import { isOpen, isSoldOut } from './decide-opening.ts'
import { itemHash } from './winnable-item.ts'

/** A box of the catalogue: its current version, and the parts that change. */
export interface CatalogueBox extends BoxName, BoxTerms {
  version: number
  /** Changes with any text of an item in the version. */
  itemsHash: string
  hasFallback: boolean
  /** The positions of entries that are out of stock. */
  soldOut: readonly number[]
}

interface Row extends TermsRow {
  casino_id: string
  box_id: string
  version: number
  items_hash: string
  has_fallback: boolean
  sold_out: number[]
  /** The number of boxes that the page has examined, at most one more than it shows. */
  found: number
}

/** A page ends before its boxes exceed this many entries, or the text limit of a single box. */
const entriesMax = 2_000

/**
 * The casino's boxes that can be opened now by entitled players: the checks of `decideOpening`, in SQL, in one
 * snapshot. A page may be shorter than requested without being the last.
 *
 * Boxes are examined one by one until the page is full, so that large ones are not read by the hundred.
 */
export async function listOpenBoxes(
  database: Database,
  casinoId: string,
  now: Date,
  page: PageRequest,
): Promise<Page<CatalogueBox>> {
  const nextAfter = (id: Prisma.Sql) => sql`
    SELECT box.casino_id, box.id, box.current_version AS version, box.enabled FROM box
      JOIN box_version ON box_version.casino_id = box.casino_id AND box_version.box_id = box.id
                      AND box_version.version = box.current_version
     WHERE box.casino_id = ${casinoId}::text AND box.id > ${id} AND box.enabled
       AND (box_version.active_from IS NULL OR box_version.active_from <= ${instant(now)})
       AND (box_version.active_until IS NULL OR box_version.active_until > ${instant(now)})
       AND (box_version.fallback_item_id IS NOT NULL OR NOT EXISTS (
             SELECT 1 FROM box_stock
              WHERE box_stock.casino_id = box.casino_id AND box_stock.box_id = box.id
                AND box_stock.version = box.current_version AND box_stock.remaining = 0
           ))
     ORDER BY box.id
     LIMIT 1`
  const rows = await readBoxes(
    database,
    sql`
      SELECT next.*, 1 AS place, size.entries, size.bytes, size.items_hash, true AS fits
        FROM (${nextAfter(sql`${page.afterId ?? ''}::text`)}) AS next CROSS JOIN LATERAL (${sizeOfNext}) AS size
       UNION ALL
      SELECT next.*, page.place + 1, page.entries + size.entries, page.bytes + size.bytes, size.items_hash,
             page.entries + size.entries <= ${entriesMax}::int AND page.bytes + size.bytes <= ${boxTextBytesMax}::int
        FROM page
       CROSS JOIN LATERAL (${nextAfter(sql`page.id`)}) AS next
       CROSS JOIN LATERAL (${sizeOfNext}) AS size
       WHERE page.fits AND page.place <= ${page.limit}::int`,
    page.limit,
  )
  const isMore = rows.length < (rows[0]?.found ?? 0)
  return { rows: rows.map(toCatalogueBox), nextAfterId: isMore ? rows.at(-1)?.box_id : undefined }
}

/** Throws `box_unknown`, `box_closed` or `box_sold_out`. */
export async function getOpenBox(
  database: Database,
  { casinoId, boxId }: BoxName,
  now: Date,
): Promise<CatalogueBox> {
  const [row] = await readBoxes(
    database,
    sql`
      SELECT next.*, 1 AS place, size.entries, size.bytes, size.items_hash, true AS fits
        FROM (
          SELECT casino_id, id, current_version AS version, enabled FROM box
           WHERE casino_id = ${casinoId}::text AND id = ${boxId}::text
        ) AS next
       CROSS JOIN LATERAL (${sizeOfNext}) AS size`,
    1,
  )
  if (row === undefined) throw new RewardsError('box_unknown')
  const box = toCatalogueBox(row)
  if (!isOpen(box, now)) throw new RewardsError('box_closed')
  if (isSoldOut(box)) throw new RewardsError('box_sold_out')
  return box
}

/** SQL: the size that the version selected as `next` adds to a page, and the hash of its items' texts. */
export const sizeOfNext = sql`
  SELECT count(*) AS entries, sum(${itemTextBytes}) AS bytes, sum(${itemHash})::text AS items_hash
    FROM box_entry
    JOIN item ON item.casino_id = box_entry.casino_id AND item.id = box_entry.item_id
   WHERE box_entry.casino_id = next.casino_id AND box_entry.box_id = next.id AND box_entry.version = next.version`

/** The changeable part of a page's boxes. Their entries are read only if this process has not cached them. */
function readBoxes(database: Database, page: Prisma.Sql, limit: number): Promise<Row[]> {
  return database.$queryRaw<Row[]>`
    WITH RECURSIVE page AS (${page})
    SELECT shown.casino_id, shown.id AS box_id, shown.version, shown.enabled, ${termsColumns},
           concat_ws(' ', shown.items_hash, ${itemHash}) AS items_hash,
           box_version.fallback_item_id IS NOT NULL AS has_fallback,
           ARRAY(
             SELECT position FROM box_stock
              WHERE box_stock.casino_id = shown.casino_id AND box_stock.box_id = shown.id
                AND box_stock.version = shown.version AND box_stock.remaining = 0
              ORDER BY position
           ) AS sold_out,
           (SELECT count(*)::int FROM page) AS found
      FROM page AS shown
      JOIN box_version ON box_version.casino_id = shown.casino_id AND box_version.box_id = shown.id
                      AND box_version.version = shown.version
      LEFT JOIN item ON item.casino_id = box_version.casino_id AND item.id = box_version.fallback_item_id
     WHERE shown.fits AND shown.place <= ${limit}::int
     ORDER BY shown.place`
}

function toCatalogueBox(row: Row): CatalogueBox {
  return {
    casinoId: row.casino_id,
    boxId: row.box_id,
    version: row.version,
    itemsHash: row.items_hash,
    hasFallback: row.has_fallback,
    soldOut: row.sold_out,
    ...toTerms(row),
  }
}
