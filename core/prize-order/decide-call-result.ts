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

/** The fields of an order that the decision reads. `attempts` includes this call. */
export type CalledOrder = Pick<
  OrderSnapshot,
  'state' | 'attempts' | 'openHolds' | 'returnsPrize' | 'cancelledFrom' | 'shipmentNumber'
>

export interface CallCircumstances {
  now: Date
  pollMs: number
  /** From 0 to 1. */
  random: number
  /** True if no earlier attempt can have reached a provider. */
  isFirstToAsk: boolean
}

/** The effect of a call's outcome. */
export interface CallResult extends OrderWork {
  /** A status in the answer that contradicts the order's updates: operators must look at it. */
  contradicts?: ShipmentStatus
}

const settled = { attempts: 0, attemptUntil: null }

/** Applies the result of a submission or cancellation; `call` is the call's purpose, whether or not it was made. */
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
      throw new Error('a poll has no result to record')
  }
}

/** Applies the result of a submission. The order may have changed state in the meantime. */
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
        : keepPolling(order, circumstances, {
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

/** Applies the result of a cancellation request. */
export function decideCancelResult(
  order: CalledOrder,
  outcome: CancelOutcome | NotMade,
  circumstances: CallCircumstances,
): CallResult {
  // A shipment update was faster: the order is no longer in the state of this request.
  if (order.state !== 'cancel_requested') {
    if (outcome.kind !== 'cancelled') return keepPolling(order, circumstances, { steps: [] })
    if (canMove(orderTransitions, order.state, 'exception'))
      return keepPolling(order, circumstances, planUnwantedCancellation())
    const data = { status: outcome.kind, shipment_number: order.shipmentNumber }
    const steps: OrderStep[] = [{ event: 'news_ignored', to: order.state, data }]
    return { ...keepPolling(order, circumstances, { steps }), contradicts: outcome.kind }
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

/** A rejection is an exception like any other, so the rejected parcel counts as submitted. */
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

/** No call was made, so the attempt does not count. Its beginning is in the history, and so its end must be too. */
function giveBack(order: CalledOrder, circumstances: CallCircumstances): CallResult {
  if (order.attempts === 0) return keepPolling(order, circumstances, { steps: [] })
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
  // A shipment update was faster: the provider has the parcel, also if this answer was a failure.
  if (order.attempts === 0) return keepPolling(order, circumstances, { steps: [] })
  const unknown = planUnknown(order, problem, circumstances)
  // A provider that was not reached has accepted nothing, unless it received an earlier attempt.
  const isUnheard = wasNeverHeard(outcome) || problem === 'delivery_unreadable'
  const asked = circumstances.isFirstToAsk && isUnheard ? { providerAsked: null } : {}
  const withAsked = (plan: OrderPlan, fields: Partial<OrderFields> = {}): OrderPlan => ({
    ...plan,
    fields: { ...plan.fields, ...fields, ...asked },
  })
  if (kind === 'unknown') {
    return { plan: withAsked(unknown.plan), snoozeUntil: unknown.snoozeUntil }
  }
  // A provider that rejects our credentials has accepted nothing either.
  const steps = unknown.plan.steps.slice(0, 1)
  return {
    plan: withAsked({ steps }, { attemptUntil: null, attempts: order.attempts - 1 }),
    snoozeUntil: later(circumstances.now, pausedForMs),
  }
}

/** An order that is with the provider is polled after any result of this call. */
function keepPolling(
  { state }: CalledOrder,
  { now, pollMs }: CallCircumstances,
  plan: OrderPlan,
): CallResult {
  const last = plan.steps.at(-1)?.to ?? state
  if (!polledStates.includes(last)) return done(plan)
  const nextPollAt = later(now, pollMs)
  return done({ ...plan, fields: { ...plan.fields, attemptUntil: null, nextPollAt } }, nextPollAt)
}

/** The provider has cancelled a parcel whose cancellation was withdrawn. */
function planUnwantedCancellation(): OrderPlan {
  const exceptionReason = 'provider_rejected'
  return {
    steps: [{ event: 'exception', to: 'exception', data: { exception_reason: exceptionReason } }],
    fields: { ...settled, providerAsked: null, exceptionReason },
  }
}

function done(plan: OrderPlan, snoozeUntil: Date | null = null): CallResult {
  return { plan, snoozeUntil }
}
