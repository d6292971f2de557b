import type { Database } from '../../core/platform/database.ts'

/** The kinds of a cashback's transactions, in alphabetical order. */
export async function postingsOf(database: Database, cashbackId: string): Promise<string[]> {
  const rows = await database.ledgerTransaction.findMany({ where: { cashbackId }, orderBy: { kind: 'asc' } })
  return rows.map(({ kind }) => kind.replace('cashback_', ''))
}

/** The balance of each account of a casino, in minor units; accounts with nothing in them are left out. */
export async function balancesOf(database: Database, casinoId: string): Promise<Record<string, number>> {
  const rows = await database.$queryRaw<{ account: string; sum: string }[]>`
    SELECT account, sum(amount_minor)::text AS sum FROM ledger_entry
     WHERE casino_id = ${casinoId}::text GROUP BY account HAVING sum(amount_minor) <> 0`
  return Object.fromEntries(rows.map(({ account, sum }) => [account, Number(sum)]))
}
