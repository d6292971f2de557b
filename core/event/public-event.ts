import { amountToJson } from '../money.ts'
import { toldProblem } from '../partner/told-problem.ts'
import { sql } from '../platform/sql.ts'

/** An event as the casino gets it, in the feed and in webhooks: no personal data, nobody's words. */
export interface PublicEvent {
  id: string
  type: string
  /** When it happened; the same as `created_at`, under the name that Standard Webhooks recommend. */
  timestamp: Date
  casino_id: string
  object: { type: string; id: string }
  /** Counts the object's events from 1: what has a higher one is newer. */
  sequence: number
  created_at: Date
  data: Record<string, unknown>
}

const idPrefix = 'evt_'
const idMax = 2n ** 63n - 1n

export function toPublicEventId(id: bigint): string {
  return `${idPrefix}${id}`
}

/** The number in an id such as `evt_12`; undefined when no event can have that id. */
export function parsePublicEventId(text: string): string | undefined {
  const digits = /^evt_([1-9]\d{0,18})$/.exec(text)?.[1]
  return digits !== undefined && BigInt(digits) <= idMax ? digits : undefined
}

/** What `publicEventColumns` gives. */
export interface EventRow {
  id: bigint
  casino_id: string
  object_type: string
  object_id: string
  sequence: number
  type: string
  from_state: string | null
  to_state: string
  data: Record<string, unknown> | null
  created_at: Date
  player_id: string | null
  prize_id: string | null
  item_id: string | null
  kind: string | null
  opening_id: string | null
  amount_minor: bigint | null
  currency: string | null
}

/** Of `event` joined with `publicEventFacts`. */
export const publicEventColumns = sql`
           event.id, event.casino_id, event.object_type, event.object_id, event.sequence, event.type,
           event.from_state, event.to_state, event.data, event.created_at,
           coalesce(prize_order.player_id, cashback.player_id, prize.player_id) AS player_id,
           coalesce(prize_order.prize_id, cashback.prize_id, prize.id) AS prize_id,
           prize.item_id, prize.kind, prize.opening_id,
           coalesce(cashback.amount_minor, prize.cashback_amount_minor) AS amount_minor,
           coalesce(cashback.currency, prize.cashback_currency) AS currency`

/** What never changes about the objects of events; what does change is in the events' own data. */
export const publicEventFacts = sql`
      LEFT JOIN prize_order ON event.object_type = 'prize_order' AND prize_order.id = event.object_id
      LEFT JOIN cashback ON event.object_type = 'cashback' AND cashback.id = event.object_id
      LEFT JOIN prize ON prize.casino_id = event.casino_id
                     AND prize.id = CASE event.object_type WHEN 'prize' THEN event.object_id
                                         ELSE coalesce(prize_order.prize_id, cashback.prize_id) END`

export function toPublicEvent(row: EventRow): PublicEvent {
  return {
    id: toPublicEventId(row.id),
    type: row.type,
    timestamp: row.created_at,
    casino_id: row.casino_id,
    object: { type: row.object_type, id: row.object_id },
    sequence: row.sequence,
    created_at: row.created_at,
    // What the joins say stands last: no detail of an event can pass for it.
    data: { ...toldDetails(row.data), from: row.from_state, to: row.to_state, ...factsOf(row) },
  }
}

/** A partner's failures are told as to everybody. */
function toldDetails(data: EventRow['data']): EventRow['data'] {
  const problem = data?.['problem']
  return typeof problem === 'string' ? { ...data, problem: toldProblem(problem) } : data
}

function factsOf(row: EventRow): Record<string, unknown> {
  const { player_id, prize_id, item_id } = row
  const amount =
    row.amount_minor === null || row.currency === null
      ? null
      : { amount_minor: amountToJson(row.amount_minor), currency: row.currency }
  switch (row.object_type) {
    case 'prize':
      return { player_id, prize_id, item_id, kind: row.kind, opening_id: row.opening_id, cashback: amount }
    case 'prize_order':
      return { player_id, order_id: row.object_id, prize_id, item_id }
    case 'cashback':
      return { player_id, cashback_id: row.object_id, prize_id, item_id, ...amount }
    case 'webhook_endpoint':
      return { endpoint_id: row.object_id }
    default:
      return {}
  }
}
