import { timedEvents } from '../event/written-events.ts'
import type { WrittenEvent } from '../event/written-events.ts'
import { postedEntries } from '../ledger/posted-entries.ts'
import { finishedWork, traceOfWork, workOfJobs } from '../outbox/work-steps.ts'
import type { Database } from '../platform/database.ts'
import { instant, sql, textArray } from '../platform/sql.ts'
import { prizesMovedTo } from '../prize/moved-prizes.ts'
import type { JobPayload } from '../queue/jobs.ts'

/** That of the request that caused the work. */
const traceparent = traceOfWork(sql`outbox_id`)

const cashbackCredited = {
  from: sql`credited`,
  objectType: 'cashback',
  objectId: sql`cashback_id`,
  sequence: sql`2`,
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
 * Credits new cashbacks in our own ledger: entries, states of cashback and prize, histories and the end of the work are
 * one statement. A cashback of revision 1 is as its request has left it, so nothing about it need be loaded to decide; it
 * must belong to one of `casinoIds`, which our ledger credits. Locked ones are left out. Returns the outbox ids of the
 * finished works; the others must be loaded.
 */
export async function creditNewCashbacks(
  database: Database,
  now: Date,
  jobs: readonly JobPayload[],
  casinoIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await database.$queryRaw<{ id: bigint }[]>`
    WITH prize_locked AS (
      SELECT work.id AS outbox_id, cashback.id AS cashback_id, prize.casino_id, prize.id AS prize_id,
             prize.revision AS prize_revision
        FROM ${workOfJobs(jobs, ['credit-cashback'])}
       CROSS JOIN LATERAL (
         SELECT id, casino_id, prize_id, state FROM cashback
          WHERE cashback.id = work.object_id AND revision = 1 AND casino_id = ANY(${textArray(casinoIds)}) OFFSET 0
       ) AS cashback
        JOIN prize ON prize.casino_id = cashback.casino_id AND prize.id = cashback.prize_id
       WHERE cashback.state = 'requested' AND prize.state = 'cashback_pending'
       ORDER BY prize.casino_id, prize.id
         FOR UPDATE OF prize SKIP LOCKED
    ),
    credited AS (
      SELECT prize_locked.*, cashback.player_id, cashback.amount_minor, cashback.currency
        FROM prize_locked JOIN cashback ON cashback.id = prize_locked.cashback_id
       WHERE cashback.revision = 1
       ORDER BY cashback.id
         FOR UPDATE OF cashback SKIP LOCKED
    ),
    cashback_credited AS (
      UPDATE cashback SET state = 'credited', revision = 2, updated_at = ${instant(now)}
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
