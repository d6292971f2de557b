import type { Database } from '../platform/database.ts'
import { batchInput, int, sql, text } from '../platform/sql.ts'
import type { BoxName } from './box-name.ts'
import { termsColumns, toTerms } from './box-terms.ts'
import type { TermsRow } from './box-terms.ts'
import { boxTextBytesMax } from './box-text.ts'
import type { BoxEntry, BoxTerms, WinnableItem } from './box.ts'
import { sizeOfNext } from './read-catalogue.ts'
import { itemHash, itemJson, toWinnableItem } from './winnable-item.ts'
import type { ItemRow } from './winnable-item.ts'

/** The contents of a version without its stock: only the items' texts can change. */
export interface BoxContents extends BoxName, Pick<BoxTerms, 'access' | 'limit' | 'activeUntil'> {
  version: number
  oddsHash: string
  name: string
  description: string | null
  imageUrl: string | null
  /** In order. */
  entries: readonly Omit<BoxEntry, 'remaining'>[]
  /** The item won if the drawn entry is out of stock. */
  fallback: WinnableItem | null
  /** The hash of the items as they are here. */
  itemsHash: string
}

interface Row extends Omit<TermsRow, 'enabled'> {
  casino_id: string
  box_id: string
  version: number
  odds_hash: string
  name: string
  description: string | null
  image_url: string | null
  entries: (ItemRow & { position: number; weight: string })[]
  fallback: ItemRow | null
  items_hash: string
}

/**
 * Reads the contents of versions of one casino's boxes, up to a megabyte. Publishing limits a box's text, but its
 * items' texts may have grown since: then the long ones are left out.
 */
export async function readContents(
  database: Database,
  casinoId: string,
  versions: readonly { boxId: string; version: number }[],
): Promise<BoxContents[]> {
  const rows = await database.$queryRaw<Row[]>`
    WITH next AS (
      SELECT ${casinoId}::text AS casino_id, input.id, input.version
        FROM ${batchInput(versions, {
          id: text(({ boxId }) => boxId),
          version: int(({ version }) => version),
        })}
    ),
    sized AS (
      SELECT next.*, size.items_hash, size.bytes > ${boxTextBytesMax}::int AS is_long
        FROM next CROSS JOIN LATERAL (${sizeOfNext}) AS size
    )
    SELECT sized.casino_id, sized.id AS box_id, sized.version, box_version.odds_hash, ${termsColumns},
           box_version.name, box_version.description, box_version.image_url, entries.entries,
           CASE WHEN item.id IS NOT NULL THEN ${itemJson(isLong)} END AS fallback,
           concat_ws(' ', sized.items_hash, ${itemHash}) AS items_hash
      FROM sized
      JOIN box_version ON box_version.casino_id = sized.casino_id AND box_version.box_id = sized.id
                      AND box_version.version = sized.version
     CROSS JOIN LATERAL (
       SELECT jsonb_agg(
                jsonb_build_object('position', box_entry.position, 'weight', box_entry.weight::text)
                  || ${itemJson(isLong)}
                ORDER BY box_entry.position
              ) AS entries
         FROM box_entry
         JOIN item ON item.casino_id = box_entry.casino_id AND item.id = box_entry.item_id
        WHERE box_entry.casino_id = sized.casino_id AND box_entry.box_id = sized.id
          AND box_entry.version = sized.version
     ) AS entries
      LEFT JOIN item ON item.casino_id = box_version.casino_id AND item.id = box_version.fallback_item_id`
  return rows.map(toBoxContents)
}

const isLong = sql`sized.is_long`

function toBoxContents(row: Row): BoxContents {
  const { access, limit, activeUntil } = toTerms({ ...row, enabled: true })
  return {
    casinoId: row.casino_id,
    boxId: row.box_id,
    version: row.version,
    oddsHash: row.odds_hash,
    name: row.name,
    description: row.description,
    imageUrl: row.image_url,
    access,
    limit,
    activeUntil,
    entries: row.entries.map((entry) => ({
      position: entry.position,
      weight: BigInt(entry.weight),
      item: toWinnableItem(entry),
    })),
    fallback: row.fallback === null ? null : toWinnableItem(row.fallback),
    itemsHash: row.items_hash,
  }
}
