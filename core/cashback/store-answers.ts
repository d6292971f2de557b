import { Prisma } from '../platform/database.ts'
import { instant, sql } from '../platform/sql.ts'
import { columnsOf, insertInto } from '../platform/sql-insert.ts'
import type { WalletAnswer } from './wallet-answer.ts'

/** An answer as `keptAnswers` reads it. */
export function toAnswerJson({ amount, ...answer }: WalletAnswer): string {
  return JSON.stringify({
    operation: answer.operation,
    transaction_id: answer.transactionId,
    wallet: answer.wallet,
    attempt: answer.attempt,
    outcome: answer.outcome,
    code: answer.code,
    reference: answer.reference,
    // As text: JSON numbers lose digits.
    amount_minor: amount === undefined ? null : String(amount.amountMinor),
    currency: amount?.currency ?? null,
    contradicts: answer.contradicts,
  })
}

/**
 * A step of a statement that stores the answers in `source` (casino_id, cashback_id, answer as `toAnswerJson` or null).
 */
export function keptAnswers(source: string, now: Date): Prisma.Sql {
  return sql`answer_kept AS (
      ${insertInto('wallet_answer', {
        from: sql`${Prisma.raw(source)} AS answered
       CROSS JOIN LATERAL jsonb_to_record(answered.answer)
          AS kept (operation text, transaction_id text, wallet text, attempt int, outcome text, code text,
                   amount_minor bigint, currency text, reference text, contradicts boolean)
       WHERE answered.answer IS NOT NULL`,
        columns: {
          ...columnsOf('answered', 'casino_id', 'cashback_id'),
          ...columnsOf('kept', 'operation', 'transaction_id', 'wallet', 'attempt', 'outcome', 'code'),
          ...columnsOf('kept', 'amount_minor', 'currency', 'reference', 'contradicts'),
          received_at: instant(now),
        },
      })}
    )`
}
