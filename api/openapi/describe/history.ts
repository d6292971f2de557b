import { count, id, named, nullable, object, string, time } from '../json-schema.ts'

/** One change of a prize, an order or a cashback. */
export const historyEntry = named(
  'HistoryEntry',
  object({
    type: string,
    object_type: string,
    object_id: id,
    sequence: count,
    from: nullable(string),
    to: string,
    actor: string,
    reason: nullable(string),
    request_id: nullable(string),
    at: time,
  }),
)
