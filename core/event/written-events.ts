import { Prisma } from '../platform/database.ts'
import { sql, timed } from '../platform/sql.ts'
import { insertInto } from '../platform/sql-insert.ts'
import type { ColumnValue } from '../platform/sql-insert.ts'
import { currentSpan } from '../trace/current-span.ts'
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
  /** The `traceparent` of the cause of each row; by default the current span's. It is used only where there is a span. */
  traceparent?: Prisma.Sql
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

/**
 * The same for statements of batches, whose fragments are built once: without traces, and again when the first batch
 * is traced. A batch writes events of several traces, so each row has its own.
 */
export function timedEvents(
  ...events: readonly [WrittenEvent & Traced, ...(WrittenEvent & Traced)[]]
): (now: Date) => Prisma.Sql {
  const build = (now: Prisma.Sql) => writtenEvents(now, ...events)
  const untraced = timed(build)
  let traced: typeof untraced | undefined
  return (now) => (currentSpan() === undefined ? untraced(now) : (traced ??= timed(build))(now))
}

type Traced = Required<Pick<WrittenEvent, 'traceparent'>>

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
    ...traceOf(event),
  }
}

/** No columns while tracing is off. A trace that is not exported is continued, but not shown by its id. */
function traceOf({ traceparent }: WrittenEvent): { trace_id?: Prisma.Sql; traceparent?: Prisma.Sql } {
  const span = currentSpan()
  if (span === undefined) return {}
  if (traceparent === undefined) {
    return {
      trace_id: sql`${span.isSampled ? span.traceId : null}::text`,
      traceparent: sql`${span.traceparent}::text`,
    }
  }
  return { trace_id: sql`substring(${traceparent} FROM '^00-(.{32})-.{16}-01$')`, traceparent }
}

/** The next place in the history of an object that has no revision: a row of `source` (casino_id, id). */
export function nextInHistory(objectType: 'webhook_endpoint', source: string): Prisma.Sql {
  const object = Prisma.raw(source)
  return sql`1 + coalesce((SELECT max(sequence) FROM event
                            WHERE event.casino_id = ${object}.casino_id AND event.object_id = ${object}.id
                              AND event.object_type = ${Prisma.raw(`'${objectType}'`)}), 0)`
}
