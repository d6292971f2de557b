import type { CancelOutcome, RejectionCode, SubmitOutcome } from '../partner/provider-outcome.ts'
import { pausedForMs, polledStates } from './decide-work.ts'
import type { OrderWork } from './decide-work.ts'
import type { OrderPlan, OrderSnapshot } from './order.ts'
import { canMove } from '../state-machine.ts'
import { orderTransitions } from './state.ts'
import type { ExceptionReason } from './state.ts'

/** What the outcome of a call looks at. `attempts` counts that call too. */
export type CalledOrder = Pick<
  OrderSnapshot,
  'state' | 'attempts' | 'openHolds' | 'returnsPrize' | 'cancelledFrom'
>

export interface CallCircumstances {
  now: Date
  pollMs: number
  /** From 0 to 1. */
  random: number
}

/** What an outcome means, and whether nothing is to be sent to this provider until somebody has looked. */
export interface CallResult extends OrderWork {
  pauses: boolean
}

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
/** So that what failed together does not come back together. */
const jitterMax = 0.2
/** A cancellation that nobody answers for is asked for once a day, until somebody has the last word. */
const giveUpMs = 24 * hourMs
const settled = { attempts: 0, attemptUntil: null }

/** What came of submitting an order, which may have been moved on meanwhile. */
export function decideSubmitResult(
  order: CalledOrder,
  outcome: SubmitOutcome,
  circumstances: CallCircumstances,
): CallResult {
  const { now, pollMs } = circumstances
  switch (outcome.kind) {
    case 'accepted': {
      const fields = { ...settled, provider: 'http', providerReference: outcome.reference }
      const nextPollAt = later(now, pollMs)
      return order.state === 'confirmed'
        ? done(
            { steps: [{ event: 'submitted', to: 'submitted' }], fields: { ...fields, nextPollAt } },
            nextPollAt,
          )
        : goOn(order, circumstances, {
            steps: [{ event: 'submission_accepted', to: order.state }],
            fields: { ...settled, providerReference: outcome.reference },
          })
    }
    case 'rejected':
      return done(planRejection(order, outcome.code))
    case 'misconfigured':
    case 'unknown':
      return failed(order, 'submission_unknown', outcome, circumstances)
  }
}

/** What came of asking to cancel. */
export function decideCancelResult(
  order: CalledOrder,
  outcome: CancelOutcome,
  circumstances: CallCircumstances,
): CallResult {
  // News was faster: the order has left the state that the question was about.
  if (order.state !== 'cancel_requested') {
    const isLost = outcome.kind === 'cancelled' && canMove(orderTransitions, order.state, 'exception')
    return goOn(order, circumstances, isLost ? planLoss() : { steps: [] })
  }
  switch (outcome.kind) {
    case 'cancelled':
      return done(planCancelled(order))
    case 'refused': {
      const nextPollAt = later(circumstances.now, circumstances.pollMs)
      return done(
        {
          steps: [{ event: 'cancel_refused', to: order.cancelledFrom ?? 'submitted' }],
          fields: { ...settled, returnsPrize: null, cancelledFrom: null, nextPollAt },
        },
        nextPollAt,
      )
    }
    case 'pending':
      return done(
        { steps: [{ event: 'cancellation_pending', to: order.state }], fields: settled },
        later(circumstances.now, circumstances.pollMs),
      )
    case 'misconfigured':
    case 'unknown':
      return failed(order, 'cancellation_unknown', outcome, circumstances)
  }
}

const exceptionOf: Record<RejectionCode, ExceptionReason> = {
  address_invalid: 'address_invalid',
  destination_unsupported: 'address_invalid',
  item_unknown: 'provider_rejected',
  out_of_stock: 'provider_rejected',
  rejected: 'provider_rejected',
}

/** A refusal is an exception like any other, so what was refused counts as submitted. */
function planRejection(order: CalledOrder, rejection: RejectionCode): OrderPlan {
  const exceptionReason = exceptionOf[rejection]
  const data = { exception_reason: exceptionReason, rejection }
  switch (order.state) {
    case 'confirmed':
      return {
        steps: [
          { event: 'submitted', to: 'submitted' },
          { event: 'exception', to: 'exception', data },
        ],
        fields: { ...settled, provider: 'http', exceptionReason },
      }
    case 'cancel_requested':
      return planCancelled(order)
    default:
      return { steps: [{ event: 'submission_rejected', to: order.state, data }], fields: settled }
  }
}

function planCancelled({ returnsPrize }: CalledOrder): OrderPlan {
  return {
    steps: [{ event: 'cancelled', to: 'cancelled' }],
    fields: settled,
    prizeTo: returnsPrize === false ? 'voided' : 'won',
  }
}

function failed(
  order: CalledOrder,
  event: string,
  { kind, problem }: { kind: 'misconfigured' | 'unknown'; problem: string },
  circumstances: CallCircumstances,
): CallResult {
  const { now, random } = circumstances
  const step = { event, to: order.state, data: { attempt: order.attempts, problem } }
  const fields = { attemptUntil: null }
  // News was faster: the provider has the parcel, whatever it answered.
  if (order.attempts === 0) return goOn(order, circumstances, { steps: [] })
  if (kind === 'misconfigured') {
    // Who does not know us has taken nothing on.
    return {
      plan: { steps: [step], fields: { ...fields, attempts: order.attempts - 1 } },
      snoozeUntil: later(now, pausedForMs),
      pauses: true,
    }
  }
  const round = (order.attempts - 1) % (retryAfterMs.length + 1)
  const delayMs = retryAfterMs[round]
  if (delayMs !== undefined) {
    const snoozeUntil = later(now, delayMs * (1 + jitterMax * random))
    return { plan: { steps: [step], fields }, snoozeUntil, pauses: false }
  }
  if (order.state === 'cancel_requested') return done({ steps: [step], fields }, later(now, giveUpMs))
  if (order.state !== 'confirmed' || order.openHolds.includes('other')) return done({ steps: [step], fields })
  // Released, it is tried all over again.
  const held = { event: 'held', to: order.state, data: { hold_reason: 'other', problem } }
  return done({ steps: [step, held], fields, placeHold: 'other' })
}

/** An order that is with the provider is asked about, whatever became of the call. */
function goOn({ state }: CalledOrder, { now, pollMs }: CallCircumstances, plan: OrderPlan): CallResult {
  const last = plan.steps.at(-1)?.to ?? state
  if (!polledStates.includes(last)) return done(plan)
  const nextPollAt = later(now, pollMs)
  return done({ ...plan, fields: { ...plan.fields, attemptUntil: null, nextPollAt } }, nextPollAt)
}

/** The provider has cancelled what the casino no longer wanted cancelled. */
function planLoss(): OrderPlan {
  const exceptionReason = 'provider_rejected'
  return {
    steps: [{ event: 'exception', to: 'exception', data: { exception_reason: exceptionReason } }],
    fields: { ...settled, exceptionReason },
  }
}

function done(plan: OrderPlan, snoozeUntil: Date | null = null): CallResult {
  return { plan, snoozeUntil, pauses: false }
}

function later(time: Date, byMs: number): Date {
  return new Date(time.getTime() + byMs)
}
