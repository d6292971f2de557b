import type { Envelope } from '../crypto/envelope.ts'
import type { HeldClaim } from '../idempotency/claim-steps.ts'
import type { OrderPlan, OrderSnapshot } from './order.ts'

/** A plan and its actor. It takes effect only if order and prize are still as loaded. */
export interface OrderChange {
  order: OrderSnapshot
  plan: OrderPlan
  /** The corrected delivery details. */
  delivery?: Envelope
  /** Actor and reason, for the history: `admin`, `key:…`, `worker` or `provider`. */
  actor: string
  reason: string | null
  requestId: string | null
  /** The idempotency key of an operator's request. */
  claim?: HeldClaim | undefined
  /** The work that caused this change: finished, or snoozed until a time, possibly in a line for a slot. */
  work?: { outboxId: string; snoozeUntil: Date | null; line?: string | undefined }
  /** The outcomes of the shipment updates that it decided. */
  updateOutcomes?: readonly { id: string; outcome: string }[]
}
