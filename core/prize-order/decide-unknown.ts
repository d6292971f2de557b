import { later, withJitter } from '../outbound/attempt.ts'
import type { OrderPlan, OrderSnapshot, OrderStep } from './order.ts'

/** What a call of unknown outcome looks at. `attempts` counts that call too. */
export type DoubtfulOrder = Pick<OrderSnapshot, 'state' | 'attempts' | 'openHolds'>

const minuteMs = 60_000
const hourMs = 60 * minuteMs
/** How long after each attempt of unknown outcome the next one is made; after the last of them it is for people. */
const retryAfterMs: readonly number[] = [
  minuteMs / 2,
  2 * minuteMs,
  10 * minuteMs,
  hourMs,
  6 * hourMs,
  24 * hourMs,
]
/** A cancellation that nobody answers for is asked for once a day, until somebody has the last word. */
const giveUpMs = 24 * hourMs

/** An attempt that nobody knows the outcome of: when the next one is made, or that people are to look at the order. */
export function planUnknown(
  order: DoubtfulOrder,
  problem: string,
  { now, random }: { now: Date; random: number },
): { plan: OrderPlan; snoozeUntil: Date | null } {
  const { state, attempts, openHolds } = order
  const event = state === 'cancel_requested' ? 'cancellation_unknown' : 'submission_unknown'
  const step: OrderStep = { event, to: state, data: { attempt: attempts, problem } }
  const fields = { attemptUntil: null }
  const round = (attempts - 1) % (retryAfterMs.length + 1)
  const delayMs = retryAfterMs[round]
  if (delayMs !== undefined) {
    return { plan: { steps: [step], fields }, snoozeUntil: later(now, withJitter(delayMs, random)) }
  }
  if (state === 'cancel_requested')
    return { plan: { steps: [step], fields }, snoozeUntil: later(now, giveUpMs) }
  if (state !== 'confirmed' || openHolds.includes('other')) {
    return { plan: { steps: [step], fields }, snoozeUntil: null }
  }
  // Released, it is tried all over again.
  const held: OrderStep = { event: 'held', to: state, data: { hold_reason: 'other', problem } }
  const plan = { steps: [step, held], fields: { ...fields, problem }, placeHold: 'other' } as const
  return { plan, snoozeUntil: null }
}
