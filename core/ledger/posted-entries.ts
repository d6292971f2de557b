import { Prisma } from '../platform/database.ts'
import { instant, sql } from '../platform/sql.ts'

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
 * amount_minor, currency). Entries are never changed: what was wrong is put right by a transaction of another kind.
 */
export function postedEntries(kind: LedgerKind, source: string, now: Date): Prisma.Sql {
  const { idPrefix, from, to } = movements[kind]
  const transactionId = Prisma.raw(`'${idPrefix}' || cashback_id`)
  const [kindText, rows] = [Prisma.raw(`'${kind}'`), Prisma.raw(source)]
  return sql`${Prisma.raw(kind)}_posted AS (
      INSERT INTO ledger_transaction (id, casino_id, kind, cashback_id, created_at)
      SELECT ${transactionId}, casino_id, ${kindText}, cashback_id, ${instant(now)} FROM ${rows}
    ),
    ${Prisma.raw(kind)}_entered AS (
      INSERT INTO ledger_entry (transaction_id, position, casino_id, account, player_id, amount_minor, currency)
      SELECT ${transactionId}, 1, casino_id, ${accountOf(from)}, -amount_minor, currency FROM ${rows}
       UNION ALL
      SELECT ${transactionId}, 2, casino_id, ${accountOf(to)}, amount_minor, currency FROM ${rows}
    )`
}

/** The columns `account` and `player_id`. */
function accountOf(account: LedgerAccount): Prisma.Sql {
  return Prisma.raw(`'${account}', ${account === 'casino_cashback' ? 'NULL' : 'player_id'}`)
}
