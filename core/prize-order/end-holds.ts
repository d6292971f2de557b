import type { OrderChange } from './order-change.ts'
import type { OrderStep } from './order.ts'
import { orderTransitions } from './state.ts'
import type { OrderState } from './state.ts'

/** An order's end releases its holds: nothing else would. The history has the releases before the final step. */
export function withHoldsEnded(change: OrderChange): OrderChange {
  const { order, plan } = change
  const last = plan.steps.at(-1)
  const open = order.openHolds.filter((reason) => plan.releaseHolds?.includes(reason) !== true)
  if (last === undefined || open.length === 0 || isEnd(order.state) || !isEnd(last.to)) return change
  const before = plan.steps.slice(0, -1)
  const to = before.at(-1)?.to ?? order.state
  const released = open.map((reason): OrderStep => ({ event: 'released', to, data: { hold_reason: reason } }))
  return {
    ...change,
    plan: {
      ...plan,
      steps: [...before, ...released, last],
      fields: { ...plan.fields, ...(open.includes('other') ? { problem: null } : {}) },
      releaseHolds: [...(plan.releaseHolds ?? []), ...open],
    },
  }
}

function isEnd(state: OrderState): boolean {
  return orderTransitions[state].length === 0
}
