import { isLost, later, leasedUntil, leaseMsOf } from '../outbound/attempt.ts'
import { planUnknown } from './decide-unknown.ts'
import type { OrderPlan, OrderSnapshot, OrderStep } from './order.ts'
import type { OrderState } from './state.ts'

/** How a casino wants its orders dealt with. */
export interface FulfilmentSettings {
  /** With `manual`, people send the parcels, so submitting is only recording it. */
  provider:
    | { kind: 'manual' }
    | {
        kind: 'http'
        /** Tells one provider from another, whatever else of the configuration changes. */
        id: string
        isPaused: boolean
        timeoutMs: number
        pollMs: number
      }
  /** When an order that waits for confirmation is brought up again, in hours after it was announced; ascending. */
  reminderAfterHours: readonly number[]
}

/** What a provider is called for. */
export type ProviderCall = 'submit' | 'cancel' | 'poll'

/** What a worker does with an order now, and until when the work rests then; null when it is finished. */
export interface OrderWork {
  plan: OrderPlan
  snoozeUntil: Date | null
  /** Comes after the plan is stored; then the work rests until the call must be over. */
  call?: ProviderCall
}

/** What a decision about work looks at. */
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
/** What a provider has, or had: there may be news. */
export const polledStates: readonly OrderState[] = ['submitted', 'processing', 'shipped', 'exception']
/** While a casino's provider is paused its orders look this often whether they may go on. */
export const pausedForMs = 5 * 60_000
/** The address is opened after the attempt was committed. */
const preparationMs = 10_000
/** How often work that only another provider could do looks whether it is the present one again. */
const lookAgainMs = 24 * hourMs
/** An order to which nothing has happened for so long is asked about once a day, so that lost ones do not add up. */
const quietAfterMs = 30 * 24 * hourMs
/** Clocks differ: what is due this soon is ours. */
const clockToleranceMs = 60_000
const nothing: OrderWork = { plan: { steps: [] }, snoozeUntil: null }

/**
 * The next step of an order that is ours to take; every other step is a person's or a partner's. An order that was placed
 * is announced to the casino, which must confirm it, and brought up again while it does not; a confirmed one that is not
 * held is submitted to the fulfilment provider. It is never confirmed by us, however long it waits.
 */
export function decideOrderWork(
  order: WorkableOrder,
  settings: FulfilmentSettings,
  at: { now: Date; /** From 0 to 1. */ random: number },
): OrderWork {
  const { now } = at
  const { provider } = settings
  const leased = leasedUntil(order.attemptUntil, now)
  if (leased !== null) return rest(leased)
  // It counts like any other attempt whose outcome nobody knows.
  if (isLost(order.attemptUntil, now) && order.attempts > 0) return planUnknown(order, 'result_lost', at)
  switch (order.state) {
    case 'pending_confirmation':
      return order.announcedAt === null
        ? announce(settings, now)
        : remind(order.announcedAt, order.remindersSent, settings, now)
    case 'confirmed':
      // Releasing the last hold causes the work anew.
      if (order.openHolds.length > 0) return nothing
      if (isElsewhere(order, provider)) return leaveToPeople
      if (provider.kind === 'http') return attempt('submit', order, provider, now)
      return {
        plan: { steps: [{ event: 'submitted', to: 'submitted' }], fields: { provider: 'manual' } },
        snoozeUntil: null,
      }
    case 'cancel_requested':
      if (order.provider !== 'http') return nothing
      if (provider.kind === 'manual' || isElsewhere(order, provider)) return remindOfCancellation(order, now)
      return attempt('cancel', order, provider, now)
    case 'submitted':
    case 'processing':
    case 'shipped':
    case 'exception':
      if (order.provider !== 'http') return nothing
      // Nobody else is asked, until the provider is this one again, or signed news or people get the order on.
      if (provider.kind === 'manual' || isElsewhere(order, provider)) return look(order, lookAgainMs, now)
      return poll(order, provider, now)
    default:
      return nothing
  }
}

type Provider = FulfilmentSettings['provider']
type HttpProvider = Extract<Provider, { kind: 'http' }>

/**
 * Another provider than the present one may have the parcel. The present one knows nothing of it: it would send a second
 * one, or say that there is nothing to cancel.
 */
function isElsewhere(order: WorkableOrder, provider: Provider): boolean {
  if (provider.kind === 'manual') return order.attempts > 0
  return order.providerAsked !== null && order.providerAsked !== provider.id
}

const providerChanged = { problem: 'provider_changed' }
const providerChangedNote =
  'Another provider was asked before, and may have the parcel: ask it, then release the hold or cancel the order'

/** Releasing the hold says that the provider before has no such parcel. */
const leaveToPeople: OrderWork = {
  plan: {
    steps: [{ event: 'held', to: 'confirmed', data: { hold_reason: 'other', ...providerChanged } }],
    fields: providerChanged,
    placeHold: 'other',
    note: providerChangedNote,
  },
  snoozeUntil: null,
}

const cancellationNote =
  'The provider that has the parcel is not the present one: ask it, then cancel or resume the order'

/** Who has the parcel is asked by people, who then have the last word; they are told so once a day. */
function remindOfCancellation(order: WorkableOrder, now: Date): OrderWork {
  const looked = look(order, lookAgainMs, now)
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
  if (provider.isPaused) return rest(later(now, pausedForMs))
  const attempts = order.attempts + 1
  const attemptUntil = later(now, leaseMsOf(preparationMs + provider.timeoutMs))
  const event = call === 'submit' ? 'submission_attempted' : 'cancellation_attempted'
  return {
    plan: {
      steps: [{ event, to: order.state, data: { attempt: attempts } }],
      // Whoever is asked to cancel is the one that was asked to send.
      fields: { attempts, attemptUntil, ...(call === 'submit' ? { providerAsked: provider.id } : {}) },
    },
    snoozeUntil: attemptUntil,
    call,
  }
}

function poll(order: WorkableOrder, provider: HttpProvider, now: Date): OrderWork {
  const isQuiet = later(order.updatedAt, quietAfterMs) <= now
  const looked = look(order, isQuiet ? Math.max(provider.pollMs, lookAgainMs) : provider.pollMs, now)
  const isDue = looked.plan.fields !== undefined
  return isDue && !provider.isPaused ? { ...looked, call: 'poll' } : looked
}

/** Every order is asked about by one row of work; a second one, left over from a cancellation say, ends here. */
function look({ nextPollAt }: WorkableOrder, everyMs: number, now: Date): OrderWork {
  if (nextPollAt !== null && nextPollAt > later(now, clockToleranceMs)) return nothing
  if (nextPollAt !== null && nextPollAt > now) return rest(nextPollAt)
  const next = later(now, everyMs)
  return { plan: { steps: [], fields: { nextPollAt: next } }, snoozeUntil: next }
}

function announce(settings: FulfilmentSettings, now: Date): OrderWork {
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
  if (dueAt > now) return rest(dueAt)
  const sent = remindersSent + 1
  return {
    plan: {
      steps: [{ event: 'confirmation_reminder', to: 'pending_confirmation', data: { reminder: sent } }],
      fields: { remindersSent: sent },
    },
    snoozeUntil: reminderAt(settings, announcedAt, sent),
  }
}

/** Null when there is no such reminder. */
function reminderAt({ reminderAfterHours }: FulfilmentSettings, announcedAt: Date, index: number) {
  const hours = reminderAfterHours[index]
  return hours === undefined ? null : later(announcedAt, hours * hourMs)
}

function rest(until: Date): OrderWork {
  return { plan: { steps: [] }, snoozeUntil: until }
}
