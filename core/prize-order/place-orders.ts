import type { LaneProcesses } from '../batch/lane-batcher.ts'
import { processesOf } from '../batch/shared-change.ts'
import type { EnvelopeCipher } from '../crypto/envelope.ts'
import { timedEvents } from '../event/written-events.ts'
import type { WrittenEvent } from '../event/written-events.ts'
import type { Answer } from '../idempotency/idempotency.ts'
import { causedWork } from '../outbox/work-steps.ts'
import { newId } from '../platform/ids.ts'
import { batchInput, bytea, sql, text, timed } from '../platform/sql.ts'
import type { RowLocks } from '../platform/sql.ts'
import { insertInto, sameColumns } from '../platform/sql-insert.ts'
import { acceptedPrizes, prizeTaken, takenOrLoaded, takingColumns } from '../prize/accepted-prizes.ts'
import type { TakenOrLoadedRow } from '../prize/accepted-prizes.ts'
import type { PrizeRequest } from '../prize/load-prizes.ts'
import { prizesMovedTo } from '../prize/moved-prizes.ts'
import { settleTaking, takingPrizes } from '../prize/take-prizes.ts'
import type { TakePrizesDeps, TakenOrLoaded } from '../prize/take-prizes.ts'
import { decideOrder } from './decide-order.ts'
import type { DeliveryDetails } from './delivery-details.ts'

export interface PlaceOrderRequest extends PrizeRequest {
  delivery: DeliveryDetails
}

export interface PlaceOrdersDeps extends TakePrizesDeps {
  cipher: EnvelopeCipher
}

/**
 * Records that players order physical prizes. The prize is taken, the order awaits the casino's confirmation, and the
 * following work is in the outbox, all in one statement. Throws `prize_unknown`, `prize_not_owned`,
 * `prize_not_orderable` or `idempotency_key_reused`.
 */
export function createPlaceOrders(deps: PlaceOrdersDeps): LaneProcesses<PlaceOrderRequest, Answer> {
  const operation = 'prize_order'
  const take = (requests: readonly PlaceOrderRequest[], locks: RowLocks) => storeOrders(deps, requests, locks)
  return processesOf(takingPrizes(deps, { operation, decide: decideOrder, take }))
}

const orderPlaced = {
  from: sql`accepted`,
  objectType: 'prize_order',
  objectId: sql`object_id`,
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
  objectId: sql`object_id`,
  casinoId: sql`casino_id`,
  traceparent: sql`traceparent`,
})

const insertedOrders = timed((now) =>
  insertInto('prize_order', {
    from: sql`accepted`,
    columns: {
      id: sql`object_id`,
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
  deps: PlaceOrdersDeps,
  requests: readonly PlaceOrderRequest[],
  locks: RowLocks,
): Promise<TakenOrLoaded<PlaceOrderRequest>> {
  const { database, clock, cipher, response } = deps
  const now = clock.now()
  const takings = requests.map((request) => {
    const objectId = newId('ord', now)
    return { request, objectId, sealed: cipher.seal(JSON.stringify(request.delivery), objectId) }
  })
  const rows = await database.$queryRaw<TakenOrLoadedRow[]>`
    WITH input AS (
      SELECT * FROM ${batchInput(takings, {
        ...takingColumns,
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
    ${takenOrLoaded}`

  return settleTaking(deps, { jobName: 'fulfil-prize-order', takings, rows, now })
}
