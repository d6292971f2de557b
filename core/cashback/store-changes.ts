import { stepRows, toStepsJson } from '../event/steps.ts'
import { heldClaims, isClaimHeld, markedClaims } from '../idempotency/claim-steps.ts'
import { postedEntries } from '../ledger/posted-entries.ts'
import { relayAfterMs } from '../outbox/outbox.ts'
import { finishedWork, snoozedWork } from '../outbox/snooze.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import { batchInput, instant, int, jsonb, text, timestamptz } from '../platform/sql.ts'
import { claimGrace } from '../prize/claim-grace.ts'
import { postingOf } from './cashback.ts'
import type { CashbackChange, CashbackSnapshot } from './cashback.ts'
import { courseOf } from './course.ts'
import { keptAnswers, toAnswerJson } from './store-answers.ts'

/** A cashback as its change left it, and the work that this caused, to be handed over. */
export interface StoredCashback {
  cashback: CashbackSnapshot
  newOutboxId: string | undefined
}

/**
 * Stores changes of cashbacks, whoever wants them: cashback, prize, ledger, history, and the work that follows or that
 * this was, in one statement, for each cashback that still is what was loaded. At most one change of each cashback. Only
 * the credit by our own ledger has a statement of its own (store-credits.ts), since there are so many of them.
 */
export async function storeCashbackChanges(
  { database, clock }: { database: Database; clock: Clock },
  changes: readonly CashbackChange[],
): Promise<ReadonlyMap<CashbackChange, StoredCashback>> {
  const now = clock.now()
  const outcomes = new Map(changes.map((change) => [change, outcomeOf(change, now)]))
  const rows = await database.$queryRaw<{ cashback_id: string; new_outbox_id: bigint | null }[]>`
    WITH input AS (
      SELECT * FROM ${batchInput(
        [...outcomes].map(([change, after]) => ({ change, after })),
        {
          casino_id: text(({ change }) => change.cashback.casinoId),
          cashback_id: text(({ change }) => change.cashback.id),
          revision: int(({ change }) => change.cashback.revision),
          to_state: text(({ after }) => after.state),
          posting: text(({ change, after }) => postingOf(change.cashback.state, after.state) ?? null),
          to_revision: int(({ after }) => after.revision),
          wallet: text(({ after }) => after.wallet),
          wallet_asked: text(({ after }) => after.walletAsked),
          attempts: int(({ after }) => after.attempts),
          attempt_until: timestamptz(({ after }) => after.attemptUntil),
          wallet_reference: text(({ after }) => after.walletReference),
          problem: text(({ after }) => after.problem),
          reversal_prize: text(({ after }) => after.reversalPrize),
          debit_number: int(({ after }) => after.debitNumber),
          debit_attempts: int(({ after }) => after.debitAttempts),
          prize_id: text(({ change }) => change.cashback.prizeId),
          prize_revision: int(({ change }) => change.cashback.prizeRevision),
          prize_from: text(({ change }) => change.cashback.prizeState),
          prize_to: text(({ change }) => change.plan.prizeTo ?? null),
          actor: text(({ change }) => change.actor),
          reason: text(({ change }) => change.reason),
          request_id: text(({ change }) => change.requestId),
          ...finishedWork(({ change }: { change: CashbackChange }) => change.work),
          next_work: text(({ change }) => change.plan.work ?? null),
          next_job: text(({ after }) => courseOf(after.state).jobName),
          claim_casino: text(({ change }) => change.claim?.casinoId ?? null),
          claim_key: text(({ change }) => change.claim?.key ?? null),
          claim_attempt: text(({ change }) => change.claim?.attemptId ?? null),
          steps: jsonb(({ change }) => toStepsJson(change.cashback.state, change.plan.steps)),
          answer: jsonb(({ change }) => (change.answer === undefined ? null : toAnswerJson(change.answer))),
        },
      )}
    ),
    ${heldClaims},
    prize_locked AS (
      SELECT prize.casino_id, prize.id
        FROM prize JOIN input ON prize.casino_id = input.casino_id AND prize.id = input.prize_id
       WHERE prize.revision = input.prize_revision AND input.prize_to IS NOT NULL
       ORDER BY prize.casino_id, prize.id
         FOR UPDATE OF prize
    ),
    accepted AS (
      SELECT input.*, cashback.player_id, cashback.amount_minor, cashback.currency
        FROM cashback
        JOIN input ON cashback.id = input.cashback_id AND cashback.casino_id = input.casino_id
        LEFT JOIN prize_locked ON prize_locked.casino_id = input.casino_id AND prize_locked.id = input.prize_id
       WHERE cashback.revision = input.revision AND (input.prize_to IS NULL OR prize_locked.id IS NOT NULL)
         AND ${isClaimHeld}
       ORDER BY cashback.id
         FOR UPDATE OF cashback
    ),
    moved AS (
      SELECT * FROM accepted WHERE to_revision > revision
    ),
    ${markedClaims},
    cashback_moved AS (
      UPDATE cashback
         SET state = to_state, revision = to_revision, wallet = moved.wallet, wallet_asked = moved.wallet_asked,
             attempts = moved.attempts, attempt_until = moved.attempt_until,
             wallet_reference = moved.wallet_reference, problem = moved.problem,
             reversal_prize = moved.reversal_prize, debit_number = moved.debit_number,
             debit_attempts = moved.debit_attempts,
             updated_at = ${instant(now)}
        FROM moved WHERE cashback.id = moved.cashback_id
    ),
    prize_moved AS (
      UPDATE prize
         SET state = prize_to, revision = prize.revision + 1, updated_at = ${instant(now)},
             ${claimGrace(now)}
        FROM moved
       WHERE prize.casino_id = moved.casino_id AND prize.id = moved.prize_id AND prize_to IS NOT NULL
    ),
    credited AS (SELECT * FROM moved WHERE posting = 'credit'),
    declined AS (SELECT * FROM moved WHERE posting = 'void'),
    reversed AS (SELECT * FROM moved WHERE posting = 'reversal'),
    ${postedEntries('cashback_credit', 'credited', now)},
    ${postedEntries('cashback_void', 'declined', now)},
    ${postedEntries('cashback_reversal', 'reversed', now)},
    change AS (
      SELECT casino_id, 'cashback' AS object_type, cashback_id AS object_id, revision + step.place AS sequence,
             'cashback.' || step.event AS type, step.from_state, step.to_state, step.data, actor, reason, request_id
        FROM moved
       CROSS JOIN LATERAL ${stepRows}
       UNION ALL
      SELECT casino_id, 'prize', prize_id, prize_revision + 1,
             CASE prize_to WHEN 'won' THEN 'prize.returned' ELSE 'prize.' || prize_to END,
             prize_from, prize_to, NULL, actor, reason, request_id
        FROM moved WHERE prize_to IS NOT NULL
    ),
    event_written AS (
      INSERT INTO event (casino_id, object_type, object_id, sequence, type, from_state, to_state, data, actor, reason,
                         request_id, created_at)
      SELECT casino_id, object_type, object_id, sequence, type, from_state, to_state, data, actor, reason, request_id,
             ${instant(now)}
        FROM change ORDER BY object_type, object_id, sequence
    ),
    ${keptAnswers('accepted', now)},
    ${snoozedWork('accepted')},
    resting AS (
      SELECT outbox.id, accepted.next_work
        FROM accepted
       CROSS JOIN LATERAL (
         SELECT id FROM outbox
          WHERE outbox.object_id = accepted.cashback_id AND outbox.snoozed_until IS NOT NULL
            AND outbox.job_name IN ('credit-cashback', 'debit-cashback')
            FOR UPDATE
       ) AS outbox
       WHERE accepted.next_work IN ('wake', 'drop')
    ),
    work_woken AS (
      UPDATE outbox SET due_at = now(), snoozed_until = NULL, created_at = now()
       WHERE id = ANY(ARRAY(SELECT id FROM resting WHERE next_work = 'wake'))
    ),
    work_locked AS (
      SELECT id FROM outbox
       WHERE id = ANY(ARRAY(SELECT outbox_id FROM accepted WHERE snooze_until IS NULL)) ORDER BY id FOR UPDATE
    ),
    work_done AS (
      DELETE FROM outbox
       WHERE id = ANY(ARRAY(SELECT id FROM work_locked UNION ALL SELECT id FROM resting WHERE next_work = 'drop'))
    ),
    work_due AS (
      INSERT INTO outbox (job_name, object_id, due_at)
      SELECT next_job, cashback_id, now() + ${relayAfterMs}::float8 * interval '1 millisecond'
        FROM accepted WHERE next_work = 'start'
      RETURNING id, object_id
    )
    SELECT accepted.cashback_id, work_due.id AS new_outbox_id
      FROM accepted LEFT JOIN work_due ON work_due.object_id = accepted.cashback_id`

  const stored = new Map(rows.map((row) => [row.cashback_id, row.new_outbox_id]))
  return new Map(
    [...outcomes].flatMap(([change, cashback]) => {
      const newOutboxId = stored.get(cashback.id)
      if (newOutboxId === undefined) return []
      return [[change, { cashback, newOutboxId: newOutboxId === null ? undefined : String(newOutboxId) }]]
    }),
  )
}

/** The cashback as the change leaves it. */
function outcomeOf({ cashback, plan }: CashbackChange, now: Date): CashbackSnapshot {
  return {
    ...cashback,
    ...plan.fields,
    state: plan.steps.at(-1)?.to ?? cashback.state,
    revision: cashback.revision + plan.steps.length,
    updatedAt: now,
    prizeState: plan.prizeTo ?? cashback.prizeState,
    prizeRevision: cashback.prizeRevision + (plan.prizeTo === undefined ? 0 : 1),
  }
}
