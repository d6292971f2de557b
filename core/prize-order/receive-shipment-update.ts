import { RewardsError } from '../errors.ts'
import { dueRow, toDueWork } from '../outbox/due-row.ts'
import type { DueRow } from '../outbox/due-row.ts'
import type { HandOver } from '../outbox/hand-over.ts'
import { causedWork } from '../outbox/work-steps.ts'
import type { ShipmentUpdate, ShipmentStatus } from '../partner/provider-outcome.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import { instant, sql } from '../platform/sql.ts'
import { insertInto } from '../platform/sql-insert.ts'
import { loadLive } from '../prize/bring-back.ts'
import { currentTraceparent } from '../trace/current-span.ts'
import { erasedUpdateId } from './erased-update-id.ts'
import type { OrderSnapshot } from './order.ts'

/** A provider's report about a shipment, with the provider's message id. */
export interface ReceivedUpdate extends ShipmentUpdate {
  id: string
  orderId: string
  shipmentNumber: number
}

/** Clocks differ by minutes. An update further in the future would make all later ones stale. */
export const updateAheadMaxMs = 24 * 3_600_000

/**
 * Stores a provider's update once per message id, with the work of applying it; a worker decides about its effect. If
 * the order's delivery details were erased, nothing personal is stored; the shared lock keeps the order from being
 * erased meanwhile. A poll's answer has no message id: with `isAnswer`, a repeated answer is the same update. Throws
 * `order_unknown`.
 */
export async function receiveShipmentUpdate(
  { database, clock, handOver }: { database: Database; clock: Clock; handOver: HandOver },
  casinoId: string,
  update: ReceivedUpdate,
  { isAnswer = false }: { isAnswer?: boolean } = {},
): Promise<void> {
  const traceparent = currentTraceparent()
  const store = () => storeUpdate({ database, clock }, { casinoId, update, isAnswer, traceparent })
  const stored = await loadLive(database, [update], {
    kind: 'prize_order',
    nameOf: ({ orderId: id }) => ({ casinoId, id }),
    keyOf: ({ orderId }) => orderId,
    load: async () => new Map((await store()).map((row) => [row.order_id, row])),
  })
  if (stored.size === 0) throw new RewardsError('order_unknown')
  handOver([...stored.values()].flatMap((row) => toDueWork('apply-shipment-news', row.order_id, row)))
}

/** A known order, and its work if the update was not received before. */
interface ReceivedRow extends DueRow {
  order_id: string
}

interface UpdateToStore {
  casinoId: string
  update: ReceivedUpdate
  isAnswer: boolean
  traceparent: string | null
}

/** Returns the order, if it is live, with the new work. */
async function storeUpdate(
  { database, clock }: { database: Database; clock: Clock },
  { casinoId, update, isAnswer, traceparent }: UpdateToStore,
): Promise<ReceivedRow[]> {
  return database.$queryRaw<ReceivedRow[]>`
    WITH known AS (
      SELECT id, delivery_key IS NULL AS is_erased FROM prize_order
       WHERE id = ${update.orderId}::text AND casino_id = ${casinoId}::text
         FOR SHARE
    ),
    received AS (
      ${insertInto('partner_event', {
        columns: {
          casino_id: sql`${casinoId}::text`,
          id: sql`CASE WHEN is_erased THEN ${erasedUpdateId(sql`${update.id}::text`)} ELSE ${update.id}::text END`,
          order_id: sql`id`,
          shipment_number: sql`${update.shipmentNumber}::int`,
          status: sql`${update.status}::text`,
          reason: sql`CASE WHEN NOT is_erased THEN ${update.reason}::text END`,
          carrier: sql`CASE WHEN NOT is_erased THEN ${update.carrier}::text END`,
          tracking_number: sql`CASE WHEN NOT is_erased THEN ${update.trackingNumber}::text END`,
          occurred_at: instant(update.occurredAt),
          received_at: instant(clock.now()),
        },
        from: sql`known
       WHERE NOT (${isAnswer}::boolean AND EXISTS (
               SELECT FROM partner_event AS heard
                WHERE heard.casino_id = ${casinoId}::text AND heard.order_id = known.id
                  AND heard.shipment_number = ${update.shipmentNumber}::int AND heard.status = ${update.status}::text
                  AND heard.occurred_at = ${instant(update.occurredAt)}
                  AND (is_erased
                       OR heard.reason IS NOT DISTINCT FROM ${update.reason}::text
                          AND heard.carrier IS NOT DISTINCT FROM ${update.carrier}::text
                          AND heard.tracking_number IS NOT DISTINCT FROM ${update.trackingNumber}::text)))`,
      })}
          ON CONFLICT DO NOTHING
      RETURNING order_id
    ),
    ${causedWork({
      from: sql`received`,
      jobName: 'apply-shipment-news',
      objectId: sql`order_id`,
      casinoId: sql`${casinoId}::text`,
      traceparent: sql`${traceparent}::text`,
    })}
    SELECT known.id AS order_id, ${dueRow}
      FROM known LEFT JOIN work_due ON work_due.object_id = known.id`
}

/**
 * Stores a provider's answer that contradicts an order which later updates have changed. It has no effect, and is
 * counted with the updates that operators must look into. Its time is the order's creation, so that no later update
 * becomes stale.
 */
export async function storeIgnoredAnswer(
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
