import type { EnvelopeCipher } from '../crypto/envelope.ts'
import { RewardsError } from '../errors.ts'
import type { Database } from '../platform/database.ts'
import { textArray } from '../platform/sql.ts'
import type { DeliveryDetails } from './delivery-details.ts'

/** An order as its casino looks at it, without the personal data. */
export interface OrderRecord {
  id: string
  prizeId: string
  /** The prize's item, and its name as it was promised. */
  itemId: string
  itemName: string
  playerId: string
  state: string
  provider: string | null
  carrier: string | null
  trackingNumber: string | null
  shipmentNumber: number
  exceptionReason: string | null
  /** Why it is held at present. */
  openHolds: readonly string[]
  remindersSent: number
  /** Why a worker holds it for people, as a code; null when none does. */
  problem: string | null
  createdAt: Date
  updatedAt: Date
  /** When it was delivered, rejected or cancelled. */
  endedAt: Date | null
}

/** What is read of an order to show it. */
export const shown = {
  id: true,
  prizeId: true,
  playerId: true,
  state: true,
  provider: true,
  carrier: true,
  trackingNumber: true,
  shipmentNumber: true,
  exceptionReason: true,
  remindersSent: true,
  problem: true,
  createdAt: true,
  updatedAt: true,
  endedAt: true,
  holds: { where: { releasedAt: null }, select: { reason: true }, orderBy: { placedAt: 'asc' } },
} as const

type Row = Omit<OrderRecord, 'openHolds' | 'itemId' | 'itemName'> & { holds: readonly { reason: string }[] }

/** With what their prizes are. */
export async function toRecords<Found extends Row>(
  database: Database,
  casinoId: string,
  rows: readonly Found[],
): Promise<{ row: Found; order: OrderRecord }[]> {
  const prizeIds = [...new Set(rows.map(({ prizeId }) => prizeId))]
  const prizes = await database.$queryRaw<{ id: string; itemId: string; itemName: string }[]>`
    SELECT id, item_id AS "itemId", item_name AS "itemName" FROM prize
     WHERE casino_id = ${casinoId}::text AND id = ANY(${textArray(prizeIds)})`
  const prizeOf = new Map(prizes.map((prize) => [prize.id, prize]))
  return rows.map((row) => {
    const prize = prizeOf.get(row.prizeId)
    if (prize === undefined) throw new Error(`order ${row.id} is of no prize`)
    const { itemId, itemName } = prize
    return { row, order: toRecord(row, { itemId, itemName }) }
  })
}

function toRecord(row: Row, item: Pick<OrderRecord, 'itemId' | 'itemName'>): OrderRecord {
  const { id, prizeId, playerId, state, provider, carrier, trackingNumber, shipmentNumber } = row
  const { exceptionReason, remindersSent, problem, createdAt, updatedAt, endedAt, holds } = row
  return {
    ...{ id, prizeId, ...item, playerId, state, provider, carrier, trackingNumber, shipmentNumber },
    ...{ exceptionReason, remindersSent, problem, createdAt, updatedAt, endedAt },
    openHolds: holds.map(({ reason }) => reason),
  }
}

/** With the decrypted delivery details; null when they have been erased. */
export interface OrderWithDelivery {
  order: OrderRecord
  delivery: DeliveryDetails | null
  /** What the provider calls it; null once the details are erased. */
  providerReference: string | null
}

interface Deps {
  database: Database
  cipher: EnvelopeCipher
}

const withDelivery = {
  ...shown,
  deliveryCiphertext: true,
  deliveryKey: true,
  deliveryKeyId: true,
  providerReference: true,
} as const

/** Throws `order_unknown`. */
export async function getOrderWithDelivery(
  { database, cipher }: Deps,
  casinoId: string,
  id: string,
): Promise<OrderWithDelivery> {
  const row = await database.prizeOrder.findFirst({ where: { casinoId, id }, select: withDelivery })
  if (row === null) throw new RewardsError('order_unknown')
  const [found] = await toRecords(database, casinoId, [row])
  if (found === undefined) throw new Error('an order gave no record')
  return openDelivery(cipher, found)
}

/** Decrypting takes time in which nothing else is done: after so many, others have their turn. */
const openedAtOnceMax = 100

/** A player's orders, the newest first, from the one before `beforeId` on, at most `max`. */
export async function listOrdersWithDelivery(
  { database, cipher }: Deps,
  { casinoId, playerId, beforeId }: { casinoId: string; playerId: string; beforeId: string | undefined },
  max: number,
): Promise<OrderWithDelivery[]> {
  const orders: OrderWithDelivery[] = []
  for (;;) {
    const last = orders.at(-1)?.order.id ?? beforeId
    const take = Math.min(openedAtOnceMax, max - orders.length)
    const rows = await database.prizeOrder.findMany({
      where: { casinoId, playerId, ...(last === undefined ? {} : { id: { lt: last } }) },
      orderBy: { id: 'desc' },
      take,
      select: withDelivery,
    })
    const found = await toRecords(database, casinoId, rows)
    orders.push(...found.map((one) => openDelivery(cipher, one)))
    if (rows.length < take || orders.length >= max) return orders
  }
}

type RowWithDelivery = Row & {
  deliveryCiphertext: Uint8Array
  deliveryKey: Uint8Array | null
  deliveryKeyId: string | null
  providerReference: string | null
}

function openDelivery(
  cipher: EnvelopeCipher,
  { row, order }: { row: RowWithDelivery; order: OrderRecord },
): OrderWithDelivery {
  const { deliveryCiphertext: ciphertext, deliveryKey: wrappedKey, deliveryKeyId: keyId } = row
  const { providerReference } = row
  if (wrappedKey === null || keyId === null) return { order, delivery: null, providerReference }
  const plaintext = cipher.open({ ciphertext, wrappedKey, keyId }, order.id)
  // We wrote it ourselves, and the cipher vouches that nobody has changed it since.
  return { order, delivery: JSON.parse(plaintext) as DeliveryDetails, providerReference }
}

/** A prize's orders: at most one that is live, and those that came to nothing. Two halves, for each has its index. */
export async function listOrdersOfPrize(
  database: Database,
  casinoId: string,
  prizeId: string,
): Promise<OrderRecord[]> {
  return database.$queryRaw<OrderRecord[]>`
    SELECT prize_order.id, prize_id AS "prizeId", prize.item_id AS "itemId", prize.item_name AS "itemName",
           prize_order.player_id AS "playerId", prize_order.state, provider, carrier,
           tracking_number AS "trackingNumber", shipment_number AS "shipmentNumber",
           exception_reason AS "exceptionReason", reminders_sent AS "remindersSent", problem,
           prize_order.created_at AS "createdAt", prize_order.updated_at AS "updatedAt", ended_at AS "endedAt",
           ARRAY(SELECT reason FROM order_hold
                  WHERE order_hold.order_id = prize_order.id AND order_hold.released_at IS NULL
                  ORDER BY placed_at, reason) AS "openHolds"
      FROM (
        SELECT * FROM prize_order
         WHERE casino_id = ${casinoId}::text AND prize_id = ${prizeId}::text AND state NOT IN ('rejected', 'cancelled')
        UNION ALL
        SELECT * FROM prize_order
         WHERE casino_id = ${casinoId}::text AND prize_id = ${prizeId}::text AND state IN ('rejected', 'cancelled')
      ) AS prize_order
      JOIN prize ON prize.casino_id = prize_order.casino_id AND prize.id = prize_order.prize_id
     ORDER BY prize_order.id`
}
