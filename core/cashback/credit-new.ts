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
  // Rows are reached by key, with any plan: see announce-new.ts.
  const rows = await database.$queryRaw<{ id: bigint }[]>`
    WITH credited AS (
      SELECT work.id AS outbox_id, cashback.id AS cashback_id, prize.casino_id, prize.id AS prize_id,
             prize.revision AS prize_revision, cashback.player_id, cashback.amount_minor, cashback.currency
        FROM ${workOfJobs(jobs, ['credit-cashback'])}
       CROSS JOIN LATERAL (
         SELECT id, casino_id, prize_id FROM cashback
          WHERE cashback.id = work.object_id OFFSET 0
       ) AS requested
       CROSS JOIN LATERAL (
         SELECT casino_id, id, revision, state FROM prize
          WHERE prize.casino_id = requested.casino_id AND prize.id = requested.prize_id
            FOR UPDATE SKIP LOCKED
       ) AS prize
       CROSS JOIN LATERAL (
         SELECT id, player_id, amount_minor, currency, state FROM cashback
          WHERE cashback.id = requested.id AND revision = 1
            FOR UPDATE SKIP LOCKED
       ) AS cashback
       WHERE requested.casino_id = ANY(${textArray(casinoIds)})
         AND cashback.state = 'requested' AND prize.state = 'cashback_pending'
    ),
    cashback_credited AS (
      UPDATE cashback SET state = 'credited', revision = 2, updated_at = ${instant(now)}
       WHERE id = ANY(ARRAY(SELECT cashback_id FROM credited))
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
