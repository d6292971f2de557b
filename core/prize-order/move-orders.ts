import { loadDecideStore } from '../batch/load-decide-store.ts'
import type { Change } from '../batch/load-decide-store.ts'
import type { Settled } from '../batch/batcher.ts'
import { RewardsError } from '../errors.ts'
import type { HandOver } from '../outbox/hand-over.ts'
import { relayAfterMs } from '../outbox/outbox.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import type { PrizeState } from '../prize/state.ts'
import { decideMove } from './decide-move.ts'
import type { MovePlan, OrderMove } from './decide-move.ts'
import type { OrderRecord } from './read-orders.ts'
import type { OrderState } from './state.ts'

export interface MoveOrderRequest {
  casinoId: string
  orderId: string
  move: OrderMove
  /** Who sends the parcel and under which number; null leaves what is known. Only for `ship`. */
  carrier: string | null
  trackingNumber: string | null
  /** Who moves it and why, for the history: `admin` or `key:…`. */
  actor: string
  reason: string | null
  requestId: string
}

export interface MoveOrdersDeps {
  database: Database
  clock: Clock
  handOver: HandOver
}

interface MovableOrder extends OrderRecord {
  state: OrderState
  revision: number
  prizeState: PrizeState
  prizeRevision: number
}

interface MoveWrite {
  request: MoveOrderRequest
  order: MovableOrder
  plan: MovePlan
}

/** By casino and order id, as `orderKeyOf` makes it. */
type Loaded = ReadonlyMap<string, MovableOrder>

/**
 * Moves orders along their states for operators: the order, its prize, their history and the work that follows are one
 * statement, which takes effect only on what was looked at. Answers each order as the move left it. A batch must not hold
 * two requests of one order. Refuses with `order_unknown` or `transition_illegal`.
 */
export function createMoveOrders(
  deps: MoveOrdersDeps,
): (requests: readonly MoveOrderRequest[]) => Promise<Settled<OrderRecord>[]> {
  const change: Change<MoveOrderRequest, Loaded, MoveWrite, OrderRecord> = {
    load: (requests) => loadOrders(deps.database, requests),
    decide: (request, loaded) => {
      const order = loaded.get(orderKeyOf(request.casinoId, request.orderId))
      if (order === undefined) throw new RewardsError('order_unknown')
      return { write: { request, order, plan: decideMove(request.move, order) } }
    },
    store: (writes) => storeMoves(deps, writes),
  }
  return (requests) => loadDecideStore(change, requests)
}

function orderKeyOf(casinoId: string, orderId: string): string {
  return JSON.stringify([casinoId, orderId])
}

async function loadOrders(database: Database, requests: readonly MoveOrderRequest[]): Promise<Loaded> {
  const rows = await database.$queryRaw<(MovableOrder & { casinoId: string })[]>`
    SELECT prize_order.casino_id AS "casinoId", prize_order.id, prize_order.prize_id AS "prizeId",
           prize_order.player_id AS "playerId", prize_order.state, prize_order.revision, prize_order.provider,
           prize_order.carrier, prize_order.tracking_number AS "trackingNumber",
           prize_order.created_at AS "createdAt", prize_order.updated_at AS "updatedAt",
           prize.state AS "prizeState", prize.revision AS "prizeRevision"
      FROM unnest(
        ${requests.map((request) => request.casinoId)}::text[],
        ${requests.map((request) => request.orderId)}::text[]
      ) AS input (casino_id, order_id)
      JOIN prize_order ON prize_order.id = input.order_id AND prize_order.casino_id = input.casino_id
      JOIN prize ON prize.casino_id = prize_order.casino_id AND prize.id = prize_order.prize_id`
  return new Map(rows.map(({ casinoId, ...order }) => [orderKeyOf(casinoId, order.id), order]))
}

async function storeMoves(
  { database, clock, handOver }: MoveOrdersDeps,
  writes: readonly MoveWrite[],
): Promise<ReadonlyMap<MoveWrite, OrderRecord>> {
  const now = clock.now()
  const outcomes = new Map(writes.map((write) => [write, outcomeOf(write, now)]))
  const after = [...outcomes.values()]
  const rows = await database.$queryRaw<{ order_id: string; outbox_id: bigint | null }[]>`
    WITH input AS (
      SELECT * FROM unnest(
        ${writes.map((w) => w.request.casinoId)}::text[],
        ${writes.map((w) => w.order.id)}::text[],
        ${writes.map((w) => w.order.revision)}::int[],
        ${writes.map((w) => w.order.state)}::text[],
        ${writes.map((w) => (w.plan.path.length > 1 ? (w.plan.path[0] ?? null) : null))}::text[],
        ${after.map((order) => order.state)}::text[],
        ${writes.map((w) => w.order.revision + w.plan.path.length)}::int[],
        ${writes.map((w) => w.order.prizeId)}::text[],
        ${writes.map((w) => w.order.prizeRevision)}::int[],
        ${writes.map((w) => w.order.prizeState)}::text[],
        ${writes.map((w) => w.plan.prizeTo)}::text[],
        ${after.map((order) => order.provider)}::text[],
        ${after.map((order) => order.carrier)}::text[],
        ${after.map((order) => order.trackingNumber)}::text[],
        ${writes.map((w) => w.request.actor)}::text[],
        ${writes.map((w) => w.request.reason)}::text[],
        ${writes.map((w) => w.request.requestId)}::text[]
      ) AS input (casino_id, order_id, revision, from_state, via_state, to_state, to_revision, prize_id, prize_revision,
                  prize_from, prize_to, provider, carrier, tracking_number, actor, reason, request_id)
    ),
    prize_locked AS (
      SELECT prize.casino_id, prize.id
        FROM prize JOIN input ON prize.casino_id = input.casino_id AND prize.id = input.prize_id
       WHERE prize.revision = input.prize_revision
       ORDER BY prize.casino_id, prize.id
         FOR UPDATE OF prize
    ),
    accepted AS (
      SELECT input.*
        FROM prize_order
        JOIN input ON prize_order.id = input.order_id AND prize_order.casino_id = input.casino_id
        JOIN prize_locked ON prize_locked.casino_id = input.casino_id AND prize_locked.id = input.prize_id
       WHERE prize_order.revision = input.revision
       ORDER BY prize_order.id
         FOR UPDATE OF prize_order
    ),
    prize_moved AS (
      UPDATE prize SET state = prize_to, revision = prize.revision + 1, updated_at = ${now}::timestamptz
        FROM accepted
       WHERE prize.casino_id = accepted.casino_id AND prize.id = accepted.prize_id AND prize_to IS NOT NULL
    ),
    order_moved AS (
      UPDATE prize_order
         SET state = to_state, revision = to_revision, provider = accepted.provider, carrier = accepted.carrier,
             tracking_number = accepted.tracking_number, updated_at = ${now}::timestamptz
        FROM accepted WHERE prize_order.id = accepted.order_id
    ),
    change AS (
      SELECT casino_id, 'prize_order' AS object_type, order_id AS object_id, revision + 1 AS sequence,
             'prize_order.' || via_state AS type, from_state, via_state AS to_state, actor, reason, request_id
        FROM accepted WHERE via_state IS NOT NULL
       UNION ALL
      SELECT casino_id, 'prize_order', order_id, to_revision, 'prize_order.' || to_state,
             COALESCE(via_state, from_state), to_state, actor, reason, request_id
        FROM accepted
       UNION ALL
      SELECT casino_id, 'prize', prize_id, prize_revision + 1,
             CASE prize_to WHEN 'won' THEN 'prize.returned' ELSE 'prize.' || prize_to END,
             prize_from, prize_to, actor, reason, request_id
        FROM accepted WHERE prize_to IS NOT NULL
    ),
    event_written AS (
      INSERT INTO event (casino_id, object_type, object_id, sequence, type, from_state, to_state, actor, reason,
                         request_id, created_at)
      SELECT casino_id, object_type, object_id, sequence, type, from_state, to_state, actor, reason, request_id,
             ${now}::timestamptz
        FROM change ORDER BY object_type DESC, object_id, sequence
    ),
    work_due AS (
      INSERT INTO outbox (job_name, object_id, due_at)
      SELECT 'fulfil-prize-order', order_id, now() + ${relayAfterMs}::float8 * interval '1 millisecond'
        FROM accepted WHERE to_state = 'confirmed'
      RETURNING id, object_id
    )
    SELECT accepted.order_id, work_due.id AS outbox_id
      FROM accepted LEFT JOIN work_due ON work_due.object_id = accepted.order_id`

  handOver(
    rows.flatMap((row) =>
      row.outbox_id === null
        ? []
        : [
            {
              jobName: 'fulfil-prize-order' as const,
              outboxId: String(row.outbox_id),
              objectId: row.order_id,
            },
          ],
    ),
  )
  const stored = new Set(rows.map((row) => row.order_id))
  return new Map([...outcomes].filter(([write]) => stored.has(write.order.id)))
}

/** The order as the move leaves it. Whoever submits an order without an outside provider is the `manual` one. */
function outcomeOf({ request, order, plan }: MoveWrite, now: Date): OrderRecord {
  return {
    id: order.id,
    prizeId: order.prizeId,
    playerId: order.playerId,
    state: plan.path.at(-1) ?? order.state,
    provider: plan.path.includes('submitted') ? 'manual' : order.provider,
    carrier: request.carrier ?? order.carrier,
    trackingNumber: request.trackingNumber ?? order.trackingNumber,
    createdAt: order.createdAt,
    updatedAt: now,
  }
}
