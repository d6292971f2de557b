import type { ActionRecord } from '../audit/read-actions.ts'
import type { KeptAnswer } from '../cashback/read-answers.ts'
import type { TracedEntry } from '../event/read-history.ts'
import type { NoteWithText } from '../note/note.ts'
import type { DeliveryRecord } from '../webhook/read-deliveries.ts'

/** An event that is a call of a partner or its lack of an answer is an `attempt`, as is an answer of a wallet. */
export const entryKinds = ['event', 'attempt', 'delivery', 'action', 'note'] as const
export type EntryKind = (typeof entryKinds)[number]

/** Something that happened to a prize, its orders or its cashbacks. */
export interface TimelineEntry {
  at: Date
  kind: EntryKind
  object: { type: string; id: string }
  /** The event's type, the wallet's operation, or the last part of the action's path. */
  what: string
  from: string | null
  /** The state after it; of a call, its result. */
  to: string | null
  actor: string | null
  reason: string | null
  requestId: string | null
  /** The trace of the request or job that wrote it; null where no trace was exported. */
  traceId: string | null
  /** Further details in one text: an answer's code, or the text of a note. */
  detail: string | null
  /** Whether its text is there and cannot be read. */
  isDamaged: boolean
  delivery: DeliveryRecord | null
}

/** The newest entries, in the order of time. */
export interface Timeline {
  entries: readonly TimelineEntry[]
  /** Whether older ones are left out. */
  isPartial: boolean
}

/** The sources of the entries. */
export interface TimelineSources {
  history: readonly TracedEntry[]
  answers: readonly KeptAnswer[]
  deliveries: readonly DeliveryRecord[]
  actions: readonly ActionRecord[]
  notes: readonly NoteWithText[]
}

/**
 * Merges the sources. An action that wrote something is left out: the event or note of the same request says who did it and
 * why. Actions that were refused, and those that only showed something, stay.
 */
export function mergeTimeline(sources: TimelineSources, max: number): Timeline {
  const written = new Set([...sources.history, ...sources.notes].map(({ requestId }) => requestId))
  const isWritten = (action: ActionRecord) => action.outcome.startsWith('2') && written.has(action.requestId)
  const entries = [
    ...sources.history.map(entryOfEvent),
    ...sources.answers.map(entryOfAnswer),
    ...sources.deliveries.map(entryOfDelivery),
    ...sources.actions.filter((action) => !isWritten(action)).map(entryOfAction),
    ...sources.notes.map(entryOfNote),
  ]
  // Sorting is stable: entries of the same millisecond stay in the order of their source.
  const inOrder = entries.sort((one, other) => one.at.getTime() - other.at.getTime())
  return { entries: inOrder.slice(-max), isPartial: inOrder.length > max }
}

/** Events of calls to partners: begun, or ended without an answer. */
const attemptEvents: ReadonlySet<string> = new Set([
  'prize_order.submission_attempted',
  'prize_order.submission_unknown',
  'prize_order.cancellation_attempted',
  'prize_order.cancellation_unknown',
  'cashback.processing',
  'cashback.unknown',
  'cashback.reversing',
  'cashback.reversal_unknown',
])

function entryOfEvent(entry: TracedEntry): TimelineEntry {
  return {
    ...nothingElse,
    at: entry.createdAt,
    kind: attemptEvents.has(entry.type) ? 'attempt' : 'event',
    object: { type: entry.objectType, id: entry.objectId },
    what: entry.type,
    from: entry.fromState,
    to: entry.toState,
    actor: entry.actor,
    reason: entry.reason,
    requestId: entry.requestId,
    traceId: entry.traceId,
  }
}

function entryOfAnswer(answer: KeptAnswer): TimelineEntry {
  const contradiction = answer.contradicts ? 'contradicts what was on record' : null
  const details = [`attempt ${answer.attempt}`, answer.code, contradiction]
  return {
    ...nothingElse,
    at: answer.receivedAt,
    kind: 'attempt',
    object: { type: 'cashback', id: answer.cashbackId },
    what: `wallet.${answer.operation}`,
    to: answer.outcome,
    detail: details.filter((part) => part !== null).join(', '),
  }
}

function entryOfDelivery(delivery: DeliveryRecord): TimelineEntry {
  return {
    ...nothingElse,
    // Its last change: when it was put in line, and then its last attempt.
    at: delivery.updatedAt,
    kind: 'delivery',
    object: { type: delivery.objectType, id: delivery.objectId },
    what: delivery.eventType,
    to: delivery.state,
    delivery,
  }
}

function entryOfAction(action: ActionRecord): TimelineEntry {
  return {
    ...nothingElse,
    at: action.at,
    kind: 'action',
    object: { type: action.objectType, id: action.objectId },
    what: action.action.slice(action.action.lastIndexOf('/') + 1),
    actor: action.actor,
    reason: action.reason,
    requestId: action.requestId,
    detail: action.outcome,
  }
}

function entryOfNote(note: NoteWithText): TimelineEntry {
  return {
    ...nothingElse,
    at: note.createdAt,
    kind: 'note',
    object: { type: 'note', id: note.id },
    what: 'note',
    actor: note.actor,
    requestId: note.requestId,
    detail: note.text,
    isDamaged: note.isDamaged,
  }
}

const nothingElse = {
  from: null,
  to: null,
  actor: null,
  reason: null,
  requestId: null,
  traceId: null,
  detail: null,
  isDamaged: false,
  delivery: null,
}
