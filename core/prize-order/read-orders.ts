import type { EnvelopeCipher } from '../crypto/envelope.ts'
import { RewardsError } from '../errors.ts'
import { newestOf } from '../page.ts'
import type { Newest } from '../page.ts'
import { Prisma } from '../platform/database.ts'
import type { Database } from '../platform/database.ts'
import { sql } from '../platform/sql.ts'
import type { DeliveryDetails } from './delivery-details.ts'
import { selectOrders } from './load-orders.ts'
import type { OrderSnapshot } from './order.ts'

/** An order with its decrypted delivery details; null if they were erased. */
export interface OrderWithDelivery extends OrderSnapshot {
  delivery: DeliveryDetails | null
}

interface Deps {
  database: Database
  cipher: EnvelopeCipher
}

/** Throws `order_unknown`. */
export async function getOrderWithDelivery(
  deps: Deps,
  casinoId: string,
  id: string,
): Promise<OrderWithDelivery> {
  const [order] = await readWithDelivery(
    deps,
    sql`SELECT * FROM every_prize_order WHERE casino_id = ${casinoId}::text AND id = ${id}::text LIMIT 1`,
  )
  if (order === undefined) throw new RewardsError('order_unknown')
  return order
}

/** Decrypting blocks the event loop, so it is interrupted after this many orders. */
const openedAtOnceMax = 100

/** A player's orders before `beforeId`, newest first, at most `max`. */
export async function listOrdersWithDelivery(
  deps: Deps,
  { casinoId, playerId, beforeId }: { casinoId: string; playerId: string; beforeId: string | undefined },
  max: number,
): Promise<OrderWithDelivery[]> {
  const orders: OrderWithDelivery[] = []
  for (;;) {
    const last = orders.at(-1)?.id ?? beforeId
    const take = Math.min(openedAtOnceMax, max - orders.length)
    const found = await readWithDelivery(
      deps,
      sql`SELECT * FROM every_prize_order
           WHERE casino_id = ${casinoId}::text AND player_id = ${playerId}::text
                 ${last === undefined ? Prisma.empty : sql`AND id < ${last}::text`}
           ORDER BY id DESC LIMIT ${take}::int`,
    )
    orders.push(...found)
    if (found.length < take || orders.length >= max) return orders
  }
}

interface Sealed {
  deliveryCiphertext: Uint8Array
  deliveryKey: Uint8Array | null
  deliveryKeyId: string | null
}

/** Newest first. */
async function readWithDelivery({ database, cipher }: Deps, found: Prisma.Sql): Promise<OrderWithDelivery[]> {
  const sealed = sql`prize_order.delivery_ciphertext AS "deliveryCiphertext",
    prize_order.delivery_key AS "deliveryKey", prize_order.delivery_key_id AS "deliveryKeyId"`
  const rows = await database.$queryRaw<(OrderSnapshot & Sealed)[]>`
    ${selectOrders(found, sealed)} ORDER BY prize_order.id DESC`
  return rows.map(({ deliveryCiphertext: ciphertext, deliveryKey, deliveryKeyId, ...order }) => {
    if (deliveryKey === null || deliveryKeyId === null) return { ...order, delivery: null }
    const plaintext = cipher.open({ ciphertext, wrappedKey: deliveryKey, keyId: deliveryKeyId }, order.id)
    // The service wrote it itself, and the cipher guarantees that it was not altered.
    return { ...order, delivery: JSON.parse(plaintext) as DeliveryDetails }
  })
}

/** A prize is ordered again only after a rejection or cancellation, so it has a few orders. */
const ordersOfPrizeMax = 100

/** A prize's orders, the oldest first: at most one live, and the ended ones. Two subqueries, because each has an index. */
export async function listOrdersOfPrize(
  database: Database,
  casinoId: string,
  prizeId: string,
): Promise<Newest<OrderSnapshot>> {
  const found = sql`
    SELECT * FROM every_prize_order
     WHERE casino_id = ${casinoId}::text AND prize_id = ${prizeId}::text AND state NOT IN ('rejected', 'cancelled')
    UNION ALL
    (SELECT * FROM every_prize_order
      WHERE casino_id = ${casinoId}::text AND prize_id = ${prizeId}::text AND state IN ('rejected', 'cancelled')
      ORDER BY id DESC LIMIT ${ordersOfPrizeMax + 1}::int)`
  const rows = await database.$queryRaw<OrderSnapshot[]>`${selectOrders(found)} ORDER BY prize_order.id`
  return newestOf(rows, ordersOfPrizeMax)
}
