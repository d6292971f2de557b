import { Prisma } from '../platform/database.ts'
import { sql } from '../platform/sql.ts'
import type { WrittenEvent } from './written-events.ts'

/** One of several steps that an object takes in one write. */
export interface Step {
  /** The event's name without the object type; by default the state it led to. */
  event?: string
  to: string
  data?: Readonly<Record<string, unknown>>
}

/** An object, and the steps that it takes in one write, from this state and revision on. */
export interface History {
  objectType: 'prize' | 'prize_order' | 'cashback'
  objectId: string
  state: string
  revision: number
  steps: readonly Step[]
}

/** The events of such objects, in order, as JSON for `eventsOfHistory`. */
export function toHistoryJson(...histories: readonly History[]): string {
  return JSON.stringify(
    histories.flatMap(({ objectType, objectId, state, revision, steps }) =>
      steps.map(({ event, to, data }, index) => ({
        object_type: objectType,
        object_id: objectId,
        sequence: revision + index + 1,
        type: `${objectType}.${event ?? to}`,
        from_state: steps[index - 1]?.to ?? state,
        to_state: to,
        data,
      })),
    ),
  )
}

/**
 * The events in the column `history` of `source` (also casino_id, actor, reason, request_id), for `writtenEvents`. The
 * events of a prize follow those of the object that moves it. `traceparent` is that of each row's cause.
 */
export function eventsOfHistory(source: string, traceparent: Prisma.Sql): WrittenEvent {
  return {
    from: sql`${Prisma.raw(source)}
      CROSS JOIN LATERAL jsonb_to_recordset(history)
        AS made (object_type text, object_id text, sequence int, type text, from_state text, to_state text, data jsonb)
      ORDER BY made.object_type = 'prize', made.object_id, made.sequence`,
    objectType: sql`made.object_type`,
    objectId: sql`made.object_id`,
    sequence: sql`made.sequence`,
    type: sql`made.type`,
    fromState: sql`made.from_state`,
    toState: sql`made.to_state`,
    actor: sql`actor`,
    reason: sql`reason`,
    requestId: sql`request_id`,
    data: sql`made.data`,
    traceparent,
  }
}
