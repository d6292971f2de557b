import { later, withJitter } from '../outbound/attempt.ts'
import type { OrderPlan, OrderSnapshot, OrderStep } from './order.ts'

/** The fields of an order that the decision reads. `attempts` includes this call. */
export type UnsettledOrder = Pick<OrderSnapshot, 'state' | 'attempts' | 'openHolds'>

const minuteMs = 60_000
const hourMs = 60 * minuteMs
/** The backoff after each attempt of unknown outcome. After the last one an operator takes over. */
const retryAfterMs: readonly number[] = [
  minuteMs / 2,
  2 * minuteMs,
  10 * minuteMs,
  hourMs,
  6 * hourMs,
  24 * hourMs,
]
/** An unanswered cancellation is retried once a day until an operator decides. */
const giveUpMs = 24 * hourMs

/** An attempt of unknown outcome: plans the next one, or leaves the order to operators. */
export function planUnknown(
  order: UnsettledOrder,
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
  // After its release it is tried again from the first attempt.
  const held: OrderStep = { event: 'held', to: state, data: { hold_reason: 'other', problem } }
  const plan = { steps: [step, held], fields: { ...fields, problem }, placeHold: 'other' } as const
  return { plan, snoozeUntil: null }
}
