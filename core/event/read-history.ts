import type { Database } from '../platform/database.ts'
import { batchInput, text } from '../platform/sql.ts'

/** An object with a history. */
export interface HistoryObject {
  type: 'prize' | 'prize_order' | 'cashback'
  id: string
}

/** One change of an object: states, actor and reason. */
export interface HistoryEntry {
  objectType: string
  objectId: string
  /** Counts the object's changes from 1. */
  sequence: number
  type: string
  fromState: string | null
  toState: string
  actor: string
  reason: string | null
  requestId: string | null
  createdAt: Date
}

/** The same, with the trace that shows how it happened; null where no trace was exported. */
export interface TracedEntry extends HistoryEntry {
  traceId: string | null
}

/** Operators and partners change an object a few dozen times at most; of a longer history, the latest part. */
const entriesMax = 1_000

/** The changes of all the objects together, in the order of writing; the latest `max`. */
export async function readHistory(
  database: Database,
  casinoId: string,
  objects: readonly HistoryObject[],
  max = entriesMax,
): Promise<TracedEntry[]> {
  const rows = await database.$queryRaw<TracedEntry[]>`
    SELECT event.object_type AS "objectType", event.object_id AS "objectId", event.sequence, event.type,
           event.from_state AS "fromState", event.to_state AS "toState", event.actor, event.reason,
           event.request_id AS "requestId", event.created_at AS "createdAt", event.trace_id AS "traceId"
      FROM ${batchInput(objects, {
        object_type: text((object) => object.type),
        object_id: text((object) => object.id),
      })}
      JOIN every_event AS event ON event.casino_id = ${casinoId}::text AND event.object_type = input.object_type
                               AND event.object_id = input.object_id
     ORDER BY event.id DESC
     LIMIT ${max}::int`
  return rows.reverse()
}
