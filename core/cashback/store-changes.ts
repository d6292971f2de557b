import { claimColumns, heldClaims, isClaimHeld, markedClaims } from '../idempotency/claim-steps.ts'
import { postedAsWanted, postingColumns } from '../ledger/posted-entries.ts'
import { workColumns, snoozedWork } from '../outbox/snooze.ts'
import { dueRow, toDueWork } from '../outbox/due-row.ts'
import type { DueRow } from '../outbox/due-row.ts'
import {
  causedWork,
  finishedWork,
  finishedLockedWork,
  snoozedWorkOf,
  wokenWork,
} from '../outbox/work-steps.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database, Prisma } from '../platform/database.ts'
import { assignedFrom, batchInput, instant, int, joined, jsonb, sql, text } from '../platform/sql.ts'
import type { DueWork } from '../queue/jobs.ts'
import { currentSpan, currentTraceparent } from '../trace/current-span.ts'
import { eventsWithPrizes, historyWithPrize, lockedPrizes, movedPrizes } from '../prize/moved-prizes.ts'
import { postingOf } from './cashback.ts'
import type { CashbackChange, CashbackSnapshot } from './cashback.ts'
import { cashbackColumns } from './cashback-columns.ts'
import { courseOf } from './course.ts'
import { keptAnswers, toAnswerJson } from './store-answers.ts'

/** A cashback after its change, and the resulting work, to be handed over. */
export interface StoredCashback {
  cashback: CashbackSnapshot
  works: DueWork[]
}

const nextWork = causedWork({
  from: sql`accepted WHERE next_work = 'start'`,
  jobName: sql`next_job`,
  objectId: sql`cashback_id`,
  casinoId: sql`accepted.casino_id`,
  traceparent: sql`accepted.traceparent`,
})

const snoozed = sql`snoozed AS (
      SELECT snoozed.id, accepted.next_work
        FROM accepted CROSS JOIN ${snoozedWorkOf(sql`accepted.cashback_id`, ['credit-cashback', 'debit-cashback'])}
       WHERE accepted.next_work IN ('wake', 'finish')
    )`

const workFinished = sql`SELECT id FROM snoozed WHERE next_work = 'finish'`

/** An operator wakes, finishes or starts work. */
const workOfMoves = [
  snoozed,
  wokenWork(sql`SELECT id FROM snoozed WHERE next_work = 'wake'`),
  finishedLockedWork(workFinished),
  nextWork,
]

/** A worker finishes or snoozes its own work, or finishes another's. */
const workOfCredits = [
  snoozedWork('accepted'),
  snoozed,
  finishedWork(sql`SELECT outbox_id FROM accepted WHERE snooze_until IS NULL`, workFinished),
]

const entriesPosted = postedAsWanted('moved')

const cashbackAssigned = assignedFrom('moved', cashbackColumns)

interface StoreDeps {
  database: Database
  clock: Clock
}

/**
 * Stores operators' moves of cashbacks: cashback, prize, ledger, history and the following work, in one statement, for
 * each cashback that is still as loaded. At most one change per cashback.
 */
export async function storeCashbackMoves(
  { database, clock }: StoreDeps,
  changes: readonly CashbackChange[],
): Promise<ReadonlyMap<CashbackChange, StoredCashback>> {
  const now = clock.now()
  const moves = changes.map((change) => plannedOf(change, now))
  const rows = await database.$queryRaw<(DueRow & { cashback_id: string })[]>`
    WITH input AS (
      SELECT * FROM ${batchInput(moves, {
        ...changeColumns,
        ...claimColumns(({ change }: Planned) => change.claim),
        traceparent: text(currentTraceparent),
        next_job: text(({ after }) => courseOf(after.state).jobName),
      })}
    ),
    ${heldClaims},
    ${changedCashbacks(now, isClaimHeld)},
    ${markedClaims},
    ${joined(workOfMoves, ',\n    ')}
    SELECT accepted.cashback_id, ${dueRow}
      FROM accepted LEFT JOIN work_due ON work_due.object_id = accepted.cashback_id`
  const stored = new Map(rows.map((row) => [row.cashback_id, row]))
  return new Map(
    moves.flatMap(({ change, after }) => {
      const row = stored.get(after.id)
      if (row === undefined) return []
      const works = toDueWork(courseOf(after.state).jobName, after.id, row)
      return [[change, { cashback: after, works }]]
    }),
  )
}

/**
 * The same for a worker's changes, with the wallet's answers, and the work that caused them. Only credits of new
 * cashbacks by our own ledger have a statement of their own (credit-new.ts), because they are by far the most frequent.
 */
export async function storeCashbackCredits(
  { database, clock }: StoreDeps,
  changes: readonly CashbackChange[],
): Promise<ReadonlyMap<CashbackChange, CashbackSnapshot>> {
  const now = clock.now()
  const credits = changes.map((change) => plannedOf(change, now))
  const rows = await database.$queryRaw<{ cashback_id: string }[]>`
    WITH input AS (
      SELECT * FROM ${batchInput(credits, {
        ...changeColumns,
        ...workColumns(({ change }: Planned) => change.work),
        ...(currentSpan() === undefined ? {} : traceColumn),
        answer: jsonb(({ change }) => (change.answer === undefined ? null : toAnswerJson(change.answer))),
      })}
    ),
    ${changedCashbacks(now)},
    ${keptAnswers('accepted', now)},
    ${joined(workOfCredits, ',\n    ')}
    SELECT cashback_id FROM accepted`
  const stored = new Set(rows.map((row) => row.cashback_id))
  return new Map(
    credits.flatMap(({ change, after }) => (stored.has(after.id) ? [[change, after] as const] : [])),
  )
}

/** A change, and the cashback after it. */
interface Planned {
  change: CashbackChange
  after: CashbackSnapshot
}

/** The input columns of `changedCashbacks`. */
const changeColumns = {
  casino_id: text(({ change }: Planned) => change.cashback.casinoId),
  cashback_id: text(({ change }: Planned) => change.cashback.id),
  revision: int(({ change }: Planned) => change.cashback.revision),
  to_state: text(({ after }: Planned) => after.state),
  to_revision: int(({ after }: Planned) => after.revision),
  ...cashbackColumns,
  ...postingColumns(({ change, after }: Planned) => postingOf(change.cashback.state, after.state)),
  prize_id: text(({ change }: Planned) => change.cashback.prizeId),
  prize_revision: int(({ change }: Planned) => change.cashback.prizeRevision),
  prize_to: text(({ change }: Planned) => change.plan.prizeTo ?? null),
  actor: text(({ change }: Planned) => change.actor),
  reason: text(({ change }: Planned) => change.reason),
  request_id: text(({ change }: Planned) => change.requestId),
  next_work: text(({ change }: Planned) => change.plan.work ?? null),
  history: jsonb(({ change: { cashback, plan } }: Planned) =>
    historyWithPrize({ objectType: 'cashback', object: cashback, plan }),
  ),
}

/** Only in a traced batch. */
const traceColumn = { traceparent: text(({ change }: Planned) => change.traceparent ?? null) }

/**
 * The steps of both statements: `accepted` has the rows of `input` whose cashback and prize are still as loaded, now
 * locked, and that fulfil the condition; they change, with their prizes, the ledger and the history. In a traced batch,
 * `input` has the column traceparent too.
 */
function changedCashbacks(now: Date, condition = sql`true`): Prisma.Sql {
  return sql`${lockedPrizes},
    accepted AS (
      SELECT input.*, cashback.player_id, cashback.amount_minor, cashback.currency
        FROM cashback
        JOIN input ON cashback.id = input.cashback_id AND cashback.casino_id = input.casino_id
        LEFT JOIN prize_locked ON prize_locked.casino_id = input.casino_id AND prize_locked.id = input.prize_id
       WHERE cashback.revision = input.revision AND (input.prize_to IS NULL OR prize_locked.id IS NOT NULL)
         AND ${condition}
       ORDER BY cashback.id FOR UPDATE OF cashback
    ),
    moved AS (SELECT * FROM accepted WHERE to_revision > revision),
    cashback_moved AS (
      UPDATE cashback
         SET state = to_state, revision = to_revision, ${cashbackAssigned}, updated_at = ${instant(now)}
        FROM moved WHERE cashback.id = moved.cashback_id
    ),
    ${movedPrizes('moved', now)},
    ${entriesPosted(now)},
    ${eventsWithPrizes('moved', now, sql`moved.traceparent`)}`
}

function plannedOf(change: CashbackChange, now: Date): Planned {
  return { change, after: outcomeOf(change, now) }
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
