import { scannedMax, toScannedPage } from '../page.ts'
import type { ListRequest, Page, Scanned } from '../page.ts'
import { Prisma } from '../platform/database.ts'
import type { Database } from '../platform/database.ts'
import { singleRow } from '../platform/single-row.ts'
import { batchInput, instant, int, sql, text, textArray } from '../platform/sql.ts'
import { currentBoxes, summary } from './read-boxes.ts'
import type { BoxSummary } from './read-boxes.ts'

/** An entry of an item in a box. */
export interface ItemEntry {
  /** In the order of the entries, from 1. */
  position: number
  weight: bigint
  stock: number | null
  remaining: number | null
}

export interface BoxWithItem extends BoxSummary {
  itemEntries: readonly ItemEntry[]
}

/** Nearly always there is one. */
const entriesShownMax = 100

/** The boxes whose current version has the item, as an entry or as its fallback, with its entries. */
export async function listBoxesWithItem(
  database: Database,
  { casinoId, itemId }: { casinoId: string; itemId: string },
  page: ListRequest,
): Promise<Page<BoxWithItem>> {
  const scanned = await scanBoxes(database, { casinoId, itemId }, page)
  return toScannedPage(scanned, page, async (ids) => {
    const boxes = await database.$queryRaw<BoxSummary[]>`
      SELECT ${summary} ${currentBoxes(casinoId)} AND box.id = ANY(${textArray(ids)})`
    const entries = await readEntries(database, { casinoId, itemId }, boxes)
    return boxes.map((box) => ({ ...box, itemEntries: entries.get(box.id) ?? [] }))
  })
}

/**
 * Goes from one box to the next that has the item in any version, by the indexes, and looks at its current version. A
 * step is a few look-ups, however many versions there are.
 */
async function scanBoxes(
  database: Database,
  { casinoId, itemId }: { casinoId: string; itemId: string },
  { limit, afterId, order, createdFrom, createdUntil }: ListRequest,
): Promise<Scanned> {
  const nearest = order === 'asc' ? sql`min` : sql`max`
  const next = (place: Prisma.Sql | undefined) => sql`(
      SELECT ${nearest}(possible.box_id) AS id FROM (
        ${nextWithin(sql`box_entry`, sql`item_id`, place)}
        UNION ALL
        ${nextWithin(sql`box_version`, sql`fallback_item_id`, place)}
      ) AS possible WHERE possible.item_id = ${itemId}::text
    )`
  /** By item and box, in the order of the index: by the box alone, the planner would look at every box of the casino. */
  const nextWithin = (table: Prisma.Sql, item: Prisma.Sql, place: Prisma.Sql | undefined) => {
    const [direction, beyond, from] =
      order === 'asc' ? [sql`ASC`, sql`>`, sql`>=`] : [sql`DESC`, sql`<`, sql`<=`]
    const condition =
      place === undefined
        ? sql`${item} ${from} ${itemId}::text`
        : sql`(${item}, box_id) ${beyond} (${itemId}::text, ${place})`
    return sql`(SELECT ${item} AS item_id, box_id FROM ${table}
          WHERE casino_id = ${casinoId}::text AND ${item} IS NOT NULL AND ${condition}
          ORDER BY ${item} ${direction}, box_id ${direction} LIMIT 1)`
  }
  const from = createdFrom === undefined ? Prisma.empty : sql`AND box.created_at >= ${instant(createdFrom)}`
  const until = createdUntil === undefined ? Prisma.empty : sql`AND box.created_at < ${instant(createdUntil)}`
  const isWanted = sql`COALESCE((
    SELECT COALESCE(
      (SELECT true FROM box_entry
        WHERE casino_id = ${casinoId}::text AND item_id = ${itemId}::text AND box_id = box.id
          AND version = box.current_version LIMIT 1),
      (SELECT true FROM box_version
        WHERE casino_id = ${casinoId}::text AND fallback_item_id = ${itemId}::text AND box_id = box.id
          AND version = box.current_version LIMIT 1))
      FROM box WHERE box.casino_id = ${casinoId}::text AND box.id = next.id ${from} ${until}), false)`
  const rows = await database.$queryRaw<Scanned[]>`
    WITH RECURSIVE candidate AS (
      SELECT 1 AS number, next.id, wanted.is_wanted, wanted.is_wanted::int AS total
        FROM ${next(afterId === undefined ? undefined : sql`${afterId}::text`)} AS next
       CROSS JOIN LATERAL (SELECT ${isWanted} AS is_wanted) AS wanted
       WHERE next.id IS NOT NULL
       UNION ALL
      SELECT candidate.number + 1, next.id, wanted.is_wanted, candidate.total + wanted.is_wanted::int
        FROM candidate
       CROSS JOIN LATERAL ${next(sql`candidate.id`)} AS next
       CROSS JOIN LATERAL (SELECT ${isWanted} AS is_wanted) AS wanted
       WHERE next.id IS NOT NULL AND candidate.number < ${scannedMax}::int AND candidate.total <= ${limit}::int
    )
    SELECT (SELECT count(*)::int FROM candidate) AS count,
           (SELECT id FROM candidate ORDER BY number DESC LIMIT 1) AS "lastId",
           ARRAY(SELECT id FROM candidate WHERE is_wanted ORDER BY number) AS ids`
  return singleRow(rows)
}

/** By the ids of the boxes. A version never changes, so its entries can be read later. */
async function readEntries(
  database: Database,
  { casinoId, itemId }: { casinoId: string; itemId: string },
  boxes: readonly BoxSummary[],
): Promise<Map<string, ItemEntry[]>> {
  const rows = await database.$queryRaw<(ItemEntry & { boxId: string })[]>`
    SELECT input.box_id AS "boxId", entry.position, entry.weight, entry.stock, box_stock.remaining
      FROM ${batchInput(boxes, { box_id: text((box) => box.id), version: int((box) => box.version) })}
     CROSS JOIN LATERAL (
       SELECT box_entry.position, box_entry.weight, box_entry.stock FROM box_entry
        WHERE box_entry.casino_id = ${casinoId}::text AND box_entry.item_id = ${itemId}::text
          AND box_entry.box_id = input.box_id AND box_entry.version = input.version
        ORDER BY box_entry.position LIMIT ${entriesShownMax}::int
     ) AS entry
      LEFT JOIN box_stock
        ON box_stock.casino_id = ${casinoId}::text AND box_stock.box_id = input.box_id
       AND box_stock.version = input.version AND box_stock.position = entry.position
     ORDER BY entry.position`
  const entries = new Map<string, ItemEntry[]>()
  for (const { boxId, ...entry } of rows) entries.set(boxId, [...(entries.get(boxId) ?? []), entry])
  return entries
}
