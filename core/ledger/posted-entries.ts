import { Prisma } from '../platform/database.ts'
import { sql, text, timed } from '../platform/sql.ts'
import { insertInto, sameColumns } from '../platform/sql-insert.ts'

/**
 * - `casino_cashback`: the casino's spending on cashbacks.
 * - `player_pending`: amounts that a player is promised but does not have yet.
 * - `player_wallet`: amounts that a player has received.
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
  const rows = Prisma.raw(source)
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
    (now) => sql`ledger_posted AS (
      ${insertInto('ledger_transaction', { from: rows, columns: { id: transactionId, ...transaction, kind, created_at: now } })}
    ),
    ledger_entered AS (
      ${insertInto('ledger_entry', entry(1, from, sql`-amount_minor`), entry(2, to, sql`amount_minor`))}
    )`,
  )
}

const transaction = sameColumns('casino_id', 'cashback_id')

/** The input columns of a statement whose rows are posted as different kinds, or not at all. */
export function postingColumns<Row>(kindOf: (row: Row) => LedgerKind | undefined) {
  const column = (valueOf: (kind: LedgerKind) => string) =>
    text((row: Row) => {
      const kind = kindOf(row)
      return kind === undefined ? null : valueOf(kind)
    })
  return {
    posting: column((kind) => kind),
    posting_id_prefix: column((kind) => movements[kind].idPrefix),
    posted_from: column((kind) => movements[kind].from),
    posted_to: column((kind) => movements[kind].to),
  }
}

/** The same steps for such a statement; a player's id is in the entries of the player's accounts. */
export function postedAsWanted(source: string): (now: Date) => Prisma.Sql {
  const rows = Prisma.raw(source)
  const transactionId = sql`posting_id_prefix || cashback_id`
  const entries = sql`${rows} CROSS JOIN LATERAL (VALUES (1, posted_from, -1), (2, posted_to, 1)) AS entry (position, account, sign)
       WHERE posting IS NOT NULL`
  return timed(
    (now) => sql`ledger_posted AS (
      ${insertInto('ledger_transaction', {
        from: sql`${rows} WHERE posting IS NOT NULL`,
        columns: { id: transactionId, ...transaction, kind: sql`posting`, created_at: now },
      })}
    ),
    ledger_entered AS (
      ${insertInto('ledger_entry', {
        from: entries,
        columns: {
          transaction_id: transactionId,
          ...sameColumns('position', 'casino_id', 'account'),
          player_id: sql`CASE account WHEN 'casino_cashback' THEN NULL ELSE player_id END`,
          amount_minor: sql`sign * amount_minor`,
          currency: sql`currency`,
        },
      })}
    )`,
  )
}
