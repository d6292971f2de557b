import { isLost, later, leasedUntil, leaseMsOf } from '../outbound/attempt.ts'
import { planUnknown } from './decide-unknown.ts'
import type { OrderPlan, OrderSnapshot, OrderStep } from './order.ts'
import type { OrderState } from './state.ts'

/** A casino's fulfilment settings, as decisions read them. */
export interface FulfilmentSettings {
  /** With `manual`, operators send the parcels, and submitting only records it. */
  provider:
    | { kind: 'manual' }
    | {
        kind: 'http'
        /** Identifies the provider, even if other settings of it change. */
        id: string
        isPaused: boolean
        timeoutMs: number
        pollMs: number
      }
  /** Hours after the announcement at which an unconfirmed order is announced again; ascending. */
  reminderAfterHours: readonly number[]
}

/** The purpose of a call to the provider. */
export type ProviderCall = 'submit' | 'cancel' | 'poll'

/** The next step of a worker, and how long the work is snoozed after it; null if it is finished. */
export interface OrderWork {
  plan: OrderPlan
  snoozeUntil: Date | null
  /** Made after the plan is stored. The work is snoozed until the call must have ended. */
  call?: ProviderCall
}

/** The fields of an order that the decision reads. */
export type WorkableOrder = Pick<
  OrderSnapshot,
  | 'state'
  | 'announcedAt'
  | 'remindersSent'
  | 'openHolds'
  | 'provider'
  | 'providerAsked'
  | 'attempts'
  | 'attemptUntil'
  | 'nextPollAt'
  | 'updatedAt'
>

const hourMs = 3_600_000
/** States in which the provider has the parcel, or had it, so there may be updates. */
export const polledStates: readonly OrderState[] = ['submitted', 'processing', 'shipped', 'exception']
/** How often orders of a paused provider check the pause. */
export const pausedForMs = 5 * 60_000
/** The time to decrypt the address, after the attempt was committed. */
const preparationMs = 10_000
/** How often work that needs another provider checks whether that one is configured again. */
const slowPollMs = 24 * hourMs
/** An order without changes for this long is polled once a day, so that lost ones do not add up. */
const quietAfterMs = 30 * 24 * hourMs
/** Clocks differ: work that is due within this time is due now. */
const clockToleranceMs = 60_000
const nothing: OrderWork = { plan: { steps: [] }, snoozeUntil: null }

/**
 * The next automatic step of an order; operators and partners take all others. A placed order is announced to the
 * casino, which must confirm it, and is announced again until it does. A confirmed order without a hold is submitted to
 * the provider. The service never confirms an order by itself, however long it waits.
 */
export function decideOrderWork(
  order: WorkableOrder,
  settings: FulfilmentSettings,
  at: { now: Date; /** From 0 to 1. */ random: number },
): OrderWork {
  const { now } = at
  const { provider } = settings
  const leased = leasedUntil(order.attemptUntil, now)
  if (leased !== null) return snooze(leased)
  // It counts like any other attempt of unknown outcome.
  if (isLost(order.attemptUntil, now) && order.attempts > 0) return planUnknown(order, 'result_lost', at)
  switch (order.state) {
    case 'pending_confirmation':
      return order.announcedAt === null
        ? decideAnnouncement(settings, now)
        : remind(order.announcedAt, order.remindersSent, settings, now)
    case 'confirmed':
      // Releasing the last hold creates the work again.
      if (order.openHolds.length > 0) return nothing
      if (isWithAnotherProvider(order, provider)) return holdForOperators
      if (provider.kind === 'http') return attempt('submit', order, provider, now)
      return {
        plan: { steps: [{ event: 'submitted', to: 'submitted' }], fields: { provider: 'manual' } },
        snoozeUntil: null,
      }
    case 'cancel_requested':
      if (order.provider !== 'http') return nothing
      if (provider.kind === 'manual' || isWithAnotherProvider(order, provider))
        return remindOfCancellation(order, now)
      return attempt('cancel', order, provider, now)
    case 'submitted':
    case 'processing':
    case 'shipped':
    case 'exception':
      if (order.provider !== 'http') return nothing
      // Only the provider that has the parcel is polled. Until it is configured again, signed updates or
      // operators move the order on.
      if (provider.kind === 'manual' || isWithAnotherProvider(order, provider))
        return schedulePoll(order, slowPollMs, now)
      return poll(order, provider, now)
    default:
      return nothing
  }
}

type Provider = FulfilmentSettings['provider']
type HttpProvider = Extract<Provider, { kind: 'http' }>

/**
 * Another provider than the configured one may have the parcel. The configured one does not know it: it would send a
 * second one, or report that there is nothing to cancel.
 */
function isWithAnotherProvider(order: WorkableOrder, provider: Provider): boolean {
  if (provider.kind === 'manual') return order.attempts > 0
  return order.providerAsked !== null && order.providerAsked !== provider.id
}

const providerChanged = { problem: 'provider_changed' }
const providerChangedNote =
  'Another provider may have the parcel: ask it, then release the hold or cancel the order'

/** Releasing the hold confirms that the previous provider does not have the parcel. */
const holdForOperators: OrderWork = {
  plan: {
    steps: [{ event: 'held', to: 'confirmed', data: { hold_reason: 'other', ...providerChanged } }],
    fields: providerChanged,
    placeHold: 'other',
    note: providerChangedNote,
  },
  snoozeUntil: null,
}

const cancellationNote = 'Another provider has the parcel: ask it, then cancel or resume the order'

/** Operators ask the provider that has the parcel, and then decide. They are reminded once a day. */
function remindOfCancellation(order: WorkableOrder, now: Date): OrderWork {
  const looked = schedulePoll(order, slowPollMs, now)
  if (looked.plan.fields === undefined) return looked
  const step: OrderStep = { event: 'cancellation_reminder', to: order.state, data: providerChanged }
  return { ...looked, plan: { ...looked.plan, steps: [step], note: cancellationNote } }
}

function attempt(
  call: 'submit' | 'cancel',
  order: WorkableOrder,
  provider: HttpProvider,
  now: Date,
): OrderWork {
  if (provider.isPaused) return snooze(later(now, pausedForMs))
  const attempts = order.attempts + 1
  const attemptUntil = later(now, leaseMsOf(preparationMs + provider.timeoutMs))
  const event = call === 'submit' ? 'submission_attempted' : 'cancellation_attempted'
  return {
    plan: {
      steps: [{ event, to: order.state, data: { attempt: attempts } }],
      // The provider of the submission stays on record for its cancellation.
      fields: { attempts, attemptUntil, ...(call === 'submit' ? { providerAsked: provider.id } : {}) },
    },
    snoozeUntil: attemptUntil,
    call,
  }
}

function poll(order: WorkableOrder, provider: HttpProvider, now: Date): OrderWork {
  const isQuiet = later(order.updatedAt, quietAfterMs) <= now
  const looked = schedulePoll(order, isQuiet ? Math.max(provider.pollMs, slowPollMs) : provider.pollMs, now)
  const isDue = looked.plan.fields !== undefined
  return isDue && !provider.isPaused ? { ...looked, call: 'poll' } : looked
}

/** One outbox row polls an order. A second one, left over from a cancellation, ends here. */
function schedulePoll({ nextPollAt }: WorkableOrder, everyMs: number, now: Date): OrderWork {
  if (nextPollAt !== null && nextPollAt > later(now, clockToleranceMs)) return nothing
  if (nextPollAt !== null && nextPollAt > now) return snooze(nextPollAt)
  const next = later(now, everyMs)
  return { plan: { steps: [], fields: { nextPollAt: next } }, snoozeUntil: next }
}

/** The step of an order that is not announced. It depends on nothing about the order. */
export function decideAnnouncement(
  settings: Pick<FulfilmentSettings, 'reminderAfterHours'>,
  now: Date,
): OrderWork {
  return {
    plan: {
      steps: [{ event: 'confirmation_requested', to: 'pending_confirmation' }],
      fields: { announcedAt: now },
    },
    snoozeUntil: reminderAt(settings, now, 0),
  }
}

function remind(
  announcedAt: Date,
  remindersSent: number,
  settings: FulfilmentSettings,
  now: Date,
): OrderWork {
  const dueAt = reminderAt(settings, announcedAt, remindersSent)
  if (dueAt === null) return nothing
  if (dueAt > now) return snooze(dueAt)
  const sent = remindersSent + 1
  return {
    plan: {
      steps: [{ event: 'confirmation_reminder', to: 'pending_confirmation', data: { reminder: sent } }],
      fields: { remindersSent: sent },
    },
    snoozeUntil: reminderAt(settings, announcedAt, sent),
  }
}

/** Null if there is no such reminder. */
function reminderAt(
  { reminderAfterHours }: Pick<FulfilmentSettings, 'reminderAfterHours'>,
  announcedAt: Date,
  index: number,
) {
  const hours = reminderAfterHours[index]
  return hours === undefined ? null : later(announcedAt, hours * hourMs)
}

function snooze(until: Date): OrderWork {
  return { plan: { steps: [] }, snoozeUntil: until }
}
