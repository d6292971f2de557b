import { RewardsError } from '../errors.ts'
import { itemTextBytes } from '../item/item-text.ts'
import type { Page, PageRequest } from '../page.ts'
import type { Prisma } from '../platform/database.ts'
import type { Database } from '../platform/database.ts'
import { instant, sql } from '../platform/sql.ts'
import type { BoxName } from './box-name.ts'
import { termsColumns, toTerms } from './box-terms.ts'
import type { TermsRow } from './box-terms.ts'
import { boxTextBytesMax } from './box-text.ts'
import type { BoxEntry, BoxTerms, WinnableItem } from './box.ts'
import { isOpen, isSoldOut } from './decide-opening.ts'
import { itemJson, toWinnableItem } from './winnable-item.ts'
import type { ItemRow } from './winnable-item.ts'

/** A box as players look at it: its current version with what is left of its stock. */
export interface CatalogueBox extends BoxName, BoxTerms {
  version: number
  oddsHash: string
  name: string
  description: string | null
  imageUrl: string | null
  entries: readonly BoxEntry[]
  /** What is won when the drawn entry is out of stock. */
  fallback: WinnableItem | null
}

interface Row extends TermsRow {
  casino_id: string
  box_id: string
  version: number
  odds_hash: string
  name: string
  description: string | null
  image_url: string | null
  entries: (ItemRow & { position: number; weight: string; remaining: number | null })[]
  fallback: ItemRow | null
  /** How many boxes the page has looked at, at most one more than it shows. */
  found: number
}

/** A page ends before its boxes have more entries together, or more text than a single box may have. */
const entriesMax = 2_000

/**
 * The casino's boxes that can be opened now, by whoever is entitled to: what `decideOpening` says of a box, in SQL. All
 * of it is read as of one moment. A page may be shorter than asked for without being the last.
 *
 * Boxes are looked at one after the other, until the page is full: a few large ones must not be read by the hundred.
 */
export async function listOpenBoxes(
  database: Database,
  casinoId: string,
  now: Date,
  page: PageRequest,
): Promise<Page<CatalogueBox>> {
  const nextAfter = (id: Prisma.Sql) => sql`
    SELECT box.casino_id, box.id, box.current_version, box.enabled FROM box
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
  const rows = await readCurrentVersions(
    database,
    sql`
      SELECT next.*, 1 AS place, size.*, true AS fits
        FROM (${nextAfter(sql`${page.afterId ?? ''}::text`)}) AS next CROSS JOIN LATERAL (${sizeOfNext}) AS size
       UNION ALL
      SELECT next.*, page.place + 1, page.entries + size.entries, page.bytes + size.bytes, size.is_long,
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
  const [row] = await readCurrentVersions(
    database,
    sql`
      SELECT next.*, 1 AS place, size.*, true AS fits
        FROM (
          SELECT casino_id, id, current_version, enabled FROM box
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

/** How much the current version of the box `next` adds to a page. */
const sizeOfNext = sql`
  SELECT count(*) AS entries, sum(${itemTextBytes}) AS bytes, sum(${itemTextBytes}) > ${boxTextBytesMax}::int AS is_long
    FROM box_entry
    JOIN item ON item.casino_id = box_entry.casino_id AND item.id = box_entry.item_id
   WHERE box_entry.casino_id = next.casino_id AND box_entry.box_id = next.id
     AND box_entry.version = next.current_version`

/**
 * The current versions of a page's boxes, with what is left of their stock. Publishing bounds a box's text, but its items
 * may have got longer ones since: then it is shown without those that can be long.
 */
function readCurrentVersions(database: Database, page: Prisma.Sql, limit: number): Promise<Row[]> {
  return database.$queryRaw<Row[]>`
    WITH RECURSIVE page AS (${page})
    SELECT shown.casino_id, shown.id AS box_id, box_version.version, box_version.odds_hash, shown.enabled,
           ${termsColumns}, box_version.name, box_version.description, box_version.image_url,
           (SELECT count(*)::int FROM page) AS found, entries.entries,
           CASE WHEN item.id IS NOT NULL THEN ${itemJson(isLong)} END AS fallback
      FROM page AS shown
      JOIN box_version ON box_version.casino_id = shown.casino_id AND box_version.box_id = shown.id
                      AND box_version.version = shown.current_version
     CROSS JOIN LATERAL (
       SELECT jsonb_agg(
                jsonb_build_object('position', box_entry.position, 'weight', box_entry.weight::text,
                                   'remaining', box_stock.remaining) || ${itemJson(isLong)}
                ORDER BY box_entry.position
              ) AS entries
         FROM box_entry
         JOIN item ON item.casino_id = box_entry.casino_id AND item.id = box_entry.item_id
         LEFT JOIN box_stock
           ON box_stock.casino_id = box_entry.casino_id AND box_stock.box_id = box_entry.box_id
          AND box_stock.version = box_entry.version AND box_stock.position = box_entry.position
        WHERE box_entry.casino_id = box_version.casino_id AND box_entry.box_id = box_version.box_id
          AND box_entry.version = box_version.version
     ) AS entries
      LEFT JOIN item ON item.casino_id = box_version.casino_id AND item.id = box_version.fallback_item_id
     WHERE shown.fits AND shown.place <= ${limit}::int
     ORDER BY shown.place`
}

const isLong = sql`shown.is_long`

function toCatalogueBox(row: Row): CatalogueBox {
  return {
    casinoId: row.casino_id,
    boxId: row.box_id,
    version: row.version,
    oddsHash: row.odds_hash,
    name: row.name,
    description: row.description,
    imageUrl: row.image_url,
    ...toTerms(row),
    entries: row.entries.map((entry) => ({
      position: entry.position,
      weight: BigInt(entry.weight),
      remaining: entry.remaining,
      item: toWinnableItem(entry),
    })),
    fallback: row.fallback === null ? null : toWinnableItem(row.fallback),
  }
}
