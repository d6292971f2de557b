import type { HistoryEntry } from '../../core/event/read-history.ts'
import { count, id, nullable, string, time } from '../../core/shape/json-schema.ts'
import { field, shapeOf } from '../../core/shape/shape.ts'

/** One change of a prize, an order or a cashback, as `history` lists it. */
export const historyEntry = shapeOf<HistoryEntry>()('HistoryEntry', {
  type: field(string, (entry) => entry.type, { description: 'The type of the event.', example: 'prize.won' }),
  object_type: field(string, (entry) => entry.objectType, {
    description: 'The type of the object.',
    example: 'prize',
  }),
  object_id: field(id, (entry) => entry.objectId, {
    description: 'The object that it is about.',
    example: 'prz_01b977d7aa0076a1b2c3d4e5f6071802',
  }),
  sequence: field(count, (entry) => entry.sequence, {
    description: 'Counts what happens to one object, from 1.',
    example: 1,
  }),
  from: field(nullable(string), (entry) => entry.fromState, {
    description: 'The state before; null at the beginning.',
    example: null,
  }),
  to: field(string, (entry) => entry.toState, { description: 'The state after it.', example: 'won' }),
  actor: field(string, (entry) => entry.actor),
  reason: field(nullable(string), (entry) => entry.reason, { example: null }),
  request_id: field(nullable(string), (entry) => entry.requestId),
  at: field(time, (entry) => entry.createdAt),
})
