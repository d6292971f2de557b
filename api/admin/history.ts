import type { HistoryEntry } from '../../core/event/read-history.ts'
import { count, id, nullable, string, time } from '../../core/shape/json-schema.ts'
import { field, shapeOf } from '../../core/shape/shape.ts'

/** One change of a prize, an order or a cashback, as `history` lists it. */
export const historyEntry = shapeOf<HistoryEntry>()('HistoryEntry', {
  type: field(string, (entry) => entry.type, { example: 'prize.won' }),
  object_type: field(string, (entry) => entry.objectType, { example: 'prize' }),
  object_id: field(id, (entry) => entry.objectId),
  sequence: field(count, (entry) => entry.sequence),
  from: field(nullable(string), (entry) => entry.fromState, { example: null }),
  to: field(string, (entry) => entry.toState, { example: 'won' }),
  actor: field(string, (entry) => entry.actor),
  reason: field(nullable(string), (entry) => entry.reason, { example: null }),
  request_id: field(nullable(string), (entry) => entry.requestId),
  at: field(time, (entry) => entry.createdAt),
})
