import type { LaneProcesses } from '../batch/lane-batcher.ts'
import { processesOf } from '../batch/shared-change.ts'
import type { SharedChange } from '../batch/shared-change.ts'
import { timedEvents } from '../event/written-events.ts'
import type { WrittenEvent } from '../event/written-events.ts'
import { replayOf } from '../idempotency/idempotency.ts'
import type { Answer } from '../idempotency/idempotency.ts'
import { postedEntries } from '../ledger/posted-entries.ts'
import type { HandOver } from '../outbox/hand-over.ts'
import { causedWork } from '../outbox/work-steps.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import { newId } from '../platform/ids.ts'
import { batchInput, bytea, int, rowLocks, sql, text, timed } from '../platform/sql.ts'
import type { RowLocks } from '../platform/sql.ts'
import { insertInto, sameColumns } from '../platform/sql-insert.ts'
import { traceparentOf } from '../trace/carried-span.ts'
import { acceptedPrizes, prizeTaken, readTakenOrLoaded, takenOrLoaded } from '../prize/accepted-prizes.ts'
import type { TakenOrLoadedRow } from '../prize/accepted-prizes.ts'
import { loadPrizes } from '../prize/load-prizes.ts'
import type { LoadedPrize, PrizeRequest } from '../prize/load-prizes.ts'
import { prizesMovedTo } from '../prize/moved-prizes.ts'
import { decideCashback } from './decide-cashback.ts'

interface Loaded {
  prizes: ReadonlyMap<PrizeRequest, LoadedPrize>
  now: Date
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
  const change: SharedChange<PrizeRequest, Loaded, PrizeRequest, Answer> = {
    load: async (requests, extent) => {
      const prizes = await loadPrizes(deps.database, requests, extent)
      return { prizes, now: deps.clock.now() }
    },
    decide: (request, { prizes, now }) => {
      const { prize, stored, isMissed } = prizes.get(request) ?? {}
      const replay = replayOf('prize_cashback', request.claim, stored)
      if (replay) return { answer: replay }
      if (isMissed) return 'set_aside'
      decideCashback(request.playerId, prize, now)
      return { write: request }
    },
    store: async (requests) => (await storeCashbacks(deps, requests, rowLocks.wait)).stored,
    storeFree: async (requests) => (await storeCashbacks(deps, requests, rowLocks.skip)).stored,
    storeOrLoad: (requests) => storeCashbacks(deps, requests, rowLocks.skip),
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

/** As `decideCashback` has it. */
const isCashable = sql`prize.cashback_amount_minor IS NOT NULL AND prize.cashback_currency IS NOT NULL`

async function storeCashbacks(
  { database, clock, handOver, response }: RequestCashbacksDeps,
  requests: readonly PrizeRequest[],
  locks: RowLocks,
): Promise<{ stored: ReadonlyMap<PrizeRequest, Answer>; loaded: Loaded }> {
  const now = clock.now()
  const cashbackIds = requests.map(() => newId('cbk', now))
  const rows = await database.$queryRaw<TakenOrLoadedRow[]>`
    WITH input AS (
      SELECT * FROM ${batchInput(requests, {
        position: int((_, index) => index),
        casino_id: text((request) => request.casinoId),
        prize_id: text((request) => request.prizeId),
        player_id: text((request) => request.playerId),
        cashback_id: text((_, index) => cashbackIds[index] ?? null),
        actor: text((request) => request.actor),
        request_id: text((request) => request.requestId),
        traceparent: text((request) => traceparentOf(request)),
        key: text((request) => request.claim?.key ?? null),
        fingerprint: bytea((request) => request.claim?.fingerprint ?? null),
      })}
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
    ${takenOrLoaded(sql`input.cashback_id`)}`

  const { taken, works, prizes } = readTakenOrLoaded(rows, requests, {
    jobName: 'credit-cashback',
    objectIds: cashbackIds,
  })
  handOver(works)
  const answer = { response, replayed: false }
  return { stored: new Map(taken.map((request) => [request, answer])), loaded: { prizes, now } }
}
