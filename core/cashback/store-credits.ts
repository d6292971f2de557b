import { timedEvents } from '../event/written-events.ts'
import type { WrittenEvent } from '../event/written-events.ts'
import { postedEntries } from '../ledger/posted-entries.ts'
import { finishedWork, traceOfWork } from '../outbox/work-steps.ts'
import type { Database } from '../platform/database.ts'
import { batchInput, bigint, instant, int, sql, text } from '../platform/sql.ts'
import { prizesMovedTo } from '../prize/moved-prizes.ts'
import type { CashbackSnapshot } from './cashback.ts'

/** A `requested` cashback that our own ledger credits, and its outbox row. */
export interface LedgerCredit {
  outboxId: string
  cashback: CashbackSnapshot
}

/** That of the request that caused the work. */
const traceparent = traceOfWork(sql`outbox_id`)

const cashbackCredited = {
  from: sql`credited`,
  objectType: 'cashback',
  objectId: sql`cashback_id`,
  sequence: sql`revision + 1`,
  type: 'cashback.credited',
  fromState: 'requested',
  toState: 'credited',
  actor: 'worker',
  traceparent,
} satisfies WrittenEvent
const prizeCashedBack = {
  from: sql`credited`,
  objectType: 'prize',
  objectId: sql`prize_id`,
  sequence: sql`prize_revision + 1`,
  type: 'prize.cashed_back',
  fromState: 'cashback_pending',
  toState: 'cashed_back',
  actor: 'worker',
  traceparent,
} satisfies WrittenEvent

const creditPosted = postedEntries('cashback_credit', 'credited')

const creditWritten = timedEvents(cashbackCredited, prizeCashedBack)

const creditDone = finishedWork(sql`SELECT outbox_id FROM credited`)

/**
 * Credits cashbacks in our own ledger: entries, states of cashback and prize, histories and the end of the work are one
 * statement. It is the most frequent change, so the statement contains nothing that only other changes need. Returns
 * the outbox ids of the cashbacks that were still as loaded.
 */
export async function storeLedgerCredits(
  database: Database,
  now: Date,
  credits: readonly LedgerCredit[],
): Promise<ReadonlySet<string>> {
  const rows = await database.$queryRaw<{ id: bigint }[]>`
    WITH input AS (
      SELECT * FROM ${batchInput(credits, {
        outbox_id: bigint((credit) => credit.outboxId),
        cashback_id: text(({ cashback }) => cashback.id),
        revision: int(({ cashback }) => cashback.revision),
        casino_id: text(({ cashback }) => cashback.casinoId),
        prize_id: text(({ cashback }) => cashback.prizeId),
        prize_revision: int(({ cashback }) => cashback.prizeRevision),
      })}
    ),
    prize_locked AS (
      SELECT input.*
        FROM input JOIN prize ON prize.casino_id = input.casino_id AND prize.id = input.prize_id
       WHERE prize.revision = input.prize_revision
       ORDER BY prize.casino_id, prize.id
         FOR UPDATE OF prize
    ),
    credited AS (
      SELECT prize_locked.*, cashback.player_id, cashback.amount_minor, cashback.currency
        FROM prize_locked JOIN cashback ON cashback.id = prize_locked.cashback_id
       WHERE cashback.revision = prize_locked.revision
       ORDER BY cashback.id
         FOR UPDATE OF cashback
    ),
    cashback_credited AS (
      UPDATE cashback SET state = 'credited', revision = cashback.revision + 1, updated_at = ${instant(now)}
        FROM credited WHERE cashback.id = credited.cashback_id
    ),
    ${prizesMovedTo('cashed_back', 'credited', now)},
    ${creditPosted(now)},
    event_written AS (
      ${creditWritten(now)}
    ),
    ${creditDone}
    SELECT outbox_id AS id FROM credited`

  return new Set(rows.map((row) => String(row.id)))
}
