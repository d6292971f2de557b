import { RewardsError } from '../errors.ts'
import type { HandOver } from '../outbox/hand-over.ts'
import { causedWork } from '../outbox/work-steps.ts'
import type { ShipmentNews, ShipmentStatus } from '../partner/provider-outcome.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import { instant, sql } from '../platform/sql.ts'
import { insertInto } from '../platform/sql-insert.ts'
import { erasedNewsId } from './erased-news.ts'
import type { OrderSnapshot } from './order.ts'

/** What a provider says of a shipment, under the provider's own id of the message. */
export interface ReceivedNews extends ShipmentNews {
  id: string
  orderId: string
  shipmentNumber: number
}

/** Clocks differ by minutes. One that is ahead by more would silence everything that is told afterwards. */
export const newsAheadMaxMs = 24 * 3_600_000

/**
 * Writes down what a provider says, once for each of its ids, with the work of acting on it. Whether anything follows is
 * decided by a worker. Of an order whose delivery details were erased, nothing is kept that leads to a person; the lock
 * keeps the order from being erased at the same moment. What was heard by asking has no id of the provider's: with
 * `isAnswer`, the same once more is the same piece. Throws `order_unknown`.
 */
export async function receiveNews(
  { database, clock, handOver }: { database: Database; clock: Clock; handOver: HandOver },
  casinoId: string,
  news: ReceivedNews,
  { isAnswer = false }: { isAnswer?: boolean } = {},
): Promise<void> {
  const rows = await database.$queryRaw<{ order_id: string; outbox_id: bigint | null }[]>`
    WITH known AS (
      SELECT id, delivery_key IS NULL AS is_erased FROM prize_order
       WHERE id = ${news.orderId}::text AND casino_id = ${casinoId}::text
         FOR SHARE
    ),
    received AS (
      ${insertInto('partner_event', {
        columns: {
          casino_id: sql`${casinoId}::text`,
          id: sql`CASE WHEN is_erased THEN ${erasedNewsId(sql`${news.id}::text`)} ELSE ${news.id}::text END`,
          order_id: sql`id`,
          shipment_number: sql`${news.shipmentNumber}::int`,
          status: sql`${news.status}::text`,
          reason: sql`CASE WHEN NOT is_erased THEN ${news.reason}::text END`,
          carrier: sql`CASE WHEN NOT is_erased THEN ${news.carrier}::text END`,
          tracking_number: sql`CASE WHEN NOT is_erased THEN ${news.trackingNumber}::text END`,
          occurred_at: instant(news.occurredAt),
          received_at: instant(clock.now()),
        },
        from: sql`known
       WHERE NOT (${isAnswer}::boolean AND EXISTS (
               SELECT FROM partner_event AS heard
                WHERE heard.casino_id = ${casinoId}::text AND heard.order_id = known.id
                  AND heard.shipment_number = ${news.shipmentNumber}::int AND heard.status = ${news.status}::text
                  AND heard.occurred_at = ${instant(news.occurredAt)}
                  AND (is_erased
                       OR heard.reason IS NOT DISTINCT FROM ${news.reason}::text
                          AND heard.carrier IS NOT DISTINCT FROM ${news.carrier}::text
                          AND heard.tracking_number IS NOT DISTINCT FROM ${news.trackingNumber}::text)))`,
      })}
          ON CONFLICT DO NOTHING
      RETURNING order_id
    ),
    ${causedWork({ from: sql`received`, jobName: 'apply-shipment-news', objectId: sql`order_id` })}
    SELECT known.id AS order_id, work_due.id AS outbox_id
      FROM known LEFT JOIN work_due ON work_due.object_id = known.id`
  if (rows.length === 0) throw new RewardsError('order_unknown')
  handOver(
    rows.flatMap(({ order_id: objectId, outbox_id: id }) =>
      id === null ? [] : [{ jobName: 'apply-shipment-news' as const, outboxId: String(id), objectId }],
    ),
  )
}

/**
 * Writes down what a provider's answer says against an order that its updates have moved on: it changes nothing, and is
 * counted with the news that people must look into. It silences nothing that is told next, so it is older than all of it.
 */
export async function noteAnswer(
  { database, clock }: { database: Database; clock: Clock },
  { casinoId, id: orderId, shipmentNumber, createdAt }: OrderSnapshot,
  status: ShipmentStatus,
): Promise<void> {
  const id = `answered/${orderId}-${shipmentNumber}/${status}/${clock.now().toISOString()}`
  await database.$executeRaw`
    ${insertInto('partner_event', {
      columns: {
        casino_id: sql`${casinoId}::text`,
        id: sql`${id}::text`,
        order_id: sql`${orderId}::text`,
        shipment_number: sql`${shipmentNumber}::int`,
        status: sql`${status}::text`,
        occurred_at: instant(createdAt),
        received_at: instant(clock.now()),
        outcome: 'noted',
      },
    })}
        ON CONFLICT DO NOTHING`
}
