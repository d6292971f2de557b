import type { CashbackState } from '../../../core/cashback/state.ts'
import type { OrderState } from '../../../core/prize-order/state.ts'
import type { CashbackRow, EventRow, OrderRow } from './records.ts'

/**
 * The facts that the model knows of an order, from its history alone. That they agree with the order's row after every
 * command shows that the history is complete.
 */
export interface OrderFacts {
  state: OrderState
  holds: readonly string[]
  shipmentNumber: number
  /** Calls to the provider in the current submission: after one, the provider may have the parcel. */
  submissionAttempts: number
  /** It is held since another provider than the present one may have the parcel. */
  isElsewhere: boolean
}

/** The facts before the first event, and after each. */
export function factsOfOrder(events: readonly EventRow[]): OrderFacts[] {
  let facts: OrderFacts = {
    state: 'pending_confirmation',
    holds: [],
    shipmentNumber: 1,
    submissionAttempts: 0,
    isElsewhere: false,
  }
  return events.map((event) => {
    facts = afterOrderEvent(facts, event)
    return facts
  })
}

/** The problems of attempts in which no provider can have taken anything on. */
const uncounted = /^(status_40[134]|url_invalid|address_forbidden|not_called)$/

function afterOrderEvent(before: OrderFacts, { type, from_state, to_state, data }: EventRow): OrderFacts {
  const state = to_state as OrderState
  const facts = {
    ...before,
    state,
    submissionAttempts: state === 'confirmed' ? before.submissionAttempts : 0,
  }
  const detail = (name: string) => String(data?.[name])
  switch (type.replace('prize_order.', '')) {
    case 'held':
      return {
        ...facts,
        holds: [...before.holds, detail('hold_reason')].sort(),
        isElsewhere: before.isElsewhere || detail('problem') === 'provider_changed',
      }
    case 'released': {
      const isOther = detail('hold_reason') === 'other'
      return {
        ...facts,
        holds: before.holds.filter((reason) => reason !== detail('hold_reason')),
        isElsewhere: before.isElsewhere && !isOther,
        // An operator who releases it says that no provider has the parcel.
        submissionAttempts: before.isElsewhere && isOther ? 0 : facts.submissionAttempts,
      }
    }
    case 'submission_attempted':
      return { ...facts, submissionAttempts: Number(detail('attempt')) }
    case 'submission_unknown':
      return uncounted.test(detail('problem'))
        ? { ...facts, submissionAttempts: Number(detail('attempt')) - 1 }
        : facts
    case 'confirmed':
      return from_state === 'exception'
        ? { ...facts, shipmentNumber: before.shipmentNumber + 1, submissionAttempts: 0 }
        : facts
    case 'address_corrected':
      return from_state === 'exception' ? { ...facts, shipmentNumber: before.shipmentNumber + 1 } : facts
    default:
      return facts
  }
}

/** Where the row and the history differ. */
export function differencesOf(row: OrderRow, facts: OrderFacts): string[] {
  return [
    ...(row.state === facts.state ? [] : [`state ${row.state}, by its history ${facts.state}`]),
    ...(row.holds.join() === facts.holds.join()
      ? []
      : [`holds ${row.holds.join()}, by its history ${facts.holds.join()}`]),
    ...(row.shipment_number === facts.shipmentNumber
      ? []
      : [`shipment ${row.shipment_number}, by its history ${facts.shipmentNumber}`]),
    ...(row.state !== 'confirmed' || row.attempts === facts.submissionAttempts
      ? []
      : [`${row.attempts} attempts, by its history ${facts.submissionAttempts}`]),
  ]
}

/** Values that should have ended with the state that they belong to. */
export function leftoversOf({ state, holds, exception_reason }: OrderRow): string[] {
  const isOver = ['rejected', 'cancelled', 'delivered'].includes(state)
  const isExplained = ['exception', 'cancel_requested', 'cancelled'].includes(state)
  return [
    ...(isOver && holds.length > 0 ? [`${state}, and held: ${holds.join()}`] : []),
    ...(!isExplained && exception_reason !== null ? [`${state}, and still ${exception_reason}`] : []),
  ]
}

export type OrderMoveName =
  | 'confirm'
  | 'reject'
  | 'cancel'
  /** As the last word. */
  | 'final cancel'
  | 'resume'
  | 'hold'
  | 'release'
  | 'ship'
  | 'deliver'
  | 'exception'
  | 'reship'
  | 'correct'

/**
 * Where a move leads; undefined when it is illegal. Written down a second time here, on purpose in the simplest form:
 * by the promises of the documents, not by the service's code.
 */
export function resultOfMove(
  move: OrderMoveName,
  holdReason: string | undefined,
  { state, holds, submissionAttempts }: OrderFacts,
): OrderState | undefined {
  const from = (...states: OrderState[]) => states.includes(state)
  const isMaybeSubmitted = state === 'confirmed' && submissionAttempts > 0
  switch (move) {
    case 'confirm':
      return from('pending_confirmation') ? 'confirmed' : undefined
    case 'reject':
      return from('pending_confirmation') ? 'rejected' : undefined
    case 'cancel':
    case 'final cancel':
      if (from('submitted', 'processing') || isMaybeSubmitted) return 'cancel_requested'
      if (state === 'cancel_requested') return move === 'cancel' ? undefined : 'cancelled'
      return from('pending_confirmation', 'confirmed', 'exception') ? 'cancelled' : undefined
    case 'resume':
      return from('cancel_requested') ? 'submitted' : undefined
    case 'hold':
      return from('pending_confirmation', 'confirmed', 'exception') && !holds.includes(holdReason ?? '')
        ? state
        : undefined
    case 'release':
      return (holdReason === undefined ? holds.length > 0 : holds.includes(holdReason)) ? state : undefined
    case 'ship':
      if (state === 'confirmed') return holds.length === 0 && !isMaybeSubmitted ? 'shipped' : undefined
      // The details are always new then: see bodyOf in operate.ts.
      return from('submitted', 'processing', 'shipped', 'exception') ? 'shipped' : undefined
    case 'deliver':
      return from('shipped', 'exception') ? 'delivered' : undefined
    case 'exception':
      return from('submitted', 'processing', 'shipped') ? 'exception' : undefined
    case 'reship':
      return from('exception') ? 'confirmed' : undefined
    case 'correct':
      if (state === 'confirmed') return isMaybeSubmitted ? undefined : 'pending_confirmation'
      return from('pending_confirmation', 'exception') ? 'pending_confirmation' : undefined
  }
}

export type CashbackMoveName =
  'retry' | 'credited' | 'declined' | 'reversed' | 'return' | 'void' | 'money back'

/**
 * The same for cashbacks: `credited`, `declined` and `reversed` resolve, `return` and `void` reverse, and so does
 * `money back`, when the casino has taken the money out itself.
 */
export function resultOfCashbackMove(
  move: CashbackMoveName,
  { state, problem, wallet }: Pick<CashbackRow, 'state' | 'problem' | 'wallet'>,
): CashbackState | undefined {
  const isOpen = state === 'unknown' || state === 'manual_review'
  const isOpenReversal = state === 'reversal_unknown' || state === 'reversal_review'
  const isPaid = problem === 'amount_mismatch' || problem === 'wallet_contradicted'
  switch (move) {
    case 'retry':
      if (isPaid) return undefined
      return isOpen ? 'processing' : isOpenReversal ? 'reversing' : undefined
    case 'credited':
    case 'declined':
      // While a call is in progress, no operator can.
      if (isOpen || state === 'requested' || state === 'processing') return move
      return move === 'credited' && (isOpenReversal || state === 'reversing') ? move : undefined
    case 'reversed':
      return isOpenReversal || state === 'reversing' ? move : undefined
    case 'return':
    case 'void':
      if (state !== 'credited') return undefined
      return wallet === 'http' ? 'reversing' : 'reversed'
    case 'money back':
      return state === 'credited' ? 'reversed' : undefined
  }
}
