import type { LaneProcesses } from '../batch/lane-batcher.ts'
import { processesOf } from '../batch/shared-change.ts'
import type { SharedChange } from '../batch/shared-change.ts'
import type { EnvelopeCipher } from '../crypto/envelope.ts'
import { timedEvents } from '../event/written-events.ts'
import type { WrittenEvent } from '../event/written-events.ts'
import { replayOf } from '../idempotency/idempotency.ts'
import type { Answer } from '../idempotency/idempotency.ts'
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
import { decideOrder } from './decide-order.ts'
import type { DeliveryDetails } from './delivery-details.ts'

export interface PlaceOrderRequest extends PrizeRequest {
  delivery: DeliveryDetails
}

interface Loaded {
  prizes: ReadonlyMap<PlaceOrderRequest, LoadedPrize>
  now: Date
}

export interface PlaceOrdersDeps {
  database: Database
  clock: Clock
  cipher: EnvelopeCipher
  handOver: HandOver
  /** The answer to a request that is carried out; see `Answer`. */
  response: string
}

/**
 * Records that players order physical prizes. The prize is taken, the order awaits the casino's confirmation, and the
 * following work is in the outbox, all in one statement. Throws `prize_unknown`, `prize_not_owned`,
 * `prize_not_orderable` or `idempotency_key_reused`.
 */
export function createPlaceOrders(deps: PlaceOrdersDeps): LaneProcesses<PlaceOrderRequest, Answer> {
  const change: SharedChange<PlaceOrderRequest, Loaded, PlaceOrderRequest, Answer> = {
    load: async (requests, extent) => {
      const prizes = await loadPrizes(deps.database, requests, extent)
      return { prizes, now: deps.clock.now() }
    },
    decide: (request, { prizes, now }) => {
      const { prize, stored, isMissed } = prizes.get(request) ?? {}
      const replay = replayOf('prize_order', request.claim, stored)
      if (replay) return { answer: replay }
      if (isMissed) return 'set_aside'
      decideOrder(request.playerId, prize, now)
      return { write: request }
    },
    store: async (requests) => (await storeOrders(deps, requests, rowLocks.wait)).stored,
    storeFree: async (requests) => (await storeOrders(deps, requests, rowLocks.skip)).stored,
    storeOrLoad: (requests) => storeOrders(deps, requests, rowLocks.skip),
  }
  return processesOf(change)
}

const orderPlaced = {
  from: sql`accepted`,
  objectType: 'prize_order',
  objectId: sql`order_id`,
  sequence: sql`1`,
  type: 'prize_order.placed',
  toState: 'pending_confirmation',
  actor: sql`actor`,
  requestId: sql`request_id`,
  traceparent: sql`traceparent`,
} satisfies WrittenEvent

const fulfilmentDue = causedWork({
  from: sql`accepted`,
  jobName: 'fulfil-prize-order',
  objectId: sql`order_id`,
  casinoId: sql`casino_id`,
  traceparent: sql`traceparent`,
})

const insertedOrders = timed((now) =>
  insertInto('prize_order', {
    from: sql`accepted`,
    columns: {
      id: sql`order_id`,
      ...sameColumns('casino_id', 'prize_id', 'player_id'),
      state: 'pending_confirmation',
      ...sameColumns('delivery_ciphertext', 'delivery_key', 'delivery_key_id'),
      created_at: now,
      updated_at: now,
    },
  }),
)

const placingWritten = timedEvents(prizeTaken('ordered'), orderPlaced)

/** As `decideOrder` has it. */
const isOrderable = sql`prize.kind = 'physical'`

async function storeOrders(
  { database, clock, cipher, handOver, response }: PlaceOrdersDeps,
  requests: readonly PlaceOrderRequest[],
  locks: RowLocks,
): Promise<{ stored: ReadonlyMap<PlaceOrderRequest, Answer>; loaded: Loaded }> {
  const now = clock.now()
  const orders = requests.map((request) => {
    const orderId = newId('ord', now)
    return { request, orderId, sealed: cipher.seal(JSON.stringify(request.delivery), orderId) }
  })
  const rows = await database.$queryRaw<TakenOrLoadedRow[]>`
    WITH input AS (
      SELECT * FROM ${batchInput(orders, {
        position: int((_, index) => index),
        casino_id: text(({ request }) => request.casinoId),
        prize_id: text(({ request }) => request.prizeId),
        player_id: text(({ request }) => request.playerId),
        order_id: text(({ orderId }) => orderId),
        actor: text(({ request }) => request.actor),
        request_id: text(({ request }) => request.requestId),
        traceparent: text(({ request }) => traceparentOf(request)),
        key: text(({ request }) => request.claim?.key ?? null),
        fingerprint: bytea(({ request }) => request.claim?.fingerprint ?? null),
        delivery_ciphertext: bytea(({ sealed }) => sealed.ciphertext),
        delivery_key: bytea(({ sealed }) => sealed.wrappedKey),
        delivery_key_id: text(({ sealed }) => sealed.keyId),
      })}
    ),
    ${acceptedPrizes({ operation: 'prize_order', response, isTakable: isOrderable, now, locks })},
    ${prizesMovedTo('ordered', 'accepted', now)},
    order_placed AS (
      ${insertedOrders(now)}
    ),
    event_written AS (
      ${placingWritten(now)}
    ),
    ${fulfilmentDue}
    ${takenOrLoaded(sql`input.order_id`)}`

  const { taken, works, prizes } = readTakenOrLoaded(rows, requests, {
    jobName: 'fulfil-prize-order',
    objectIds: orders.map(({ orderId }) => orderId),
  })
  handOver(works)
  const answer = { response, replayed: false }
  return { stored: new Map(taken.map((request) => [request, answer])), loaded: { prizes, now } }
}
