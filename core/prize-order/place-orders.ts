import type { LaneProcesses } from '../batch/lane-batcher.ts'
import { processesOf } from '../batch/shared-change.ts'
import type { SharedChange } from '../batch/shared-change.ts'
import type { EnvelopeCipher } from '../crypto/envelope.ts'
import { timedEvents } from '../event/written-events.ts'
import type { WrittenEvent } from '../event/written-events.ts'
import { replayOf } from '../idempotency/idempotency.ts'
import type { Answer } from '../idempotency/idempotency.ts'
import { dueRow, toDueWork } from '../outbox/due-row.ts'
import type { DueRow } from '../outbox/due-row.ts'
import type { HandOver } from '../outbox/hand-over.ts'
import { causedWork } from '../outbox/work-steps.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import { newId } from '../platform/ids.ts'
import { batchInput, bytea, int, rowLocks, sql, text, timed } from '../platform/sql.ts'
import type { RowLocks } from '../platform/sql.ts'
import { insertInto, sameColumns } from '../platform/sql-insert.ts'
import { traceparentOf } from '../trace/carried-span.ts'
import { acceptedPrizes, prizeTaken } from '../prize/accepted-prizes.ts'
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

interface OrderWrite {
  request: PlaceOrderRequest
  revision: number
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
  const change: SharedChange<PlaceOrderRequest, Loaded, OrderWrite, Answer> = {
    load: async (requests, extent) => {
      const prizes = await loadPrizes(deps.database, requests, extent)
      return { prizes, now: deps.clock.now() }
    },
    decide: (request, { prizes, now }) => {
      const { prize, stored, isMissed } = prizes.get(request) ?? {}
      const replay = replayOf('prize_order', request.claim, stored)
      if (replay) return { answer: replay }
      if (isMissed) return 'set_aside'
      const { revision } = decideOrder(request.playerId, prize, now)
      return { write: { request, revision } }
    },
    store: (writes) => storeOrders(deps, writes, rowLocks.wait),
    storeFree: (writes) => storeOrders(deps, writes, rowLocks.skip),
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

async function storeOrders(
  { database, clock, cipher, handOver, response }: PlaceOrdersDeps,
  writes: readonly OrderWrite[],
  locks: RowLocks,
): Promise<ReadonlyMap<OrderWrite, Answer>> {
  const now = clock.now()
  const orders = writes.map((write) => {
    const orderId = newId('ord', now)
    const sealed = cipher.seal(JSON.stringify(write.request.delivery), orderId)
    return { write, request: write.request, revision: write.revision, orderId, sealed }
  })
  const rows = await database.$queryRaw<(DueRow & { order_id: string })[]>`
    WITH input AS (
      SELECT * FROM ${batchInput(orders, {
        casino_id: text((w) => w.request.casinoId),
        prize_id: text((w) => w.request.prizeId),
        player_id: text((w) => w.request.playerId),
        revision: int((w) => w.revision),
        order_id: text((w) => w.orderId),
        actor: text((w) => w.request.actor),
        request_id: text((w) => w.request.requestId),
        traceparent: text((w) => traceparentOf(w.request)),
        key: text((w) => w.request.claim?.key ?? null),
        fingerprint: bytea((w) => w.request.claim?.fingerprint ?? null),
        delivery_ciphertext: bytea((w) => w.sealed.ciphertext),
        delivery_key: bytea((w) => w.sealed.wrappedKey),
        delivery_key_id: text((w) => w.sealed.keyId),
      })}
    ),
    ${acceptedPrizes('prize_order', response, locks)},
    ${prizesMovedTo('ordered', 'accepted', now)},
    order_placed AS (
      ${insertedOrders(now)}
    ),
    event_written AS (
      ${placingWritten(now)}
    ),
    ${fulfilmentDue}
    SELECT object_id AS order_id, ${dueRow} FROM work_due`

  handOver(rows.flatMap((row) => toDueWork('fulfil-prize-order', row.order_id, row)))
  const stored = new Set(rows.map((row) => row.order_id))
  return new Map(
    orders
      .filter(({ orderId }) => stored.has(orderId))
      .map(({ write }) => [write, { response, replayed: false }]),
  )
}
