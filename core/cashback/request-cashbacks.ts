import type { LaneProcesses } from '../batch/lane-batcher.ts'
import { processesOf } from '../batch/shared-change.ts'
import { timedEvents } from '../event/written-events.ts'
import type { WrittenEvent } from '../event/written-events.ts'
import type { Answer } from '../idempotency/idempotency.ts'
import { postedEntries } from '../ledger/posted-entries.ts'
import { causedWork } from '../outbox/work-steps.ts'
import { newId } from '../platform/ids.ts'
import { batchInput, sql, timed } from '../platform/sql.ts'
import type { RowLocks } from '../platform/sql.ts'
import { insertInto, sameColumns } from '../platform/sql-insert.ts'
import { acceptedPrizes, prizeTaken, takenOrLoaded, takingColumns } from '../prize/accepted-prizes.ts'
import type { TakenOrLoadedRow } from '../prize/accepted-prizes.ts'
import type { PrizeRequest } from '../prize/load-prizes.ts'
import { prizesMovedTo } from '../prize/moved-prizes.ts'
import { settleTaking, takingPrizes } from '../prize/take-prizes.ts'
import type { TakePrizesDeps, TakenOrLoaded } from '../prize/take-prizes.ts'
import { decideCashback } from './decide-cashback.ts'

/**
 * Records that players take prizes as cashback. The prize is taken, the cashback is requested, its amount is reserved
 * in the ledger and the crediting work is in the outbox, all in one statement. Throws `prize_unknown`,
 * `prize_not_owned`, `prize_not_cashable` or `idempotency_key_reused`.
 */
export function createRequestCashbacks(deps: TakePrizesDeps): LaneProcesses<PrizeRequest, Answer> {
  const operation = 'prize_cashback'
  const take = (requests: readonly PrizeRequest[], locks: RowLocks) => storeCashbacks(deps, requests, locks)
  return processesOf(takingPrizes(deps, { operation, decide: decideCashback, take }))
}

const cashbackRequested = {
  from: sql`accepted`,
  objectType: 'cashback',
  objectId: sql`object_id`,
  sequence: sql`1`,
  type: 'cashback.requested',
  toState: 'requested',
  actor: sql`actor`,
  requestId: sql`request_id`,
  traceparent: sql`traceparent`,
} satisfies WrittenEvent

const creditDue = causedWork({
  from: sql`accepted`,
  jobName: 'credit-cashback',
  objectId: sql`object_id`,
  casinoId: sql`casino_id`,
  traceparent: sql`traceparent`,
})

const insertedCashbacks = timed((now) =>
  insertInto('cashback', {
    from: sql`accepted`,
    columns: {
      id: sql`object_id`,
      ...sameColumns('casino_id', 'prize_id', 'player_id', 'amount_minor', 'currency'),
      state: 'requested',
      created_at: now,
      updated_at: now,
    },
  }),
)

const reservePosted = postedEntries('cashback_reserve', 'accepted')

const requestWritten = timedEvents(prizeTaken('cashback_pending'), cashbackRequested)

/** As `decideCashback` has it. */
const isCashable = sql`prize.cashback_amount_minor IS NOT NULL AND prize.cashback_currency IS NOT NULL`

async function storeCashbacks(
  deps: TakePrizesDeps,
  requests: readonly PrizeRequest[],
  locks: RowLocks,
): Promise<TakenOrLoaded<PrizeRequest>> {
  const { database, clock, response } = deps
  const now = clock.now()
  const takings = requests.map((request) => ({ request, objectId: newId('cbk', now) }))
  const rows = await database.$queryRaw<TakenOrLoadedRow[]>`
    WITH input AS (
      SELECT *, object_id AS cashback_id FROM ${batchInput(takings, takingColumns)}
    ),
    ${acceptedPrizes({ operation: 'prize_cashback', response, isTakable: isCashable, now, locks })},
    ${prizesMovedTo('cashback_pending', 'accepted', now)},
    cashback_requested AS (
      ${insertedCashbacks(now)}
    ),
    ${reservePosted(now)},
    event_written AS (
      ${requestWritten(now)}
    ),
    ${creditDue}
    ${takenOrLoaded}`

  return settleTaking(deps, { jobName: 'credit-cashback', takings, rows, now })
}
