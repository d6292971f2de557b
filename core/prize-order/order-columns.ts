import { boolean, int, text, timestamptz } from '../platform/sql.ts'
import type { OrderSnapshot } from './order.ts'

interface Changed {
  after: OrderSnapshot
}

/** The columns of prize_order that a change writes beside state and revision. */
export const orderColumns = {
  provider: text(({ after }: Changed) => after.provider),
  carrier: text(({ after }: Changed) => after.carrier),
  tracking_number: text(({ after }: Changed) => after.trackingNumber),
  shipment_number: int(({ after }: Changed) => after.shipmentNumber),
  exception_reason: text(({ after }: Changed) => after.exceptionReason),
  returns_prize: boolean(({ after }: Changed) => after.returnsPrize),
  cancelled_from: text(({ after }: Changed) => after.cancelledFrom),
  provider_reference: text(({ after }: Changed) => after.providerReference),
  provider_asked: text(({ after }: Changed) => after.providerAsked),
  problem: text(({ after }: Changed) => after.problem),
  partner_occurred_at: timestamptz(({ after }: Changed) => after.partnerOccurredAt),
  announced_at: timestamptz(({ after }: Changed) => after.announcedAt),
  reminders_sent: int(({ after }: Changed) => after.remindersSent),
  attempts: int(({ after }: Changed) => after.attempts),
  attempt_until: timestamptz(({ after }: Changed) => after.attemptUntil),
  next_poll_at: timestamptz(({ after }: Changed) => after.nextPollAt),
  ended_at: timestamptz(({ after }: Changed) => after.endedAt),
}
