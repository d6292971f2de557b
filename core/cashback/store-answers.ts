import { Prisma } from '../platform/database.ts'
import { instant, sql } from '../platform/sql.ts'
import { insertInto } from '../platform/sql-insert.ts'
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
          casino_id: sql`answered.casino_id`,
          cashback_id: sql`answered.cashback_id`,
          operation: sql`kept.operation`,
          transaction_id: sql`kept.transaction_id`,
          wallet: sql`kept.wallet`,
          attempt: sql`kept.attempt`,
          outcome: sql`kept.outcome`,
          code: sql`kept.code`,
          amount_minor: sql`kept.amount_minor`,
          currency: sql`kept.currency`,
          reference: sql`kept.reference`,
          contradicts: sql`kept.contradicts`,
          received_at: instant(now),
        },
      })}
    )`
}
