import { toStepsJson } from '../event/steps.ts'
import { claimColumns, heldClaims, isClaimHeld, markedClaims } from '../idempotency/claim-steps.ts'
import { postedEntries } from '../ledger/posted-entries.ts'
import { finishedWork, snoozedWork } from '../outbox/snooze.ts'
import { causedWork, continuedTrace, doneWork, restingWork, wokenWork } from '../outbox/work-steps.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import { assignedFrom, batchInput, instant, int, jsonb, sql, text } from '../platform/sql.ts'
import { currentTraceparent } from '../trace/current-span.ts'
import { eventsWithPrizes, lockedPrizes, movedPrizes } from '../prize/moved-prizes.ts'
import { postingOf } from './cashback.ts'
import type { CashbackChange, CashbackSnapshot } from './cashback.ts'
import { cashbackColumns } from './cashback-columns.ts'
import { courseOf } from './course.ts'
import { keptAnswers, toAnswerJson } from './store-answers.ts'

/** A cashback after its change, and the resulting work, to be handed over. */
export interface StoredCashback {
  cashback: CashbackSnapshot
  newOutboxId: string | undefined
}

const nextWork = causedWork({
  from: sql`accepted WHERE next_work = 'start'`,
  jobName: sql`next_job`,
  objectId: sql`cashback_id`,
  traceparent: continuedTrace('accepted'),
})

const workDone = doneWork(
  sql`SELECT outbox_id FROM accepted WHERE snooze_until IS NULL`,
  sql`SELECT id FROM resting WHERE next_work = 'drop'`,
)

const workWoken = wokenWork(sql`SELECT id FROM resting WHERE next_work = 'wake'`)

const restingOfCashback = restingWork(sql`accepted.cashback_id`, ['credit-cashback', 'debit-cashback'])

const workSnoozed = snoozedWork('accepted')

const creditPosted = postedEntries('cashback_credit', 'credited')
const voidPosted = postedEntries('cashback_void', 'declined')
const reversalPosted = postedEntries('cashback_reversal', 'reversed')

const cashbackAssigned = assignedFrom('moved', cashbackColumns)

/**
 * Stores changes of cashbacks: cashback, prize, ledger, history and the following or finished work, in one statement,
 * for each cashback that is still as loaded. At most one change per cashback. Only credits by our own ledger have a
 * statement of their own (store-credits.ts), because they are by far the most frequent.
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
          ...cashbackColumns,
          prize_id: text(({ change }) => change.cashback.prizeId),
          prize_revision: int(({ change }) => change.cashback.prizeRevision),
          prize_from: text(({ change }) => change.cashback.prizeState),
          prize_to: text(({ change }) => change.plan.prizeTo ?? null),
          actor: text(({ change }) => change.actor),
          reason: text(({ change }) => change.reason),
          request_id: text(({ change }) => change.requestId),
          traceparent: text(currentTraceparent),
          ...finishedWork(({ change }: { change: CashbackChange }) => change.work),
          next_work: text(({ change }) => change.plan.work ?? null),
          next_job: text(({ after }) => courseOf(after.state).jobName),
          ...claimColumns(({ change }: { change: CashbackChange }) => change.claim),
          steps: jsonb(({ change }) => toStepsJson(change.cashback.state, change.plan.steps)),
          answer: jsonb(({ change }) => (change.answer === undefined ? null : toAnswerJson(change.answer))),
        },
      )}
    ),
    ${heldClaims},
    ${lockedPrizes},
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
         SET state = to_state, revision = to_revision, ${cashbackAssigned},
             updated_at = ${instant(now)}
        FROM moved WHERE cashback.id = moved.cashback_id
    ),
    ${movedPrizes('moved', now)},
    credited AS (SELECT * FROM moved WHERE posting = 'credit'),
    declined AS (SELECT * FROM moved WHERE posting = 'void'),
    reversed AS (SELECT * FROM moved WHERE posting = 'reversal'),
    ${creditPosted(now)},
    ${voidPosted(now)},
    ${reversalPosted(now)},
    ${eventsWithPrizes('moved', { objectType: 'cashback', objectId: 'cashback_id' }, now)},
    ${keptAnswers('accepted', now)},
    ${workSnoozed},
    resting AS (
      SELECT resting.id, accepted.next_work
        FROM accepted
       CROSS JOIN ${restingOfCashback}
       WHERE accepted.next_work IN ('wake', 'drop')
    ),
    ${workWoken},
    ${workDone},
    ${nextWork}
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

/** The cashback after the change. */
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
