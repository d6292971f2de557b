import { postedEntries } from '../ledger/posted-entries.ts'
import type { Database } from '../platform/database.ts'
import { batchInput, bigint, instant, int, text } from '../platform/sql.ts'
import type { CashbackSnapshot } from './cashback.ts'

/** A cashback, still `requested`, that our own ledger credits; with the work that this was. */
export interface LedgerCredit {
  outboxId: string
  cashback: CashbackSnapshot
}

/**
 * Credits cashbacks in our own ledger: the entries, the states of cashback and prize, their history and the end of the
 * work are one statement. This is what most work is, so the statement has nothing in it that other changes need. Gives
 * the outbox ids of those that still were what was loaded.
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
    prize_cashed_back AS (
      UPDATE prize SET state = 'cashed_back', revision = prize.revision + 1, updated_at = ${instant(now)}
        FROM credited WHERE prize.casino_id = credited.casino_id AND prize.id = credited.prize_id
    ),
    ${postedEntries('cashback_credit', 'credited', now)},
    event_written AS (
      INSERT INTO event (casino_id, object_type, object_id, sequence, type, from_state, to_state, actor, created_at)
      SELECT casino_id, 'cashback', cashback_id, revision + 1, 'cashback.credited', 'requested', 'credited', 'worker', ${instant(now)}
        FROM credited
       UNION ALL
      SELECT casino_id, 'prize', prize_id, prize_revision + 1, 'prize.cashed_back', 'cashback_pending', 'cashed_back',
             'worker', ${instant(now)}
        FROM credited
    ),
    work_locked AS (
      SELECT id FROM outbox WHERE id = ANY(ARRAY(SELECT outbox_id FROM credited)) ORDER BY id FOR UPDATE
    ),
    work_done AS (
      DELETE FROM outbox WHERE id = ANY(ARRAY(SELECT id FROM work_locked))
    )
    SELECT outbox_id AS id FROM credited`

  return new Set(rows.map((row) => String(row.id)))
}
