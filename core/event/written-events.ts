import { Prisma } from '../platform/database.ts'
import { sql } from '../platform/sql.ts'
import { insertInto } from '../platform/sql-insert.ts'
import type { ColumnValue } from '../platform/sql-insert.ts'
import type { eventNames, EventName } from './event-names.ts'

type Sort = keyof typeof eventNames
type EventType = { [Each in Sort]: `${Each}.${EventName<Each>}` }[Sort]

/** The events to write, one for each row of a step: constants, and SQL over its columns. */
export interface WrittenEvent {
  /** The step and a filter of its rows: the part after FROM. */
  from: Prisma.Sql
  /** By default the column `casino_id`. */
  casinoId?: Prisma.Sql
  objectType: 'prize' | 'prize_order' | 'cashback' | 'webhook_endpoint' | 'setting' | Prisma.Sql
  objectId: Prisma.Sql
  /** The object's revision after the change. */
  sequence: Prisma.Sql
  type: EventType | Prisma.Sql
  /** Left out for new objects. */
  fromState?: ColumnValue
  toState: ColumnValue
  actor: ColumnValue
  reason?: Prisma.Sql
  requestId?: Prisma.Sql
  data?: Prisma.Sql
}

/** Writes events; all code that writes events uses it. */
export function writtenEvents(
  createdAt: Prisma.Sql,
  ...events: readonly [WrittenEvent, ...WrittenEvent[]]
): Prisma.Sql {
  const [first, ...others] = events
  const selectionOf = (event: WrittenEvent) => ({ from: event.from, columns: columnsFor(event, createdAt) })
  return insertInto('event', selectionOf(first), ...others.map(selectionOf))
}

const nothing = sql`NULL`
const noData = sql`NULL::jsonb`
const ownCasino = sql`casino_id`

function columnsFor(event: WrittenEvent, createdAt: Prisma.Sql) {
  return {
    casino_id: event.casinoId ?? ownCasino,
    object_type: event.objectType,
    object_id: event.objectId,
    sequence: event.sequence,
    type: event.type,
    from_state: event.fromState ?? nothing,
    to_state: event.toState,
    actor: event.actor,
    reason: event.reason ?? nothing,
    request_id: event.requestId ?? nothing,
    data: event.data ?? noData,
    created_at: createdAt,
  }
}

/** The next place in the history of an object that has no revision: a row of `source` (casino_id, id). */
export function nextInHistory(objectType: 'webhook_endpoint', source: string): Prisma.Sql {
  const object = Prisma.raw(source)
  return sql`1 + coalesce((SELECT max(sequence) FROM event
                            WHERE event.casino_id = ${object}.casino_id AND event.object_id = ${object}.id
                              AND event.object_type = ${Prisma.raw(`'${objectType}'`)}), 0)`
}
