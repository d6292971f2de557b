import { workOfJobs } from '../outbox/work-steps.ts'
import { Prisma } from '../platform/database.ts'
import type { Database } from '../platform/database.ts'
import { batchInput, sql, text } from '../platform/sql.ts'
import { loadLive } from '../prize/bring-back.ts'
import type { JobPayload } from '../queue/jobs.ts'
import type { OrderSnapshot } from './order.ts'

/** Identifies an order within its casino. */
export interface OrderName {
  casinoId: string
  orderId: string
}

export function orderKeyOf({ casinoId, orderId }: OrderName): string {
  return JSON.stringify([casinoId, orderId])
}

const inputOf = (names: readonly OrderName[]) =>
  batchInput(names, {
    casino_id: text((name) => name.casinoId),
    order_id: text((name) => name.orderId),
  })

/** The columns of an OrderSnapshot, from prize_order and prize. */
const snapshot = sql`
  prize_order.casino_id AS "casinoId", prize_order.id, prize_order.prize_id AS "prizeId",
  prize.item_id AS "itemId", prize.item_name AS "itemName", prize_order.player_id AS "playerId", prize_order.state, prize_order.revision, prize_order.provider,
  prize_order.carrier, prize_order.tracking_number AS "trackingNumber",
  prize_order.shipment_number AS "shipmentNumber", prize_order.exception_reason AS "exceptionReason",
  prize_order.returns_prize AS "returnsPrize", prize_order.cancelled_from AS "cancelledFrom",
  prize_order.provider_reference AS "providerReference", prize_order.provider_asked AS "providerAsked",
  prize_order.problem, prize_order.partner_occurred_at AS "partnerOccurredAt",
  prize_order.announced_at AS "announcedAt", prize_order.reminders_sent AS "remindersSent", prize_order.attempts,
  prize_order.attempt_until AS "attemptUntil", prize_order.next_poll_at AS "nextPollAt", prize_order.created_at AS "createdAt",
  prize_order.updated_at AS "updatedAt", prize_order.ended_at AS "endedAt", prize.state AS "prizeState", prize.revision AS "prizeRevision",
  ARRAY(SELECT reason FROM order_hold
         WHERE order_hold.order_id = prize_order.id AND order_hold.released_at IS NULL
         ORDER BY placed_at, reason) AS "openHolds"`

/**
 * Selects the orders of `found`, a query of every_prize_order, optionally with more of its columns. In no particular order.
 */
export function selectOrders(found: Prisma.Sql, more?: Prisma.Sql): Prisma.Sql {
  return sql`
    SELECT ${snapshot} ${more === undefined ? Prisma.empty : sql`, ${more}`}
      FROM (${found}) AS prize_order
      JOIN LATERAL (
        SELECT * FROM every_prize AS one
         WHERE one.casino_id = prize_order.casino_id AND one.id = prize_order.prize_id LIMIT 1
      ) AS prize ON true`
}

/** The existing orders, live or archived, keyed by `orderKeyOf`: to look at. */
export async function findOrders(
  database: Database,
  names: readonly OrderName[],
): Promise<ReadonlyMap<string, OrderSnapshot>> {
  const found = sql`
    SELECT one.*
      FROM ${inputOf(names)}
     CROSS JOIN LATERAL (
       SELECT * FROM every_prize_order
        WHERE every_prize_order.id = input.order_id AND every_prize_order.casino_id = input.casino_id LIMIT 1
     ) AS one`
  return byKey(await database.$queryRaw<OrderSnapshot[]>`${selectOrders(found)}`)
}

/** The existing orders, keyed by `orderKeyOf`. An archived order is live when this returns it. */
export function loadOrdersToChange(
  database: Database,
  names: readonly OrderName[],
): Promise<ReadonlyMap<string, OrderSnapshot>> {
  return loadLive(database, names, {
    kind: 'prize_order',
    nameOf: ({ casinoId, orderId: id }) => ({ casinoId, id }),
    keyOf: orderKeyOf,
    load: (wanted) => loadOrders(database, wanted),
  })
}

async function loadOrders(
  database: Database,
  names: readonly OrderName[],
): Promise<ReadonlyMap<string, OrderSnapshot>> {
  const rows = await database.$queryRaw<OrderSnapshot[]>`
    SELECT ${snapshot}
      FROM ${inputOf(names)}
      JOIN prize_order ON prize_order.id = input.order_id AND prize_order.casino_id = input.casino_id
      JOIN prize ON prize.casino_id = prize_order.casino_id AND prize.id = prize_order.prize_id`
  return byKey(rows)
}

function byKey(orders: readonly OrderSnapshot[]): ReadonlyMap<string, OrderSnapshot> {
  return new Map(orders.map((order) => [orderKeyOf({ casinoId: order.casinoId, orderId: order.id }), order]))
}

/** An order with its work in the outbox. */
export interface OrderOfWork extends OrderSnapshot {
  /** The work is snoozed. Its job was repeated after the queue had lost it, and came too late. */
  isSnoozed: boolean
}

/** The orders of jobs, by outbox id. Finished work is not found: its row is gone. */
export async function loadOrdersOfWork(
  database: Database,
  jobs: readonly JobPayload[],
): Promise<ReadonlyMap<string, OrderOfWork>> {
  const rows = await database.$queryRaw<(OrderOfWork & { outboxId: bigint })[]>`
    SELECT work.id AS "outboxId", work.snoozed_until IS NOT NULL AS "isSnoozed", ${snapshot}
      FROM ${workOfJobs(jobs, ['fulfil-prize-order', 'apply-shipment-news'])}
      JOIN prize_order ON prize_order.id = work.object_id
      JOIN prize ON prize.casino_id = prize_order.casino_id AND prize.id = prize_order.prize_id`
  return new Map(rows.map(({ outboxId, ...order }) => [String(outboxId), order]))
}
