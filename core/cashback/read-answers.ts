import { countedMax } from '../platform/capped-count.ts'
import type { Database } from '../platform/database.ts'

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
