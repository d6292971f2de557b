import { isLost, later, leasedUntil, leaseMsOf } from '../outbound/attempt.ts'
import { receiverTimeoutMs } from '../partner/receiver-outcome.ts'
import type { ReceiverOutcome } from '../partner/receiver-outcome.ts'
import type { DeliverySnapshot, AnswerFault } from './delivery.ts'

export const attemptLeaseMs = leaseMsOf(receiverTimeoutMs)

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** Pauses after the first, second … attempt. Together about five days, so that a weekend's outage costs nothing. */
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
/** So that what failed together does not come back together. */
const jitterPart = 0.2
/** A receiver may ask for more patience than our schedule has, but not for ever. */
const retryAfterMaxMs = day
/** After so long of nothing but failures an endpoint is switched off. */
export const disableAfterMs = 5 * day
/**
 * An endpoint that has taken nothing for so long is broken as a whole. Its deliveries do not fail for good then, one by
 * one: they wait until it is switched off, and rest.
 */
const brokenAfterMs = 3 * day
/** How long to wait for each of the events before, at least; the end of the last of them wakes the next one earlier. */
export const turnPauseMs = 5 * second

export type StartDecision =
  /** There is nothing left to do. */
  | { kind: 'drop' }
  /** The endpoint is switched off: the delivery stays as it is until it is on again. */
  | { kind: 'rest' }
  /** Not yet; no attempt is counted. */
  | { kind: 'wait'; until: Date }
  | { kind: 'attempt'; until: Date }
  /** The last attempt was made, and nobody has told how it ended. */
  | { kind: 'give_up' }

/** Whether an attempt may start now, as far as the delivery and its endpoint are concerned. */
export function decideStart(delivery: DeliverySnapshot | undefined, now: Date): StartDecision {
  if (delivery?.state !== 'pending' || delivery.endpoint === undefined) return { kind: 'drop' }
  if (!delivery.endpoint.isEnabled) return { kind: 'rest' }
  const leased = leasedUntil(delivery.attemptUntil, now)
  if (leased !== null) return { kind: 'wait', until: leased }
  if (delivery.before !== undefined) {
    const { busyUntil, count } = delivery.before
    // The further behind the later, so that those who wait do not all look again and again.
    return { kind: 'wait', until: later(laterOf(busyUntil, now), count * turnPauseMs) }
  }
  if (isLost(delivery.attemptUntil, now)) {
    if (isLastAttempt(delivery, now)) return { kind: 'give_up' }
    const nextAt = later(delivery.attemptUntil, pauseAfter(delivery.attempts) - attemptLeaseMs)
    if (nextAt > now) return { kind: 'wait', until: nextAt }
  }
  const { restingUntil } = delivery.endpoint
  if (restingUntil !== null && restingUntil > now) return { kind: 'wait', until: restingUntil }
  return { kind: 'attempt', until: later(now, attemptLeaseMs) }
}

export type ResultDecision =
  | { kind: 'delivered' }
  | { kind: 'retry'; at: Date }
  | { kind: 'failed' }
  /** The endpoint is switched off, and the delivery rests. */
  | { kind: 'disable'; reason: AnswerFault }

/**
 * What follows from an attempt at `url`. When the endpoint has another one by now, that it is gone or fails says nothing
 * about the endpoint, and the delivery has not been tried where it belongs. `random` is from 0 to 1.
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

/** Until when the receiver wants to be left alone, with everything. */
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

function laterOf(one: Date | null, other: Date): Date {
  return one !== null && one > other ? one : other
}
