import { countedMax } from '../platform/capped-count.ts'
import type { Database } from '../platform/database.ts'
import { batchInput, int, text } from '../platform/sql.ts'

/** An answer as the casino sees it. */
export interface KeptAnswer {
  cashbackId: string
  operation: string
  transactionId: string
  wallet: string
  attempt: number
  outcome: string
  code: string | null
  amountMinor: bigint | null
  currency: string | null
  reference: string | null
  contradicts: boolean
  receivedAt: Date
}

/** A cashback has only a few answers; this is a safety limit. */
const answersMax = 100

/** A wallet's answers about a cashback, oldest first. Beyond the limit, only the newest. */
export async function readWalletAnswers(
  database: Database,
  casinoId: string,
  cashbackId: string,
): Promise<KeptAnswer[]> {
  const rows = await database.walletAnswer.findMany({
    where: { casinoId, cashbackId },
    orderBy: { id: 'desc' },
    take: answersMax,
  })
  return rows.reverse()
}

/** The same of several cashbacks, in their order. */
export async function readAnswersOfCashbacks(
  database: Database,
  casinoId: string,
  cashbackIds: readonly string[],
): Promise<KeptAnswer[]> {
  return database.$queryRaw<KeptAnswer[]>`
    SELECT answer.cashback_id AS "cashbackId", answer.operation, answer.transaction_id AS "transactionId", answer.wallet,
           answer.attempt, answer.outcome, answer.code, answer.amount_minor AS "amountMinor", answer.currency,
           answer.reference, answer.contradicts, answer.received_at AS "receivedAt"
      FROM ${batchInput(cashbackIds, {
        cashback_id: text((value) => value),
        place: int((_, index) => index + 1),
      })}
     CROSS JOIN LATERAL (
       SELECT * FROM wallet_answer
        WHERE wallet_answer.casino_id = ${casinoId}::text AND wallet_answer.cashback_id = input.cashback_id
        ORDER BY id DESC LIMIT ${answersMax}::int
     ) AS answer
     ORDER BY input.place, answer.id`
}

/** The number of cashbacks, of all casinos, that a wallet has contradicted within the last week. */
export async function countContradicted(database: Database): Promise<number> {
  const [row] = await database.$queryRaw<{ count: bigint }[]>`
    SELECT count(DISTINCT cashback_id) AS count
      FROM (
        SELECT cashback_id FROM wallet_answer
         WHERE contradicts AND received_at > now() - interval '7 days' LIMIT ${countedMax}::int
      ) AS contradicting`
  return Number(row?.count ?? 0)
}
