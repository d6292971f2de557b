import type { Money } from '../money.ts'
import type { Database } from '../platform/database.ts'

/** The credited cashbacks in the player's wallet, by currency. Empty when nothing was ever credited. */
export async function readBalances(database: Database, casinoId: string, playerId: string): Promise<Money[]> {
  // As text: the sum of bigints is a numeric, which has no type in JavaScript.
  const rows = await database.$queryRaw<{ currency: string; amount_minor: string }[]>`
    SELECT currency, sum(amount_minor)::text AS amount_minor
      FROM ledger_entry
     WHERE casino_id = ${casinoId}::text AND player_id = ${playerId}::text AND account = 'player_wallet'
     GROUP BY currency
     ORDER BY currency`
  return rows.map((row) => ({ currency: row.currency, amountMinor: BigInt(row.amount_minor) }))
}
