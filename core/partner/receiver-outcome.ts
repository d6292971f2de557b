/**
 * Standard Webhooks recommend 15 to 30 seconds; a receiver that needs longer than ten should store the event and
 * answer.
 */
export const receiverTimeoutMs = 10_000

/** How a receiver answered an event. `problem` is our own code, never a receiver's text. */
export type ReceiverOutcome =
  | { kind: 'delivered'; status: number }
  /** 410: the receiver does not want any more events. */
  | { kind: 'gone'; status: number; problem: string }
  /** It may have received the event nevertheless: it is sent again, under the same id. */
  | { kind: 'failed'; status: number | null; problem: string; retryAfterMs: number | null }
