import type { OrderPlan, OrderSnapshot } from './order.ts'
import type { OrderState } from './state.ts'

/** How a casino wants its orders dealt with. */
export interface FulfilmentSettings {
  /** With `manual`, people send the parcels, so submitting is only recording it. */
  provider: { kind: 'manual' } | { kind: 'http'; isPaused: boolean; timeoutMs: number; pollMs: number }
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
  | 'attempts'
  | 'attemptUntil'
  | 'nextPollAt'
>

const hourMs = 3_600_000
/** What a provider has, or had: there may be news. */
export const polledStates: readonly OrderState[] = ['submitted', 'processing', 'shipped', 'exception']
/** While a casino's provider is paused its orders look this often whether they may go on. */
export const pausedForMs = 5 * 60_000
/** After its time is up, a call has this long to write its result down. */
const leaseMarginMs = 20_000
/** Clocks differ: what is due this soon is ours. */
const clockToleranceMs = 60_000
const nothing: OrderWork = { plan: { steps: [] }, snoozeUntil: null }

/**
 * The next step of an order that is ours to take; every other step is a person's or a partner's. An order that was placed
 * is announced to the casino, which must confirm it, and brought up again while it does not; a confirmed one that is not
 * held is submitted to the fulfilment provider. It is never confirmed by us, however long it waits.
 */
export function decideOrderWork(order: WorkableOrder, settings: FulfilmentSettings, now: Date): OrderWork {
  // Somebody else may be in the middle of a call, or has died in it: not before its lease has run out can we tell.
  if (order.attemptUntil !== null && order.attemptUntil > now) return rest(order.attemptUntil)
  const { provider } = settings
  switch (order.state) {
    case 'pending_confirmation':
      return order.announcedAt === null
        ? announce(settings, now)
        : remind(order.announcedAt, order.remindersSent, settings, now)
    case 'confirmed':
      // Releasing the last hold causes the work anew.
      if (order.openHolds.length > 0) return nothing
      if (provider.kind === 'http') return attempt('submit', order, provider, now)
      // Whoever may have it already is asked by people.
      if (order.attempts > 0) return nothing
      return {
        plan: { steps: [{ event: 'submitted', to: 'submitted' }], fields: { provider: 'manual' } },
        snoozeUntil: null,
      }
    case 'cancel_requested':
      return isWith(order, provider) ? attempt('cancel', order, provider, now) : nothing
    case 'submitted':
    case 'processing':
    case 'shipped':
    case 'exception':
      return isWith(order, provider) ? poll(order, provider, now) : nothing
    default:
      return nothing
  }
}

type HttpProvider = Extract<FulfilmentSettings['provider'], { kind: 'http' }>

/** An order stays with who got it; when the casino has changed its provider since, people deal with it. */
function isWith(order: WorkableOrder, provider: FulfilmentSettings['provider']): provider is HttpProvider {
  return provider.kind === 'http' && order.provider !== 'manual'
}

function attempt(
  call: 'submit' | 'cancel',
  order: WorkableOrder,
  provider: HttpProvider,
  now: Date,
): OrderWork {
  if (provider.isPaused) return rest(later(now, pausedForMs))
  const attempts = order.attempts + 1
  const attemptUntil = later(now, provider.timeoutMs + leaseMarginMs)
  const event = call === 'submit' ? 'submission_attempted' : 'cancellation_attempted'
  return {
    plan: {
      steps: [{ event, to: order.state, data: { attempt: attempts } }],
      fields: { attempts, attemptUntil },
    },
    snoozeUntil: attemptUntil,
    call,
  }
}

/** Every order is asked about by one row of work; a second one, left over from a cancellation say, ends here. */
function poll(order: WorkableOrder, provider: HttpProvider, now: Date): OrderWork {
  const { nextPollAt } = order
  if (nextPollAt !== null && nextPollAt > later(now, clockToleranceMs)) return nothing
  if (nextPollAt !== null && nextPollAt > now) return rest(nextPollAt)
  const next = later(now, provider.pollMs)
  const polled = { plan: { steps: [], fields: { nextPollAt: next } }, snoozeUntil: next }
  return provider.isPaused ? polled : { ...polled, call: 'poll' }
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

function later(time: Date, byMs: number): Date {
  return new Date(time.getTime() + byMs)
}
