import { Prisma } from '../platform/database.ts'
import { sql, timed } from '../platform/sql.ts'
import { insertInto } from '../platform/sql-insert.ts'

/**
 * - `casino_cashback`: what the casino spends on cashbacks.
 * - `player_pending`: what a player is promised and has not got yet.
 * - `player_wallet`: what a player has got.
 */
type LedgerAccount = 'casino_cashback' | 'player_pending' | 'player_wallet'

export type LedgerKind = 'cashback_reserve' | 'cashback_credit' | 'cashback_void' | 'cashback_reversal'

/** From which account to which each kind moves a cashback's amount, and how the ids of its transactions begin. */
const movements: Record<LedgerKind, { idPrefix: string; from: LedgerAccount; to: LedgerAccount }> = {
  cashback_reserve: { idPrefix: 'rsv_', from: 'casino_cashback', to: 'player_pending' },
  cashback_credit: { idPrefix: 'txn_', from: 'player_pending', to: 'player_wallet' },
  cashback_void: { idPrefix: 'vod_', from: 'player_pending', to: 'casino_cashback' },
  cashback_reversal: { idPrefix: 'rev_', from: 'player_wallet', to: 'casino_cashback' },
}

/**
 * Steps of a statement that post one transaction for each row of `source` (cashback_id, casino_id, player_id,
 * amount_minor, currency). Entries are never changed: a mistake is corrected by a transaction of another kind.
 */
export function postedEntries(kind: LedgerKind, source: string): (now: Date) => Prisma.Sql {
  const { idPrefix, from, to } = movements[kind]
  const [name, rows] = [Prisma.raw(kind), Prisma.raw(source)]
  const transactionId = Prisma.raw(`'${idPrefix}' || cashback_id`)
  const entry = (position: 1 | 2, account: LedgerAccount, amountMinor: Prisma.Sql) => ({
    from: rows,
    columns: {
      transaction_id: transactionId,
      position: Prisma.raw(String(position)),
      casino_id: sql`casino_id`,
      account,
      player_id: account === 'casino_cashback' ? sql`NULL` : sql`player_id`,
      amount_minor: amountMinor,
      currency: sql`currency`,
    },
  })
  return timed(
    (now) => sql`${name}_posted AS (
      ${insertInto('ledger_transaction', {
        from: rows,
        columns: {
          id: transactionId,
          casino_id: sql`casino_id`,
          kind,
          cashback_id: sql`cashback_id`,
          created_at: now,
        },
      })}
    ),
    ${name}_entered AS (
      ${insertInto('ledger_entry', entry(1, from, sql`-amount_minor`), entry(2, to, sql`amount_minor`))}
    )`,
  )
}
