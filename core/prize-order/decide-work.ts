import type { OrderPlan, OrderSnapshot } from './order.ts'

/** How a casino wants its orders dealt with. */
export interface FulfilmentSettings {
  /** `manual`: people send the parcels, so submitting is only recording it. */
  provider: 'manual' | 'http'
  /** When an order that waits for confirmation is brought up again, in hours after it was announced; ascending. */
  reminderAfterHours: readonly number[]
}

/** What a worker does with an order now, and until when the work rests then; null when it is finished. */
export interface OrderWork {
  plan: OrderPlan
  snoozeUntil: Date | null
}

const hourMs = 3_600_000
const nothing: OrderWork = { plan: { steps: [] }, snoozeUntil: null }

/**
 * The next step of an order that is ours to take; every other step is a person's or a partner's. An order that was placed
 * is announced to the casino, which must confirm it, and brought up again while it does not; a confirmed one that is not
 * held is submitted to the fulfilment provider. It is never confirmed by us, however long it waits.
 */
export function decideOrderWork(
  order: Pick<OrderSnapshot, 'state' | 'announcedAt' | 'remindersSent' | 'openHolds'>,
  settings: FulfilmentSettings,
  now: Date,
): OrderWork {
  switch (order.state) {
    case 'pending_confirmation':
      return order.announcedAt === null
        ? announce(order.state, settings, now)
        : remind({ ...order, announcedAt: order.announcedAt }, settings, now)
    case 'confirmed':
      // Releasing the last hold causes the work anew.
      if (order.openHolds.length > 0) return nothing
      return {
        plan: { steps: [{ event: 'submitted', to: 'submitted' }], fields: { provider: 'manual' } },
        snoozeUntil: null,
      }
    default:
      return nothing
  }
}

function announce(state: OrderSnapshot['state'], settings: FulfilmentSettings, now: Date): OrderWork {
  return {
    plan: { steps: [{ event: 'confirmation_requested', to: state }], fields: { announcedAt: now } },
    snoozeUntil: reminderAt(settings, now, 0),
  }
}

function remind(
  order: { state: OrderSnapshot['state']; announcedAt: Date; remindersSent: number },
  settings: FulfilmentSettings,
  now: Date,
): OrderWork {
  const dueAt = reminderAt(settings, order.announcedAt, order.remindersSent)
  if (dueAt === null || dueAt > now) return { plan: { steps: [] }, snoozeUntil: dueAt }
  const remindersSent = order.remindersSent + 1
  return {
    plan: {
      steps: [{ event: 'confirmation_reminder', to: order.state, data: { reminder: remindersSent } }],
      fields: { remindersSent },
    },
    snoozeUntil: reminderAt(settings, order.announcedAt, remindersSent),
  }
}

/** Null when there is no such reminder. */
function reminderAt({ reminderAfterHours }: FulfilmentSettings, announcedAt: Date, index: number) {
  const hours = reminderAfterHours[index]
  return hours === undefined ? null : new Date(announcedAt.getTime() + hours * hourMs)
}
