import type { Database } from '../platform/database.ts'
import { batchInput, text } from '../platform/sql.ts'
import type { ItemKind } from '../prize/prize.ts'
import { hashOddsTable } from './odds-table.ts'
import type { BoxAccess, BoxEntry, BoxVersion, LimitPeriod, WinnableItem } from './box.ts'

/** Names a box: ids are the casino's own. */
export interface BoxName {
  casinoId: string
  boxId: string
}

export function boxKeyOf({ casinoId, boxId }: BoxName): string {
  return JSON.stringify([casinoId, boxId])
}

interface ItemRow {
  item_id: string
  name: string
  kind: ItemKind
  description: string | null
  image_url: string | null
  /** As text: JSON numbers lose digits of large amounts. */
  cashback_amount_minor: string | null
  cashback_currency: string | null
  claim_days: number | null
}

interface EntryRow extends ItemRow {
  position: number
  weight: string
  remaining: number | null
}

/** A version of a box as it is selected: money as text, entries and fallback as JSON. */
export interface BoxVersionRow {
  casino_id: string
  box_id: string
  version: number
  odds_hash: string
  enabled: boolean
  access: BoxAccess
  limit_count: number | null
  limit_period: LimitPeriod | null
  limit_time_zone: string | null
  active_from: Date | null
  active_until: Date | null
  entries: EntryRow[]
  fallback: ItemRow | null
}

/** A version, with whether its entries are still those that were published: `oddsHash` is their promise. */
export interface LoadedBox extends BoxVersion {
  isAsPublished: boolean
}

interface LoadedRow extends BoxVersionRow {
  entries: (EntryRow & { stock: number | null })[]
}

/**
 * Loads the current version of each box, with what is left of its stock at this moment. The entries are compared with the
 * hash each time: they are loaded each time, and whoever changes them does not tell.
 */
export async function loadBoxes(
  database: Database,
  names: readonly BoxName[],
): Promise<ReadonlyMap<string, LoadedBox>> {
  const distinct = [...new Map(names.map((name) => [boxKeyOf(name), name])).values()]
  const rows = await database.$queryRaw<LoadedRow[]>`
    SELECT box_version.casino_id, box_version.box_id, box_version.version, box_version.odds_hash, box.enabled, box_version.access,
           box_version.limit_count, box_version.limit_period, box_version.limit_time_zone, box_version.active_from,
           box_version.active_until,
           entries.entries, fallback.fallback
      FROM ${batchInput(distinct, {
        casino_id: text((name) => name.casinoId),
        box_id: text((name) => name.boxId),
      })}
      JOIN box ON box.casino_id = input.casino_id AND box.id = input.box_id
      JOIN box_version ON box_version.casino_id = box.casino_id AND box_version.box_id = box.id
                      AND box_version.version = box.current_version
     CROSS JOIN LATERAL (
       SELECT jsonb_agg(jsonb_build_object(
                'position', box_entry.position, 'weight', box_entry.weight::text, 'stock', box_entry.stock,
                'remaining', box_stock.remaining,
                'item_id', item.id, 'name', item.name, 'kind', item.kind, 'description', item.description,
                'image_url', item.image_url, 'cashback_amount_minor', item.cashback_amount_minor::text,
                'cashback_currency', item.cashback_currency, 'claim_days', item.claim_days
              ) ORDER BY box_entry.position) AS entries
         FROM box_entry
         JOIN item ON item.casino_id = box_entry.casino_id AND item.id = box_entry.item_id
         LEFT JOIN box_stock
           ON box_stock.casino_id = box_entry.casino_id AND box_stock.box_id = box_entry.box_id
          AND box_stock.version = box_entry.version AND box_stock.position = box_entry.position
        WHERE box_entry.casino_id = box_version.casino_id AND box_entry.box_id = box_version.box_id
          AND box_entry.version = box_version.version
     ) AS entries
      LEFT JOIN LATERAL (
       SELECT jsonb_build_object(
                'item_id', item.id, 'name', item.name, 'kind', item.kind, 'description', item.description,
                'image_url', item.image_url, 'cashback_amount_minor', item.cashback_amount_minor::text,
                'cashback_currency', item.cashback_currency, 'claim_days', item.claim_days
              ) AS fallback
         FROM item
        WHERE item.casino_id = box_version.casino_id AND item.id = box_version.fallback_item_id
     ) AS fallback ON true`
  return new Map(
    rows.map((row) => [
      boxKeyOf({ casinoId: row.casino_id, boxId: row.box_id }),
      { ...toBoxVersion(row), isAsPublished: hashLoaded(row) === row.odds_hash },
    ]),
  )
}

function hashLoaded({ entries, fallback }: LoadedRow): string {
  return hashOddsTable({
    entries: entries.map(({ item_id: itemId, weight, stock }) => ({ itemId, weight: BigInt(weight), stock })),
    fallbackItemId: fallback?.item_id ?? null,
  })
}

export function toBoxVersion(row: BoxVersionRow): BoxVersion {
  return {
    casinoId: row.casino_id,
    boxId: row.box_id,
    version: row.version,
    oddsHash: row.odds_hash,
    isEnabled: row.enabled,
    access: row.access,
    limit: toLimit(row),
    activeFrom: row.active_from,
    activeUntil: row.active_until,
    entries: row.entries.map(toEntry),
    fallback: row.fallback === null ? null : toItem(row.fallback),
  }
}

function toLimit({ limit_count: count, limit_period: period, limit_time_zone: timeZone }: BoxVersionRow) {
  return count === null || period === null ? null : { count, period, timeZone: timeZone ?? 'UTC' }
}

function toEntry(row: EntryRow): BoxEntry {
  return {
    position: row.position,
    weight: BigInt(row.weight),
    remaining: row.remaining,
    wanted: 0,
    item: toItem(row),
  }
}

function toItem(row: ItemRow): WinnableItem {
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
