import { isLost, later, leasedUntil, leaseMsOf } from '../outbound/attempt.ts'
import { receiverTimeoutMs } from '../partner/receiver-outcome.ts'
import type { ReceiverOutcome } from '../partner/receiver-outcome.ts'
import type { DeliverySnapshot, AnswerFault } from './delivery.ts'

export const attemptLeaseMs = leaseMsOf(receiverTimeoutMs)

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/**
 * The backoff after the first, second … attempt. About five days in total, so that a weekend's outage loses nothing.
 */
const pausesMs = [
  5 * second,
  30 * second,
  2 * minute,
  15 * minute,
  hour,
  3 * hour,
  6 * hour,
  12 * hour,
  day,
  day,
  day,
  day,
]
export const attemptsMax = pausesMs.length + 1
/**
 * Spreads the retries of deliveries that failed together, in both directions, as the documents promise. Other attempts
 * only become later (`withJitter`).
 */
const jitterPart = 0.2
/** A receiver may ask for a longer wait than our backoff, up to this limit. */
const retryAfterMaxMs = day
/** An endpoint that has failed for this long is disabled. */
export const disableAfterMs = 5 * day
/**
 * An endpoint that has failed for this long is broken as a whole. Its deliveries then wait until it is disabled,
 * instead of failing permanently one by one.
 */
const brokenAfterMs = 3 * day
/** The minimum wait for each earlier event; the end of the last one wakes the next delivery earlier. */
export const turnPauseMs = 5 * second

export type StartDecision =
  /** The delivery is over, or its endpoint was deleted: the work ends. */
  | { kind: 'finish' }
  /** The endpoint is disabled: the delivery is parked, without work, until it is enabled. */
  | { kind: 'park' }
  /** Nothing until then; not counted as an attempt. */
  | { kind: 'snooze'; until: Date }
  | { kind: 'attempt'; until: Date }
  /** The last attempt's lease ran out without a recorded result. */
  | { kind: 'lost' }

/** Whether an attempt may start now, by the state of the delivery and its endpoint. */
export function decideStart(delivery: DeliverySnapshot | undefined, now: Date): StartDecision {
  if (delivery?.state !== 'pending' || delivery.endpoint === undefined) return { kind: 'finish' }
  if (!delivery.endpoint.isEnabled) return { kind: 'park' }
  const leased = leasedUntil(delivery.attemptUntil, now)
  if (leased !== null) return { kind: 'snooze', until: leased }
  if (delivery.before !== undefined) {
    const { busyUntil, count } = delivery.before
    // Deliveries further behind wait longer, so that they do not check again and again.
    return { kind: 'snooze', until: later(laterOf(busyUntil, now), count * turnPauseMs) }
  }
  if (isLost(delivery.attemptUntil, now)) {
    if (isLastAttempt(delivery, now)) return { kind: 'lost' }
    const nextAt = later(delivery.attemptUntil, pauseAfter(delivery.attempts) - attemptLeaseMs)
    if (nextAt > now) return { kind: 'snooze', until: nextAt }
  }
  const { restingUntil } = delivery.endpoint
  if (restingUntil !== null && restingUntil > now) return { kind: 'snooze', until: restingUntil }
  return { kind: 'attempt', until: later(now, attemptLeaseMs) }
}

export type ResultDecision =
  | { kind: 'delivered' }
  | { kind: 'retry'; at: Date }
  | { kind: 'failed' }
  /** The endpoint is disabled, and the delivery is parked. */
  | { kind: 'disable'; reason: AnswerFault }

/**
 * Applies the result of an attempt at `url`. If the endpoint has a new URL by now, a failure of the old one does not
 * count for the endpoint, and the delivery is tried again. `random` is from 0 to 1.
 */
export function decideResult(
  delivery: Pick<DeliverySnapshot, 'attempts' | 'endpoint'>,
  outcome: ReceiverOutcome,
  url: string,
  now: Date,
  random: number,
): ResultDecision {
  if (outcome.kind === 'delivered') return { kind: 'delivered' }
  if (delivery.endpoint !== undefined && delivery.endpoint.url !== url)
    return { kind: 'retry', at: later(now, pauseAfter(1)) }
  if (outcome.kind === 'gone') return { kind: 'disable', reason: 'gone' }
  if (failingForMs(delivery, now) >= disableAfterMs) return { kind: 'disable', reason: 'failing' }
  if (isLastAttempt(delivery, now)) return { kind: 'failed' }
  const pauseMs = pauseAfter(delivery.attempts) * (1 + jitterPart * (2 * random - 1))
  return { kind: 'retry', at: laterOf(restUntilOf(outcome, now), later(now, pauseMs)) }
}

/** Until when the receiver asks for no calls at all. */
export function restUntilOf(outcome: ReceiverOutcome, now: Date): Date | null {
  const wishedMs = outcome.kind === 'failed' ? (outcome.retryAfterMs ?? 0) : 0
  return wishedMs > 0 ? later(now, Math.min(wishedMs, retryAfterMaxMs)) : null
}

type Tried = Pick<DeliverySnapshot, 'attempts' | 'endpoint'>

function isLastAttempt(delivery: Tried, now: Date): boolean {
  return delivery.attempts >= attemptsMax && failingForMs(delivery, now) < brokenAfterMs
}

function failingForMs({ endpoint }: Tried, now: Date): number {
  return now.getTime() - (endpoint?.failingSince ?? now).getTime()
}

function pauseAfter(attempt: number): number {
  return pausesMs[attempt - 1] ?? day
}

export function laterOf(one: Date | null, other: Date): Date {
  return one !== null && one > other ? one : other
}
