import { createHash } from 'node:crypto'

/** What a box promises: what can be won, how likely, how many there are, and what is given instead of what is gone. */
export interface OddsTable {
  entries: readonly { itemId: string; weight: bigint | number; stock: number | null }[]
  fallbackItemId: string | null
}

/**
 * The table as canonical JSON (RFC 8785: names sorted, no white space), so that the same table is always the same text,
 * whoever writes it:
 *
 * `{"entries":[{"item_id":"mug","stock":null,"weight":3}],"fallback_item_id":null}`
 */
export function canonicalOddsTable({ entries, fallbackItemId }: OddsTable): string {
  return JSON.stringify({
    entries: entries.map(({ itemId, weight, stock }) => ({ item_id: itemId, stock, weight: Number(weight) })),
    fallback_item_id: fallbackItemId,
  })
}

/** Reads what `canonicalOddsTable` has written. */
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

/** SHA-256 of the canonical table, in hexadecimal. Published with each version and recorded with each opening. */
export function hashOddsTable(table: OddsTable): string {
  return hashCanonical(canonicalOddsTable(table))
}

/** The same of a table that is canonical already. */
export function hashCanonical(table: string): string {
  return createHash('sha256').update(table).digest('hex')
}
