import type { HistoryEntry } from '../event/read-history.ts'
import type { Database } from '../platform/database.ts'
import { batchInput, int, text } from '../platform/sql.ts'

/** An object's history and updates are a few dozen entries at most; beyond this limit, the newest. */
const ofEachMax = 100

/** The history of the objects, by object, oldest first. */
export async function readHistories(
  database: Database,
  casinoId: string,
  objects: Readonly<Record<'prize' | 'prize_order' | 'cashback', readonly string[]>>,
): Promise<HistoryEntry[]> {
  const named = Object.entries(objects).flatMap(([type, ids]) => ids.map((id) => ({ type, id })))
  return database.$queryRaw<HistoryEntry[]>`
    SELECT event.object_type AS "objectType", event.object_id AS "objectId", event.sequence, event.type,
           event.from_state AS "fromState", event.to_state AS "toState", event.actor, event.reason,
           event.request_id AS "requestId", event.created_at AS "createdAt"
      FROM ${batchInput(named, {
        object_type: text(({ type }) => type),
        object_id: text(({ id }) => id),
        place: int((_, index) => index + 1),
      })}
     CROSS JOIN LATERAL (
       SELECT * FROM every_event AS event
        WHERE event.casino_id = ${casinoId}::text AND event.object_type = input.object_type
          AND event.object_id = input.object_id
        ORDER BY event.sequence DESC LIMIT ${ofEachMax}::int
     ) AS event
     ORDER BY input.place, event.sequence`
}

/** A provider's update about an order's parcels. */
export interface ExportedUpdate {
  /** The provider's own id; a placeholder once it is erased. */
  id: string
  orderId: string
  shipmentNumber: number
  status: string
  reason: string | null
  carrier: string | null
  trackingNumber: string | null
  occurredAt: Date
  receivedAt: Date
}

export async function readShipmentUpdates(
  database: Database,
  casinoId: string,
  orderIds: readonly string[],
): Promise<ExportedUpdate[]> {
  return database.$queryRaw<ExportedUpdate[]>`
    SELECT received.id, received.order_id AS "orderId", received.shipment_number AS "shipmentNumber", received.status, received.reason, received.carrier,
           received.tracking_number AS "trackingNumber", received.occurred_at AS "occurredAt", received.received_at AS "receivedAt"
      FROM ${batchInput(orderIds, {
        order_id: text((value) => value),
        place: int((_, index) => index + 1),
      })}
     CROSS JOIN LATERAL (
       SELECT * FROM partner_event
        WHERE partner_event.casino_id = ${casinoId}::text AND partner_event.order_id = input.order_id
        ORDER BY received_at DESC, id DESC LIMIT ${ofEachMax}::int
     ) AS received
     ORDER BY input.place, received.received_at, received.id`
}

/** One side of a ledger movement. */
export interface ExportedEntry {
  transactionId: string
  kind: string
  cashbackId: string
  account: string
  amountMinor: bigint
  currency: string
  createdAt: Date
}

/** The player's entries of cashbacks; the other sides are the casino's. */
export async function readLedgerEntries(
  database: Database,
  { casinoId, playerId }: { casinoId: string; playerId: string },
  cashbackIds: readonly string[],
): Promise<ExportedEntry[]> {
  return database.$queryRaw<ExportedEntry[]>`
    SELECT movement.id AS "transactionId", movement.kind, movement.cashback_id AS "cashbackId", entry.account,
           entry.amount_minor AS "amountMinor", entry.currency, movement.created_at AS "createdAt"
      FROM ${batchInput(cashbackIds, {
        cashback_id: text((value) => value),
        place: int((_, index) => index + 1),
      })}
      JOIN ledger_transaction AS movement ON movement.cashback_id = input.cashback_id
      JOIN ledger_entry AS entry ON entry.transaction_id = movement.id
     WHERE entry.casino_id = ${casinoId}::text AND entry.player_id = ${playerId}::text
     ORDER BY input.place, movement.created_at, movement.id, entry.position`
}
