import type { Envelope } from '../crypto/envelope.ts'
import type { HeldClaim } from '../idempotency/claim-steps.ts'
import type { OrderPlan, OrderSnapshot } from './order.ts'

/** A plan together with who wants it; it takes effect only where order and prize still are what was loaded. */
export interface OrderChange {
  order: OrderSnapshot
  plan: OrderPlan
  /** The corrected delivery details. */
  delivery?: Envelope
  /** Who and why, for the history: `admin`, `key:…`, `worker` or `provider`. */
  actor: string
  reason: string | null
  requestId: string | null
  /** Of an operator's request under a key. */
  claim?: HeldClaim | undefined
  /** The work that this change does: finished with it, or resting until a time, perhaps in a line for a slot. */
  work?: { outboxId: string; snoozeUntil: Date | null; line?: string | undefined }
  /** What became of the provider's news that it looked at. */
  newsOutcomes?: readonly { id: string; outcome: string }[]
}
