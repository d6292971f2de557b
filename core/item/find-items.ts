import type { Money } from '../money.ts'
import type { Database } from '../platform/database.ts'
import { textArray } from '../platform/sql.ts'
import { itemTextBytes } from './item-text.ts'

/** An item's fields in a report. */
export interface PricedItem {
  name: string
  cashback: Money | null
}

export interface FoundItem extends PricedItem {
  /** Of `itemTextBytes`. */
  textBytes: number
}

/** The casino's items among these, by id. */
export async function findItems(
  database: Database,
  casinoId: string,
  itemIds: readonly string[],
): Promise<ReadonlyMap<string, FoundItem>> {
  const rows = await database.$queryRaw<
    {
      id: string
      name: string
      amountMinor: bigint | null
      currency: string | null
      textBytes: number
    }[]
  >`
    SELECT id, name, cashback_amount_minor AS "amountMinor", cashback_currency AS currency,
           ${itemTextBytes} AS "textBytes"
      FROM item WHERE casino_id = ${casinoId}::text AND id = ANY(${textArray(itemIds)})`
  return new Map(
    rows.map(({ id, name, amountMinor, currency, textBytes }) => [
      id,
      {
        name,
        cashback: amountMinor === null || currency === null ? null : { amountMinor, currency },
        textBytes,
      },
    ]),
  )
}
