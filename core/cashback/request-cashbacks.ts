import type { LaneProcesses } from '../batch/lane-batcher.ts'
import { processesOf } from '../batch/shared-change.ts'
import type { SharedChange } from '../batch/shared-change.ts'
import { timedEvents } from '../event/written-events.ts'
import type { WrittenEvent } from '../event/written-events.ts'
import { replayOf } from '../idempotency/idempotency.ts'
import type { Answer } from '../idempotency/idempotency.ts'
import { postedEntries } from '../ledger/posted-entries.ts'
import type { Money } from '../money.ts'
import { dueRow, toDueWork } from '../outbox/due-row.ts'
import type { DueRow } from '../outbox/due-row.ts'
import type { HandOver } from '../outbox/hand-over.ts'
import { causedWork } from '../outbox/work-steps.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import { newId } from '../platform/ids.ts'
import { batchInput, bigint, bytea, int, rowLocks, sql, text, timed } from '../platform/sql.ts'
import type { RowLocks } from '../platform/sql.ts'
import { insertInto, sameColumns } from '../platform/sql-insert.ts'
import { traceparentOf } from '../trace/carried-span.ts'
import { acceptedPrizes, prizeTaken } from '../prize/accepted-prizes.ts'
import { loadPrizes } from '../prize/load-prizes.ts'
import type { LoadedPrize, PrizeRequest } from '../prize/load-prizes.ts'
import { prizesMovedTo } from '../prize/moved-prizes.ts'
import { decideCashback } from './decide-cashback.ts'

interface Loaded {
  prizes: ReadonlyMap<PrizeRequest, LoadedPrize>
  now: Date
}

interface CashbackWrite extends Money {
  request: PrizeRequest
  revision: number
}

export interface RequestCashbacksDeps {
  database: Database
  clock: Clock
  handOver: HandOver
  /** The answer to a request that is carried out; see `Answer`. */
  response: string
}

/**
 * Records that players take prizes as cashback. The prize is taken, the cashback is requested, its amount is reserved
 * in the ledger and the crediting work is in the outbox, all in one statement. Throws `prize_unknown`,
 * `prize_not_owned`, `prize_not_cashable` or `idempotency_key_reused`.
 */
export function createRequestCashbacks(deps: RequestCashbacksDeps): LaneProcesses<PrizeRequest, Answer> {
  const change: SharedChange<PrizeRequest, Loaded, CashbackWrite, Answer> = {
    load: async (requests, extent) => {
      const prizes = await loadPrizes(deps.database, requests, extent)
      return { prizes, now: deps.clock.now() }
    },
    decide: (request, { prizes, now }) => {
      const { prize, stored, isMissed } = prizes.get(request) ?? {}
      const replay = replayOf('prize_cashback', request.claim, stored)
      if (replay) return { answer: replay }
      if (isMissed) return 'set_aside'
      return { write: { request, ...decideCashback(request.playerId, prize, now) } }
    },
    store: (writes) => storeCashbacks(deps, writes, rowLocks.wait),
    storeFree: (writes) => storeCashbacks(deps, writes, rowLocks.skip),
  }
  return processesOf(change)
}

const cashbackRequested = {
  from: sql`accepted`,
  objectType: 'cashback',
  objectId: sql`cashback_id`,
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
  objectId: sql`cashback_id`,
  casinoId: sql`casino_id`,
  traceparent: sql`traceparent`,
})

const insertedCashbacks = timed((now) =>
  insertInto('cashback', {
    from: sql`accepted`,
    columns: {
      id: sql`cashback_id`,
      ...sameColumns('casino_id', 'prize_id', 'player_id', 'amount_minor', 'currency'),
      state: 'requested',
      created_at: now,
      updated_at: now,
    },
  }),
)

const reservePosted = postedEntries('cashback_reserve', 'accepted')

const requestWritten = timedEvents(prizeTaken('cashback_pending'), cashbackRequested)

async function storeCashbacks(
  { database, clock, handOver, response }: RequestCashbacksDeps,
  writes: readonly CashbackWrite[],
  locks: RowLocks,
): Promise<ReadonlyMap<CashbackWrite, Answer>> {
  const now = clock.now()
  const cashbacks = writes.map((write) => ({ write, cashbackId: newId('cbk', now) }))
  const rows = await database.$queryRaw<(DueRow & { cashback_id: string })[]>`
    WITH input AS (
      SELECT * FROM ${batchInput(cashbacks, {
        casino_id: text(({ write }) => write.request.casinoId),
        prize_id: text(({ write }) => write.request.prizeId),
        player_id: text(({ write }) => write.request.playerId),
        revision: int(({ write }) => write.revision),
        cashback_id: text(({ cashbackId }) => cashbackId),
        amount_minor: bigint(({ write }) => String(write.amountMinor)),
        currency: text(({ write }) => write.currency),
        actor: text(({ write }) => write.request.actor),
        request_id: text(({ write }) => write.request.requestId),
        traceparent: text(({ write }) => traceparentOf(write.request)),
        key: text(({ write }) => write.request.claim?.key ?? null),
        fingerprint: bytea(({ write }) => write.request.claim?.fingerprint ?? null),
      })}
    ),
    ${acceptedPrizes('prize_cashback', response, locks)},
    ${prizesMovedTo('cashback_pending', 'accepted', now)},
    cashback_requested AS (
      ${insertedCashbacks(now)}
    ),
    ${reservePosted(now)},
    event_written AS (
      ${requestWritten(now)}
    ),
    ${creditDue}
    SELECT object_id AS cashback_id, ${dueRow} FROM work_due`

  handOver(rows.flatMap((row) => toDueWork('credit-cashback', row.cashback_id, row)))
  const stored = new Set(rows.map((row) => row.cashback_id))
  return new Map(
    cashbacks
      .filter(({ cashbackId }) => stored.has(cashbackId))
      .map(({ write }) => [write, { response, replayed: false }]),
  )
}
