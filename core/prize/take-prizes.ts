import type { SharedChange } from '../batch/shared-change.ts'
import { replayOf } from '../idempotency/idempotency.ts'
import type { Answer, Operation } from '../idempotency/idempotency.ts'
import type { HandOver } from '../outbox/hand-over.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import { rowLocks } from '../platform/sql.ts'
import type { RowLocks } from '../platform/sql.ts'
import { originOf } from '../queue/jobs.ts'
import type { JobName } from '../queue/jobs.ts'
import { traceparentOf } from '../trace/carried-span.ts'
import type { TakenOrLoadedRow, Taking } from './accepted-prizes.ts'
import { loadPrizes, toLoadedPrize } from './load-prizes.ts'
import type { LoadedPrize, PrizeRequest } from './load-prizes.ts'
import type { PrizeSnapshot } from './prize.ts'

export interface TakePrizesDeps {
  database: Database
  clock: Clock
  handOver: HandOver
  /** The answer to a request that is carried out; see `Answer`. */
  response: string
}

interface Loaded<Request> {
  prizes: ReadonlyMap<Request, LoadedPrize>
  now: Date
}

/** The answers of the requests whose prizes were taken, and what the decisions about the others need. */
export interface TakenOrLoaded<Request> {
  stored: ReadonlyMap<Request, Answer>
  loaded: Loaded<Request>
}

/** An operation that takes prizes from players. */
interface TakingOperation<Request> {
  operation: Operation
  /** Throws a RewardsError unless this player may take this prize. */
  decide: (playerId: string, prize: PrizeSnapshot | undefined, now: Date) => void
  /** One statement, with the steps of accepted-prizes.ts, whose guard says the same as `decide`. */
  take: (requests: readonly Request[], locks: RowLocks) => Promise<TakenOrLoaded<Request>>
}

/** The change of an operation that takes prizes. A write is the request itself. */
export function takingPrizes<Request extends PrizeRequest>(
  { database, clock }: Pick<TakePrizesDeps, 'database' | 'clock'>,
  { operation, decide, take }: TakingOperation<Request>,
): SharedChange<Request, Loaded<Request>, Request, Answer> {
  return {
    load: async (requests, extent) => {
      const prizes = await loadPrizes(database, requests, extent)
      return { prizes, now: clock.now() }
    },
    decide: (request, { prizes, now }) => {
      const { prize, stored, isMissed } = prizes.get(request) ?? {}
      const replay = replayOf(operation, request.claim, stored)
      if (replay) return { answer: replay }
      if (isMissed) return 'set_aside'
      decide(request.playerId, prize, now)
      return { write: request }
    },
    store: async (requests) => (await take(requests, rowLocks.wait)).stored,
    storeFree: async (requests) => (await take(requests, rowLocks.skip)).stored,
    storeOrLoad: (requests) => take(requests, rowLocks.skip),
  }
}

/** Reads the rows of `takenOrLoaded`, and hands the work of the taken prizes over. */
export function settleTaking<Request extends PrizeRequest>(
  { handOver, response }: Pick<TakePrizesDeps, 'handOver' | 'response'>,
  {
    jobName,
    takings,
    rows,
    now,
  }: {
    jobName: JobName
    takings: readonly Taking<Request>[]
    rows: readonly TakenOrLoadedRow[]
    now: Date
  },
): TakenOrLoaded<Request> {
  const stored = new Map<Request, Answer>()
  const prizes = new Map<Request, LoadedPrize>()
  const works = []
  const answer = { response, replayed: false }
  const rowOf = new Map(rows.map((row) => [row.object_id, row]))
  for (const { request, objectId } of takings) {
    const row = rowOf.get(objectId)
    if (row === undefined) throw new Error('a request got no row')
    if (row.outbox_id === null) {
      prizes.set(request, toLoadedPrize(row))
      continue
    }
    stored.set(request, answer)
    const origin = originOf(request.casinoId, traceparentOf(request))
    works.push({ jobName, outboxId: String(row.outbox_id), objectId, ...origin })
  }
  handOver(works)
  return { stored, loaded: { prizes, now } }
}
