import { feedHorizon } from '../../../core/event/feed-position.ts'
import { singleRow } from '../../../core/platform/single-row.ts'
import type { Database } from '../../../core/platform/database.ts'
import type { CashbackState } from '../../../core/cashback/state.ts'
import type { OrderState } from '../../../core/prize-order/state.ts'
import type { PrizeState } from '../../../core/prize/state.ts'

/** All that the database says of one casino at one moment. Times are ISO texts. */
export interface Records {
  prizes: PrizeRow[]
  orders: OrderRow[]
  cashbacks: CashbackRow[]
  /** In the order in which they were written. */
  events: EventRow[]
  /** The number of events that older transactions still keep out of the feed. */
  withheld_events: number
  entries: EntryRow[]
  stocks: StockRow[]
  openings: OpeningRow[]
  grants: { id: string; player_id: string; count: number; used: number }[]
  updates: ShipmentUpdateRow[]
  deliveries: { id: string; event_id: number; state: string; attempt_until: string | null }[]
  outbox: { id: number; job_name: string; object_id: string; snoozed_until: string | null }[]
  settings: { name: string; paused_at: string | null; value: { kind?: string; url?: string } }[]
  endpoints: { id: string; state: string }[]
}

export interface PrizeRow {
  id: string
  player_id: string
  kind: string
  state: PrizeState
  revision: number
  cashback_amount_minor: number | null
  expires_at: string | null
}

export interface OrderRow {
  id: string
  prize_id: string
  state: OrderState
  revision: number
  provider: string | null
  shipment_number: number
  exception_reason: string | null
  provider_asked: string | null
  returns_prize: boolean | null
  attempts: number
  attempt_until: string | null
  announced_at: string | null
  partner_occurred_at: string | null
  /** Reasons of the open holds. */
  holds: string[]
}

export interface CashbackRow {
  id: string
  prize_id: string
  player_id: string
  amount_minor: number
  currency: string
  state: CashbackState
  revision: number
  wallet: string
  problem: string | null
  attempts: number
  attempt_until: string | null
}

export interface EventRow {
  id: number
  object_type: string
  object_id: string
  sequence: number
  type: string
  from_state: string | null
  to_state: string
  actor: string
  request_id: string | null
  data: Record<string, unknown> | null
}

interface EntryRow {
  kind: string
  cashback_id: string
  account: string
  player_id: string | null
  amount_minor: number
  currency: string
}

interface StockRow {
  box_id: string
  position: number
  stock: number
  remaining: number
  /** Openings that took one, and of their prizes those that expired, which give it back. */
  taken: number
  returned: number
}

interface OpeningRow {
  id: string
  player_id: string
  prize_id: string
  grant_id: string | null
}

interface ShipmentUpdateRow {
  id: string
  order_id: string
  shipment_number: number
  occurred_at: string
  outcome: string | null
}

/** One statement, so that all of it is as of the same moment, although other work continues meanwhile. */
export async function readRecords(database: Database, casinoId: string): Promise<Records> {
  const rows = await database.$queryRaw<{ records: Records }[]>`
    WITH prizes AS (SELECT * FROM prize WHERE casino_id = ${casinoId}::text),
    orders AS (
      SELECT prize_order.*, ARRAY(SELECT reason FROM order_hold AS hold
                                   WHERE hold.casino_id = prize_order.casino_id AND hold.order_id = prize_order.id
                                     AND hold.released_at IS NULL ORDER BY reason) AS holds
        FROM prize_order WHERE casino_id = ${casinoId}::text
    ),
    cashbacks AS (SELECT * FROM cashback WHERE casino_id = ${casinoId}::text),
    events AS (SELECT * FROM event WHERE casino_id = ${casinoId}::text ORDER BY id),
    entries AS (
      SELECT entry.*, transaction.kind, transaction.cashback_id
        FROM ledger_transaction AS transaction JOIN ledger_entry AS entry ON entry.transaction_id = transaction.id
       WHERE transaction.cashback_id IN (SELECT id FROM cashbacks)
    ),
    openings AS (SELECT * FROM opening WHERE casino_id = ${casinoId}::text),
    stocks AS (
      SELECT entry.box_id, entry.position, entry.stock, left_over.remaining,
             count(opening.id)::int AS taken, count(prize.id)::int AS returned
        FROM box_entry AS entry
        JOIN box_stock AS left_over USING (casino_id, box_id, version, position)
        LEFT JOIN openings AS opening ON opening.box_id = entry.box_id AND opening.version = entry.version
                                     AND opening.position = entry.position AND NOT opening.substituted
        LEFT JOIN prize ON prize.casino_id = opening.casino_id AND prize.id = opening.prize_id AND prize.state = 'expired'
       WHERE entry.casino_id = ${casinoId}::text
       GROUP BY entry.box_id, entry.position, entry.stock, left_over.remaining
    ),
    grants AS (SELECT * FROM opening_grant WHERE casino_id = ${casinoId}::text),
    updates AS (SELECT * FROM partner_event WHERE casino_id = ${casinoId}::text),
    deliveries AS (SELECT * FROM webhook_delivery WHERE casino_id = ${casinoId}::text),
    works AS (
      SELECT * FROM outbox WHERE object_id IN (
        SELECT id FROM orders UNION ALL SELECT id FROM cashbacks UNION ALL SELECT id FROM deliveries)
    ),
    settings AS (SELECT * FROM casino_setting WHERE casino_id = ${casinoId}::text),
    endpoints AS (SELECT * FROM webhook_endpoint WHERE casino_id = ${casinoId}::text)
    SELECT json_build_object(
      'prizes', (SELECT coalesce(json_agg(prizes), '[]') FROM prizes),
      'orders', (SELECT coalesce(json_agg(orders), '[]') FROM orders),
      'cashbacks', (SELECT coalesce(json_agg(cashbacks), '[]') FROM cashbacks),
      'events', (SELECT coalesce(json_agg(events), '[]') FROM events),
      'withheld_events', (SELECT count(*) FROM events WHERE txid >= ${feedHorizon}),
      'entries', (SELECT coalesce(json_agg(entries), '[]') FROM entries),
      'stocks', (SELECT coalesce(json_agg(stocks), '[]') FROM stocks),
      'openings', (SELECT coalesce(json_agg(openings), '[]') FROM openings),
      'grants', (SELECT coalesce(json_agg(grants), '[]') FROM grants),
      'updates', (SELECT coalesce(json_agg(updates), '[]') FROM updates),
      'deliveries', (SELECT coalesce(json_agg(deliveries), '[]') FROM deliveries),
      'outbox', (SELECT coalesce(json_agg(works), '[]') FROM works),
      'settings', (SELECT coalesce(json_agg(settings), '[]') FROM settings),
      'endpoints', (SELECT coalesce(json_agg(endpoints), '[]') FROM endpoints)
    ) AS records`
  return singleRow(rows).records
}

/** The event that led to the present state; after it there may be others that leave it as it is. */
export function lastMoveOf(events: readonly EventRow[]): EventRow | undefined {
  return events.findLast(({ from_state, to_state }) => from_state !== to_state)
}

/** The events of one object, in order. */
export function eventsOf(records: Records, objectType: string, objectId: string): EventRow[] {
  return records.events
    .filter((event) => event.object_type === objectType && event.object_id === objectId)
    .sort((a, b) => a.sequence - b.sequence)
}
