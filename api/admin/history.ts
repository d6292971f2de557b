import type { HistoryEntry } from '../../core/event/read-history.ts'

/** One change, as `history` lists it. */
export function renderHistoryEntry(entry: HistoryEntry): object {
  return {
    type: entry.type,
    object_type: entry.objectType,
    object_id: entry.objectId,
    sequence: entry.sequence,
    from: entry.fromState,
    to: entry.toState,
    actor: entry.actor,
    reason: entry.reason,
    request_id: entry.requestId,
    at: entry.createdAt,
  }
}
