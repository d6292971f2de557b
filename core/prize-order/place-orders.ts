import type { LaneProcesses } from '../batch/lane-batcher.ts'
import { processesOf } from '../batch/shared-change.ts'
import type { SharedChange } from '../batch/shared-change.ts'
import type { EnvelopeCipher } from '../crypto/envelope.ts'
import { replayOf } from '../idempotency/idempotency.ts'
import type { Answer } from '../idempotency/idempotency.ts'
import type { HandOver } from '../outbox/hand-over.ts'
import { relayAfterMs } from '../outbox/outbox.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import { newId } from '../platform/ids.ts'
import { batchInput, bytea, instant, int, rowLocks, text } from '../platform/sql.ts'
import type { RowLocks } from '../platform/sql.ts'
import { acceptedPrizes } from '../prize/accepted-prizes.ts'
import { loadPrizes } from '../prize/load-prizes.ts'
import type { LoadedPrize, PrizeRequest } from '../prize/load-prizes.ts'
import { decideOrder } from './decide-order.ts'
import type { DeliveryDetails } from './delivery-details.ts'

export interface PlaceOrderRequest extends PrizeRequest {
  delivery: DeliveryDetails
}

interface OrderWrite {
  request: PlaceOrderRequest
  orderId: string
  revision: number
}

export interface PlaceOrdersDeps {
  database: Database
  clock: Clock
  cipher: EnvelopeCipher
  handOver: HandOver
  /** The body of the success answer, stored under the idempotency key. */
  successBody: string
}

/**
 * Records that players order physical prizes: the prize is taken, the order waits for the casino's confirmation, and the
 * work that follows is in the outbox, all in one statement. Refuses with `prize_unknown`, `prize_not_owned`,
 * `prize_not_orderable` or `idempotency_key_reused`.
 */
export function createPlaceOrders(deps: PlaceOrdersDeps): LaneProcesses<PlaceOrderRequest, Answer> {
  const change: SharedChange<
    PlaceOrderRequest,
    ReadonlyMap<PlaceOrderRequest, LoadedPrize>,
    OrderWrite,
    Answer
  > = {
    load: (requests) => loadPrizes(deps.database, requests),
    decide: (request, loaded) => {
      const { prize, stored } = loaded.get(request) ?? {}
      const replay = replayOf('prize_order', request.claim, stored)
      if (replay) return { answer: replay }
      const now = deps.clock.now()
      const { revision } = decideOrder(request.playerId, prize, now)
      return { write: { request, orderId: newId('ord', now), revision } }
    },
    store: (writes) => storeOrders(deps, writes, rowLocks.wait),
    storeFree: (writes) => storeOrders(deps, writes, rowLocks.skip),
  }
  return processesOf(change)
}

async function storeOrders(
  { database, clock, cipher, handOver, successBody }: PlaceOrdersDeps,
  writes: readonly OrderWrite[],
  locks: RowLocks,
): Promise<ReadonlyMap<OrderWrite, Answer>> {
  const sealed = writes.map((write) => ({
    ...write,
    sealed: cipher.seal(JSON.stringify(write.request.delivery), write.orderId),
  }))
  const now = clock.now()
  const rows = await database.$queryRaw<{ order_id: string; outbox_id: bigint }[]>`
    WITH input AS (
      SELECT * FROM ${batchInput(sealed, {
        casino_id: text((w) => w.request.casinoId),
        prize_id: text((w) => w.request.prizeId),
        player_id: text((w) => w.request.playerId),
        revision: int((w) => w.revision),
        order_id: text((w) => w.orderId),
        actor: text((w) => w.request.actor),
        request_id: text((w) => w.request.requestId),
        key: text((w) => w.request.claim?.key ?? null),
        fingerprint: bytea((w) => w.request.claim?.fingerprint ?? null),
        delivery_ciphertext: bytea((w) => w.sealed.ciphertext),
        delivery_key: bytea((w) => w.sealed.wrappedKey),
        delivery_key_id: text((w) => w.sealed.keyId),
      })}
    ),
    ${acceptedPrizes('prize_order', successBody, locks)},
    prize_ordered AS (
      UPDATE prize SET state = 'ordered', revision = prize.revision + 1, updated_at = ${instant(now)}
        FROM accepted WHERE prize.casino_id = accepted.casino_id AND prize.id = accepted.prize_id
    ),
    order_placed AS (
      INSERT INTO prize_order (id, casino_id, prize_id, player_id, state, delivery_ciphertext, delivery_key,
                               delivery_key_id, created_at, updated_at)
      SELECT order_id, casino_id, prize_id, player_id, 'pending_confirmation', delivery_ciphertext, delivery_key,
             delivery_key_id, ${instant(now)}, ${instant(now)}
        FROM accepted
    ),
    event_written AS (
      INSERT INTO event (casino_id, object_type, object_id, sequence, type, from_state, to_state, actor, request_id,
                         created_at)
      SELECT casino_id, 'prize', prize_id, revision + 1, 'prize.ordered', 'won', 'ordered', actor, request_id, ${instant(now)}
        FROM accepted
       UNION ALL
      SELECT casino_id, 'prize_order', order_id, 1, 'prize_order.placed', NULL, 'pending_confirmation', actor,
             request_id, ${instant(now)}
        FROM accepted
    ),
    work_due AS (
      INSERT INTO outbox (job_name, object_id, due_at)
      SELECT 'fulfil-prize-order', order_id, now() + ${relayAfterMs}::float8 * interval '1 millisecond' FROM accepted
      RETURNING id, object_id
    )
    SELECT object_id AS order_id, id AS outbox_id FROM work_due`

  handOver(
    rows.map((row) => ({
      jobName: 'fulfil-prize-order',
      outboxId: String(row.outbox_id),
      objectId: row.order_id,
    })),
  )
  const stored = new Set(rows.map((row) => row.order_id))
  return new Map(
    writes
      .filter((write) => stored.has(write.orderId))
      .map((write) => [write, { body: successBody, replayed: false }]),
  )
}
