import type { Database } from '../platform/database.ts'
import { batchInput, bigint, sql, text } from '../platform/sql.ts'
import type { JobPayload } from '../queue/jobs.ts'
import type { CashbackSnapshot } from './cashback.ts'

const columns = sql`
  cashback.casino_id AS "casinoId", cashback.id, cashback.prize_id AS "prizeId", cashback.player_id AS "playerId",
  cashback.amount_minor AS "amountMinor", cashback.currency, cashback.state, cashback.revision, cashback.wallet,
  cashback.wallet_asked AS "walletAsked",
  cashback.attempts, cashback.attempt_until AS "attemptUntil", cashback.wallet_reference AS "walletReference",
  cashback.problem, cashback.reversal_prize AS "reversalPrize", cashback.debit_number AS "debitNumber",
  cashback.debit_attempts AS "debitAttempts", cashback.created_at AS "createdAt", cashback.updated_at AS "updatedAt",
  prize.state AS "prizeState", prize.revision AS "prizeRevision"`

/** A cashback, and which work about it is in the outbox. */
export interface CashbackOfWork extends CashbackSnapshot {
  jobName: string
}

/** By outbox row. Only work that is still in the outbox is found: what is not, has been finished. */
export async function loadCashbacksOfWork(
  database: Database,
  jobs: readonly JobPayload[],
): Promise<ReadonlyMap<string, CashbackOfWork>> {
  const rows = await database.$queryRaw<(CashbackOfWork & { outboxId: bigint })[]>`
    SELECT outbox.id AS "outboxId", outbox.job_name AS "jobName", ${columns}
      FROM ${batchInput(jobs, {
        id: bigint((job) => job.outboxId),
      })}
     CROSS JOIN LATERAL (
       SELECT id, object_id, job_name FROM outbox
        WHERE outbox.id = input.id AND outbox.job_name IN ('credit-cashback', 'debit-cashback') OFFSET 0
     ) AS outbox
      JOIN cashback ON cashback.id = outbox.object_id
      JOIN prize ON prize.casino_id = cashback.casino_id AND prize.id = cashback.prize_id`
  return new Map(rows.map(({ outboxId, ...cashback }) => [String(outboxId), cashback]))
}

/** A cashback, and whether a wallet has said that it has paid for it. */
export interface LoadedCashback extends CashbackSnapshot {
  isPaid: boolean
}

/** By casino and id, as `cashbackKeyOf` makes it. */
export async function loadCashbacks(
  database: Database,
  wanted: readonly { casinoId: string; cashbackId: string }[],
): Promise<ReadonlyMap<string, LoadedCashback>> {
  const rows = await database.$queryRaw<LoadedCashback[]>`
    SELECT ${columns},
           EXISTS (SELECT FROM wallet_answer AS answer
                    WHERE answer.casino_id = cashback.casino_id AND answer.cashback_id = cashback.id
                      AND answer.operation = 'credit' AND answer.outcome IN ('credited', 'already_processed')) AS "isPaid"
      FROM ${batchInput(wanted, {
        casino_id: text(({ casinoId }) => casinoId),
        cashback_id: text(({ cashbackId }) => cashbackId),
      })}
      JOIN cashback ON cashback.id = input.cashback_id AND cashback.casino_id = input.casino_id
      JOIN prize ON prize.casino_id = cashback.casino_id AND prize.id = cashback.prize_id`
  return new Map(rows.map((cashback) => [cashbackKeyOf(cashback.casinoId, cashback.id), cashback]))
}

export function cashbackKeyOf(casinoId: string, cashbackId: string): string {
  return JSON.stringify([casinoId, cashbackId])
}
