import type { Database } from '../platform/database.ts'
import { batchInput, boolean, int, text } from '../platform/sql.ts'
import type { DrawnBox, DrawnEntry } from './decide-opening.ts'
import type { PublishedEntry, PublishedOdds, VersionName } from './known-odds.ts'
import { itemJson, toWinnableItem } from './winnable-item.ts'
import type { ItemRow } from './winnable-item.ts'

/** A drawn entry of a version. */
export interface EntryName {
  version: VersionName
  odds: PublishedOdds
  entry: PublishedEntry
}

export function entryKeyOf({
  version: { casinoId, boxId, version },
  entry: { position },
}: EntryName): string {
  return JSON.stringify([casinoId, boxId, version, position])
}

interface Row {
  item: ItemRow
  fallback: ItemRow | null
  remaining: number | null
  closed: boolean
  sold_out: boolean
}

/**
 * Loads the changeable part of drawn entries: their items' texts and their stocks. Of the other entries only whether
 * one is out of stock, if that closes the box. Keyed by `entryKeyOf`; each is read once, however often it was drawn.
 */
export async function loadDrawnEntries(
  database: Database,
  drawn: readonly EntryName[],
): Promise<ReadonlyMap<string, DrawnEntry>> {
  const distinct = [...new Map(drawn.map((name) => [entryKeyOf(name), name])).entries()]
  if (distinct.length === 0) return new Map()
  const boxes = new Map<PublishedOdds, DrawnBox>()
  const asksBox = distinct.map(([, { odds }]) => {
    if (boxes.has(odds)) return false
    boxes.set(odds, { hasFallback: odds.fallbackItemId !== null, isSoldOut: false, drawn: [] })
    return odds.fallbackItemId === null
  })
  const rows = await database.$queryRaw<Row[]>`
    SELECT ${itemJson()} AS item,
           CASE WHEN box_stock.remaining = 0 AND input.fallback_item_id IS NOT NULL THEN (
             SELECT ${itemJson()} FROM item
              WHERE item.casino_id = input.casino_id AND item.id = input.fallback_item_id
           ) END AS fallback,
           box_stock.remaining,
           COALESCE(box_stock.state <> 'open', false) AS closed,
           input.asks_box AND EXISTS (
             SELECT FROM box_stock AS other
              WHERE other.casino_id = input.casino_id AND other.box_id = input.box_id
                AND other.version = input.version AND other.remaining = 0 AND other.state = 'open'
           ) AS sold_out
      FROM ${batchInput(distinct, {
        casino_id: text(([, { version }]) => version.casinoId),
        box_id: text(([, { version }]) => version.boxId),
        version: int(([, { version }]) => version.version),
        position: int(([, { entry }]) => entry.position),
        item_id: text(([, { entry }]) => entry.itemId),
        fallback_item_id: text(([, { odds }]) => odds.fallbackItemId),
        asks_box: boolean((_, index) => asksBox[index] ?? false),
        place: int((_, index) => index + 1),
      })}
      LEFT JOIN item ON item.casino_id = input.casino_id AND item.id = input.item_id
      LEFT JOIN box_stock ON box_stock.casino_id = input.casino_id AND box_stock.box_id = input.box_id
                         AND box_stock.version = input.version AND box_stock.position = input.position
     ORDER BY input.place`
  return new Map(
    distinct.map(([key, { entry, odds }], index) => {
      const [row, box] = [rows[index], boxes.get(odds)]
      if (row === undefined || box === undefined) throw new Error('no row for a drawn entry')
      const drawnEntry = toDrawnEntry(row, entry, box)
      box.isSoldOut ||= row.sold_out
      box.drawn.push(drawnEntry)
      return [key, drawnEntry]
    }),
  )
}

function toDrawnEntry(row: Row, { position }: PublishedEntry, box: DrawnBox): DrawnEntry {
  return {
    position,
    item: toWinnableItem(row.item),
    fallback: row.fallback === null ? null : toWinnableItem(row.fallback),
    remaining: row.remaining,
    wanted: 0,
    isClosed: row.closed,
    box,
  }
}
