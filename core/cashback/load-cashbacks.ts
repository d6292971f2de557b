import { RewardsError } from '../errors.ts'
import { workOfJobs } from '../outbox/work-steps.ts'
import type { Database } from '../platform/database.ts'
import { batchInput, sql, text } from '../platform/sql.ts'
import { loadLive } from '../prize/bring-back.ts'
import type { JobPayload } from '../queue/jobs.ts'
import type { CashbackSnapshot } from './cashback.ts'
import type { DoneAnswer } from './wallet-answer.ts'

/** The successful results that wallets have reported, as JSON; null for most cashbacks. */
const doneAnswers = sql`(
  SELECT jsonb_agg(jsonb_build_object(
           'operation', operation, 'transactionId', transaction_id, 'wallet', wallet,
           'amountMinor', wallet_answer.amount_minor::text, 'currency', wallet_answer.currency))
    FROM wallet_answer
   WHERE wallet_answer.casino_id = cashback.casino_id AND wallet_answer.cashback_id = cashback.id
     AND outcome IN ('credited', 'debited', 'already_processed'))`

const columns = sql`
  cashback.casino_id AS "casinoId", cashback.id, cashback.prize_id AS "prizeId", cashback.player_id AS "playerId",
  cashback.amount_minor AS "amountMinor", cashback.currency, cashback.state, cashback.revision, cashback.wallet,
  cashback.wallet_asked AS "walletAsked",
  cashback.attempts, cashback.attempt_until AS "attemptUntil", cashback.wallet_reference AS "walletReference",
  cashback.problem, cashback.reversal_prize AS "reversalPrize", cashback.debit_number AS "debitNumber",
  cashback.debit_attempts AS "debitAttempts", cashback.created_at AS "createdAt", cashback.updated_at AS "updatedAt",
  prize.state AS "prizeState", prize.revision AS "prizeRevision", ${doneAnswers} AS "doneAnswers"`

/** A row as `columns` selects it. */
type CashbackRow = Omit<CashbackSnapshot, 'doneAnswers'> & { doneAnswers: readonly DoneAnswerRow[] | null }

interface DoneAnswerRow extends Omit<DoneAnswer, 'amount'> {
  /** As text: JSON numbers lose digits. */
  amountMinor: string | null
  currency: string | null
}

function toSnapshot<Row extends CashbackRow>(row: Row): Omit<Row, 'doneAnswers'> & CashbackSnapshot {
  return { ...row, doneAnswers: (row.doneAnswers ?? []).map(toDoneAnswer) }
}

function toDoneAnswer({ amountMinor, currency, ...answer }: DoneAnswerRow): DoneAnswer {
  // Both are null, or neither is: the table has a constraint.
  const isSilent = amountMinor === null || currency === null
  return { ...answer, amount: isSilent ? undefined : { amountMinor: BigInt(amountMinor), currency } }
}

/** A cashback, with its work in the outbox. */
export interface CashbackOfWork extends CashbackSnapshot {
  jobName: string
}

/** By outbox row. Finished work is not found: its row is gone. */
export async function loadCashbacksOfWork(
  database: Database,
  jobs: readonly JobPayload[],
): Promise<ReadonlyMap<string, CashbackOfWork>> {
  const rows = await database.$queryRaw<(CashbackRow & { jobName: string; outboxId: bigint })[]>`
    SELECT work.id AS "outboxId", work.job_name AS "jobName", ${columns}
      FROM ${workOfJobs(jobs, ['credit-cashback', 'debit-cashback'])}
      JOIN cashback ON cashback.id = work.object_id
      JOIN prize ON prize.casino_id = cashback.casino_id AND prize.id = cashback.prize_id`
  return new Map(rows.map(({ outboxId, ...cashback }) => [String(outboxId), toSnapshot(cashback)]))
}

/** Identifies a cashback within its casino. */
interface CashbackName {
  casinoId: string
  cashbackId: string
}

const inputOf = (wanted: readonly CashbackName[]) =>
  batchInput(wanted, {
    casino_id: text(({ casinoId }) => casinoId),
    cashback_id: text(({ cashbackId }) => cashbackId),
  })

/** Keyed by casino and id (`cashbackKeyOf`). An archived cashback is live when this returns it. */
export function loadCashbacksToChange(
  database: Database,
  wanted: readonly CashbackName[],
): Promise<ReadonlyMap<string, CashbackSnapshot>> {
  return loadLive(database, wanted, {
    kind: 'cashback',
    nameOf: ({ casinoId, cashbackId: id }) => ({ casinoId, id }),
    keyOf: ({ casinoId, cashbackId }) => cashbackKeyOf(casinoId, cashbackId),
    load: (names) => loadCashbacks(database, names),
  })
}

async function loadCashbacks(
  database: Database,
  wanted: readonly CashbackName[],
): Promise<ReadonlyMap<string, CashbackSnapshot>> {
  const rows = await database.$queryRaw<CashbackRow[]>`
    SELECT ${columns}
      FROM ${inputOf(wanted)}
      JOIN cashback ON cashback.id = input.cashback_id AND cashback.casino_id = input.casino_id
      JOIN prize ON prize.casino_id = cashback.casino_id AND prize.id = cashback.prize_id`
  return new Map(rows.map((row) => [cashbackKeyOf(row.casinoId, row.id), toSnapshot(row)]))
}

/** The same, live or archived: to look at. */
export async function findCashbacks(
  database: Database,
  wanted: readonly CashbackName[],
): Promise<ReadonlyMap<string, CashbackSnapshot>> {
  const rows = await database.$queryRaw<CashbackRow[]>`
    SELECT ${columns}
      FROM ${inputOf(wanted)}
      JOIN LATERAL (
        SELECT * FROM every_cashback AS one
         WHERE one.id = input.cashback_id AND one.casino_id = input.casino_id LIMIT 1
      ) AS cashback ON true
      JOIN LATERAL (
        SELECT * FROM every_prize AS one
         WHERE one.casino_id = cashback.casino_id AND one.id = cashback.prize_id LIMIT 1
      ) AS prize ON true`
  return new Map(rows.map((row) => [cashbackKeyOf(row.casinoId, row.id), toSnapshot(row)]))
}

/** Throws `cashback_unknown`. */
export async function getCashback(
  database: Database,
  casinoId: string,
  cashbackId: string,
): Promise<CashbackSnapshot> {
  const loaded = await findCashbacks(database, [{ casinoId, cashbackId }])
  const cashback = loaded.get(cashbackKeyOf(casinoId, cashbackId))
  if (cashback === undefined) throw new RewardsError('cashback_unknown')
  return cashback
}

export function cashbackKeyOf(casinoId: string, cashbackId: string): string {
  return JSON.stringify([casinoId, cashbackId])
}
