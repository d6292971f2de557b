import type { Prisma } from '../platform/database.ts'
import { sql } from '../platform/sql.ts'
import type { ItemKind } from '../item/item-kinds.ts'
import type { WinnableItem } from './box.ts'

/** An item as selected: JSON with money as text, because JSON numbers lose digits of large amounts. */
export interface ItemRow {
  item_id: string
  name: string
  kind: ItemKind
  description: string | null
  image_url: string | null
  cashback_amount_minor: string | null
  cashback_currency: string | null
  claim_days: number | null
}

/** The ItemRow of the row selected as `item`; without the long texts if the condition `isShort` holds. */
export function itemJson(isShort = sql`false`): Prisma.Sql {
  return sql`jsonb_build_object(
    'item_id', item.id, 'name', item.name, 'kind', item.kind,
    'description', CASE WHEN NOT ${isShort} THEN item.description END,
    'image_url', CASE WHEN NOT ${isShort} THEN item.image_url END,
    'cashback_amount_minor', item.cashback_amount_minor::text, 'cashback_currency', item.cashback_currency,
    'claim_days', item.claim_days)`
}

/**
 * SQL: a hash, a bigint, of all columns of the row selected as `item`; null if there is none. The sum over a fixed list
 * of items changes with any of them.
 */
export const itemHash = sql`hash_record_extended(item, 0)`

export function toWinnableItem(row: ItemRow): WinnableItem {
  return {
    id: row.item_id,
    name: row.name,
    kind: row.kind,
    description: row.description,
    imageUrl: row.image_url,
    cashback:
      row.cashback_amount_minor === null || row.cashback_currency === null
        ? null
        : { amountMinor: BigInt(row.cashback_amount_minor), currency: row.cashback_currency },
    claimDays: row.claim_days,
  }
}
