/** Standard Webhooks recommend 15 to 30 seconds; who needs longer than ten should take the event in and answer. */
export const receiverTimeoutMs = 10_000

/** How a receiver took an event. `problem` is a code of ours, never a receiver's text. */
export type ReceiverOutcome =
  | { kind: 'delivered'; status: number }
  /** 410: it says that it wants nothing any more. */
  | { kind: 'gone'; status: number; problem: string }
  /** It may have had the event all the same: it is sent again, under the same id. */
  | { kind: 'failed'; status: number | null; problem: string; retryAfterMs: number | null }
