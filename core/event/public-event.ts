import { amountToJson } from '../money.ts'
import { publicProblem } from '../partner/public-problem.ts'
import { sql } from '../platform/sql.ts'
import {
  amount,
  count,
  currency,
  eventId,
  id,
  nullable,
  objectOf,
  shown,
  string,
  time,
} from '../shape/json-schema.ts'
import { field, shapeOf } from '../shape/shape.ts'

const idPrefix = 'evt_'
const idMax = 2n ** 63n - 1n

export function toPublicEventId(id: bigint): string {
  return `${idPrefix}${id}`
}

/** The number in an id such as `evt_12`; undefined if it is not an event's id. */
export function parsePublicEventId(text: string): string | undefined {
  const digits = /^evt_([1-9]\d{0,18})$/.exec(text)?.[1]
  return digits !== undefined && BigInt(digits) <= idMax ? digits : undefined
}

/** A row of `publicEventColumns`. */
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
  /** The facts of its object. They are null where the object has none, and then no code reads them. */
  player_id: string
  prize_id: string
  item_id: string
  kind: string
  opening_id: string | null
  /** Null for a prize that cannot be cashed back. */
  amount_minor: bigint | null
  currency: string
}

/** From `event` joined with `publicEventFacts`. */
export const publicEventColumns = sql`
           event.id, event.casino_id, event.object_type, event.object_id, event.sequence, event.type,
           event.from_state, event.to_state, event.data, event.created_at,
           coalesce(prize_order.player_id, cashback.player_id, prize.player_id) AS player_id,
           coalesce(prize_order.prize_id, cashback.prize_id, prize.id) AS prize_id,
           prize.item_id, prize.kind, prize.opening_id,
           coalesce(cashback.amount_minor, prize.cashback_amount_minor) AS amount_minor,
           coalesce(cashback.currency, prize.cashback_currency) AS currency`

/** The facts about live events' objects that never change; changes are in the events' own data. Those objects are live. */
export const publicEventFacts = sql`
      LEFT JOIN prize_order ON event.object_type = 'prize_order' AND prize_order.id = event.object_id
      LEFT JOIN cashback ON event.object_type = 'cashback' AND cashback.id = event.object_id
      LEFT JOIN prize ON prize.casino_id = event.casino_id
                     AND prize.id = CASE event.object_type WHEN 'prize' THEN event.object_id
                                         ELSE coalesce(prize_order.prize_id, cashback.prize_id) END`

/** The same of any events, whose objects may be archived. An event whose object is gone with its month has none. */
export const everyEventFacts = sql`
      LEFT JOIN LATERAL (
        SELECT * FROM every_prize_order AS one
         WHERE event.object_type = 'prize_order' AND one.casino_id = event.casino_id AND one.id = event.object_id LIMIT 1
      ) AS prize_order ON true
      LEFT JOIN LATERAL (
        SELECT * FROM every_cashback AS one
         WHERE event.object_type = 'cashback' AND one.casino_id = event.casino_id AND one.id = event.object_id LIMIT 1
      ) AS cashback ON true
      LEFT JOIN LATERAL (
        SELECT * FROM every_prize AS one
         WHERE one.casino_id = event.casino_id
           AND one.id = CASE event.object_type WHEN 'prize' THEN event.object_id
                             ELSE coalesce(prize_order.prize_id, cashback.prize_id) END
         LIMIT 1
      ) AS prize ON true`

const examplePrize = 'prz_01b977d7aa0076a1b2c3d4e5f6071802'
const exampleOpening = 'opn_01b977d7aa0076a1b2c3d4e5f6071801'

const cashbackValue = shapeOf<EventRow>()('EventMoney', {
  amount_minor: field(amount, (row) => amountToJson(row.amount_minor ?? 0n)),
  currency: field(currency, (row) => row.currency),
})

/** The object that an event belongs to. */
export const eventObject = shapeOf<{ objectType: string; objectId: string }>()('EventObject', {
  type: field(string, ({ objectType }) => objectType, {
    description: 'The type of the object.',
    example: 'prize',
  }),
  id: field(id, ({ objectId }) => objectId, { example: examplePrize }),
})

/** An event as the casino gets it, in the feed and in webhooks: without personal data and free text. */
export const publicEvent = shapeOf<EventRow>()('Event', {
  id: field(eventId, (row) => toPublicEventId(row.id)),
  type: field(string, (row) => row.type, { description: 'The type of the event.', example: 'prize.won' }),
  // The same as `created_at`, under the name that Standard Webhooks recommend.
  timestamp: field(time, (row) => row.created_at, {
    description: 'When it happened.',
    example: '2030-01-31T12:00:00.000Z',
  }),
  casino_id: field(id, (row) => row.casino_id),
  object: field(
    eventObject.type,
    (row) => eventObject.render({ objectType: row.object_type, objectId: row.object_id }),
    { description: 'The object that it is about.' },
  ),
  sequence: field(count, (row) => row.sequence, {
    description: 'Counts the object’s events, from 1: what has a higher one is newer.',
    example: 1,
  }),
  created_at: field(time, (row) => row.created_at, {
    description: 'When it happened.',
    example: '2030-01-31T12:00:00.000Z',
  }),
  data: field(objectOf(true), dataOf, {
    description: 'Further data, by the type of the event.',
    example: {
      from: null,
      to: 'won',
      player_id: 'player-42',
      prize_id: examplePrize,
      item_id: 'mug',
      kind: 'physical',
      opening_id: exampleOpening,
      cashback: { amount_minor: 500, currency: 'EUR' },
    },
  }),
})

export type PublicEvent = ReturnType<typeof publicEvent.render>

/** The facts about the objects of events that never change, by the type of the object. */
export const eventFacts = {
  prize: shapeOf<EventRow>()(undefined, {
    player_id: field(id, (row) => row.player_id),
    prize_id: field(shown(examplePrize), (row) => row.prize_id),
    item_id: field(id, (row) => row.item_id),
    kind: field(string, (row) => row.kind),
    opening_id: field(nullable(shown(exampleOpening)), (row) => row.opening_id),
    cashback: field(nullable(cashbackValue.type), (row) =>
      row.amount_minor === null ? null : cashbackValue.render(row),
    ),
  }),
  prize_order: shapeOf<EventRow>()(undefined, {
    player_id: field(id, (row) => row.player_id),
    order_id: field(shown('ord_01b977d7aa0076a1b2c3d4e5f6071803'), (row) => row.object_id),
    prize_id: field(shown(examplePrize), (row) => row.prize_id),
    item_id: field(id, (row) => row.item_id),
  }),
  cashback: shapeOf<EventRow>()(undefined, {
    player_id: field(id, (row) => row.player_id),
    cashback_id: field(shown('cbk_01b977d7aa0076a1b2c3d4e5f6071804'), (row) => row.object_id),
    prize_id: field(shown(examplePrize), (row) => row.prize_id),
    item_id: field(id, (row) => row.item_id),
    ...cashbackValue.fields,
  }),
  webhook_endpoint: shapeOf<EventRow>()(undefined, { endpoint_id: field(id, (row) => row.object_id) }),
}

/** The joined facts come last, so that an event's details cannot replace them. */
function dataOf(row: EventRow): Readonly<Record<string, unknown>> {
  const { object_type: type } = row
  const facts = isKnown(type) ? eventFacts[type].render(row) : {}
  return { ...publicDetails(row.data), from: row.from_state, to: row.to_state, ...facts }
}

function isKnown(type: string): type is keyof typeof eventFacts {
  return Object.hasOwn(eventFacts, type)
}

/** Shows a partner's failures as they are shown everywhere. */
function publicDetails(data: EventRow['data']): EventRow['data'] {
  const problem = data?.['problem']
  return typeof problem === 'string' ? { ...data, problem: publicProblem(problem) } : data
}
