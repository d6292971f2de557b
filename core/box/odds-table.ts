import { createHash } from 'node:crypto'

/** The published terms of a box: items, probabilities, stocks and the fallback. */
export interface OddsTable {
  entries: readonly { itemId: string; weight: bigint | number; stock: number | null }[]
  fallbackItemId: string | null
}

/**
 * The table as canonical JSON (RFC 8785: sorted names, no white space), so that equal tables are equal texts in any
 * implementation:
 *
 * `{"entries":[{"item_id":"mug","stock":null,"weight":3}],"fallback_item_id":null}`
 */
export function canonicalOddsTable({ entries, fallbackItemId }: OddsTable): string {
  return JSON.stringify({
    entries: entries.map(({ itemId, weight, stock }) => ({ item_id: itemId, stock, weight: Number(weight) })),
    fallback_item_id: fallbackItemId,
  })
}

/** Parses the output of `canonicalOddsTable`. */
export function parseOddsTable(canonical: string): OddsTable {
  const table = JSON.parse(canonical) as {
    entries: { item_id: string; weight: number; stock: number | null }[]
    fallback_item_id: string | null
  }
  return {
    entries: table.entries.map(({ item_id: itemId, weight, stock }) => ({ itemId, weight, stock })),
    fallbackItemId: table.fallback_item_id,
  }
}

/** SHA-256 of the canonical table, in hexadecimal. Published with each version, and recorded with each opening. */
export function hashOddsTable(table: OddsTable): string {
  return hashCanonical(canonicalOddsTable(table))
}

/** The same for a table that is already canonical. */
export function hashCanonical(table: string): string {
  return createHash('sha256').update(table).digest('hex')
}
