import { givenBackUntil, later, wasNeverHeard } from '../outbound/attempt.ts'
import type { NotMade } from '../outbound/attempt.ts'
import type {
  CancelOutcome,
  ProviderAnswer,
  RejectionCode,
  ShipmentStatus,
  SubmitOutcome,
} from '../partner/provider-outcome.ts'
import { planUnknown } from './decide-unknown.ts'
import { pausedForMs, polledStates } from './decide-work.ts'
import type { OrderWork, ProviderCall } from './decide-work.ts'
import type { OrderFields, OrderPlan, OrderSnapshot, OrderStep } from './order.ts'
import { canMove } from '../state-machine.ts'
import { orderTransitions } from './state.ts'
import type { ExceptionReason } from './state.ts'

/** What the outcome of a call looks at. `attempts` counts that call too. */
export type CalledOrder = Pick<
  OrderSnapshot,
  'state' | 'attempts' | 'openHolds' | 'returnsPrize' | 'cancelledFrom' | 'shipmentNumber'
>

export interface CallCircumstances {
  now: Date
  pollMs: number
  /** From 0 to 1. */
  random: number
  /** No attempt before this one can have been heard by any provider. */
  isFirstToAsk: boolean
}

/** What an outcome means. */
export interface CallResult extends OrderWork {
  /** What the answer says of the parcel that contradicts where updates have taken the order: people must know of it. */
  contradicts?: ShipmentStatus
}

const settled = { attempts: 0, attemptUntil: null }

/** What came of a call that changes something at the provider; `call` is what it was, or would have been, made for. */
export function decideCallResult(
  order: CalledOrder,
  call: ProviderCall,
  answer: ProviderAnswer | NotMade,
  circumstances: CallCircumstances,
): CallResult {
  if ('kind' in answer)
    return call === 'cancel'
      ? decideCancelResult(order, answer, circumstances)
      : decideSubmitResult(order, answer, circumstances)
  switch (answer.call) {
    case 'submit':
      return decideSubmitResult(order, answer.outcome, circumstances)
    case 'cancel':
      return decideCancelResult(order, answer.outcome, circumstances)
    case 'poll':
      throw new Error('nothing is recorded of a question')
  }
}

/** What came of submitting an order, which may have been moved on meanwhile. */
export function decideSubmitResult(
  order: CalledOrder,
  outcome: SubmitOutcome | NotMade,
  circumstances: CallCircumstances,
): CallResult {
  const { now, pollMs } = circumstances
  switch (outcome.kind) {
    case 'accepted': {
      const fields = { ...settled, provider: 'http' as const, providerReference: outcome.reference }
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
      return {
        ...done(planRejection(order, outcome.code)),
        ...(order.state === 'confirmed' || order.state === 'cancel_requested'
          ? {}
          : { contradicts: 'exception' }),
      }
    case 'not_made':
      return giveBack(order, circumstances)
    case 'misconfigured':
    case 'unknown':
      return failed(order, outcome, circumstances)
  }
}

/** What came of asking to cancel. */
export function decideCancelResult(
  order: CalledOrder,
  outcome: CancelOutcome | NotMade,
  circumstances: CallCircumstances,
): CallResult {
  // News was faster: the order has left the state that the question was about.
  if (order.state !== 'cancel_requested') {
    if (outcome.kind !== 'cancelled') return goOn(order, circumstances, { steps: [] })
    if (canMove(orderTransitions, order.state, 'exception')) return goOn(order, circumstances, planLoss())
    const data = { status: outcome.kind, shipment_number: order.shipmentNumber }
    const steps: OrderStep[] = [{ event: 'news_ignored', to: order.state, data }]
    return { ...goOn(order, circumstances, { steps }), contradicts: outcome.kind }
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
    case 'not_made':
      return giveBack(order, circumstances)
    case 'misconfigured':
    case 'unknown':
      return failed(order, outcome, circumstances)
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
        fields: { ...settled, provider: 'http', providerAsked: null, exceptionReason },
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

/** Nobody was asked, so the attempt does not count; the history has its beginning, so it also has how it ended. */
function giveBack(order: CalledOrder, circumstances: CallCircumstances): CallResult {
  if (order.attempts === 0) return goOn(order, circumstances, { steps: [] })
  const asked = circumstances.isFirstToAsk ? { providerAsked: null } : {}
  const steps = planUnknown(order, 'not_called', circumstances).plan.steps.slice(0, 1)
  return {
    plan: { steps, fields: { attempts: order.attempts - 1, attemptUntil: null, ...asked } },
    snoozeUntil: givenBackUntil(circumstances.now, circumstances.random),
  }
}

function failed(
  order: CalledOrder,
  outcome: { kind: 'misconfigured' | 'unknown'; problem: string },
  circumstances: CallCircumstances,
): CallResult {
  const { kind, problem } = outcome
  // News was faster: the provider has the parcel, whatever it answered.
  if (order.attempts === 0) return goOn(order, circumstances, { steps: [] })
  const unknown = planUnknown(order, problem, circumstances)
  // Who was not reached has taken nothing on; unless an attempt before this one was heard.
  const isUnheard = wasNeverHeard(outcome) || problem === 'delivery_unreadable'
  const asked = circumstances.isFirstToAsk && isUnheard ? { providerAsked: null } : {}
  const withAsked = (plan: OrderPlan, fields: Partial<OrderFields> = {}): OrderPlan => ({
    ...plan,
    fields: { ...plan.fields, ...fields, ...asked },
  })
  if (kind === 'unknown') {
    return { plan: withAsked(unknown.plan), snoozeUntil: unknown.snoozeUntil }
  }
  // Who does not know us has taken nothing on, either.
  const steps = unknown.plan.steps.slice(0, 1)
  return {
    plan: withAsked({ steps }, { attemptUntil: null, attempts: order.attempts - 1 }),
    snoozeUntil: later(circumstances.now, pausedForMs),
  }
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
    fields: { ...settled, providerAsked: null, exceptionReason },
  }
}

function done(plan: OrderPlan, snoozeUntil: Date | null = null): CallResult {
  return { plan, snoozeUntil }
}
