import type { NotMade } from '../outbound/attempt.ts'
import { codeOfCall } from '../partner/provider-outcome.ts'
import type { ProviderAnswer, ShipmentStatus, StatusOutcome } from '../partner/provider-outcome.ts'
import { newId } from '../platform/ids.ts'
import type { Logger } from '../platform/logger.ts'
import { describeOutcome } from '../queue/jobs.ts'
import type { OrderSnapshot } from './order.ts'
import { storePollProblem } from './poll-problem.ts'
import { updateAheadMaxMs, storeIgnoredAnswer, receiveShipmentUpdate } from './receive-shipment-update.ts'
import type { StoreChangesDeps } from './store-changes.ts'

export interface HearProviderDeps extends StoreChangesDeps {
  log: Logger
  /** Called for each answer that contradicts an order and changed nothing. */
  onIgnored: (status: ShipmentStatus) => void
}

/** A poll's answer is handled like any other shipment update. */
export async function receiveStatus(
  deps: HearProviderDeps,
  order: OrderSnapshot,
  outcome: StatusOutcome,
): Promise<void> {
  const { casinoId, id: orderId, shipmentNumber } = order
  const now = deps.clock.now()
  if (outcome.kind === 'shipment_update' && outcome.update !== null) {
    if (outcome.update.occurredAt.getTime() > now.getTime() + updateAheadMaxMs) {
      deps.log.warn({ casinoId, orderId }, 'shipment update from the future ignored')
    } else {
      const id = `polled/${orderId}-${shipmentNumber}/${newId('req')}`
      const heard = { ...outcome.update, id, orderId, shipmentNumber }
      await receiveShipmentUpdate(deps, casinoId, heard, { isAnswer: true })
    }
  }
  const problem = await storePollProblem(deps.database, order, outcome, now)
  if (problem !== null) deps.log.warn({ casinoId, orderId, problem }, 'provider does not report on an order')
}

/**
 * The order has ended, has another parcel or other work, so this answer comes too late. If it may mean that a parcel is
 * on its way, it is stored as an update, so that operators see the contradiction.
 */
export async function keepContradiction(
  deps: HearProviderDeps,
  { casinoId, id: orderId, shipmentNumber, partnerOccurredAt }: OrderSnapshot,
  answer: ProviderAnswer,
  calledAt: Date,
): Promise<void> {
  const status = statusIn(answer)
  if (status === undefined) return
  // Never later than now, or later updates would count as stale. The provider's clock may be ahead of ours.
  const atMs = (status === 'processing' ? calledAt : deps.clock.now()).getTime()
  const occurredAt = new Date(Math.max(atMs, partnerOccurredAt?.getTime() ?? atMs))
  await receiveShipmentUpdate(deps, casinoId, {
    id: `answered/${orderId}-${shipmentNumber}/${occurredAt.toISOString()}`,
    orderId,
    shipmentNumber,
    status,
    occurredAt,
    reason: null,
    carrier: null,
    trackingNumber: null,
  })
}

/** The contradiction is in the order's history already. */
export async function reportContradiction(
  deps: HearProviderDeps,
  order: OrderSnapshot,
  status: ShipmentStatus,
): Promise<void> {
  await storeIgnoredAnswer(deps, order, status)
  const { casinoId, id: orderId, shipmentNumber } = order
  const details = { casinoId, orderId, status, shipment_number: shipmentNumber }
  deps.log.warn(details, 'contradictory provider answer ignored')
  deps.onIgnored(status)
}

/** The parcel's status in an answer: accepting it means processing. Undefined if the answer contradicts nothing. */
function statusIn({ call, outcome }: ProviderAnswer): ShipmentStatus | undefined {
  if (call === 'submit') return outcome.kind === 'accepted' ? 'processing' : undefined
  if (call === 'poll') return undefined
  if (outcome.kind === 'refused') return 'cancel_refused'
  return outcome.kind === 'cancelled' ? 'cancelled' : undefined
}

/** For the job's result. */
export function describeAnswer(answer: ProviderAnswer | NotMade): string {
  const outcome = 'kind' in answer ? answer : answer.outcome
  if (outcome.kind === 'shipment_update')
    return describeOutcome(codeOfCall(outcome.kind), outcome.update?.status)
  if (outcome.kind === 'rejected') return describeOutcome(outcome.kind, outcome.code)
  return describeOutcome(outcome.kind, 'problem' in outcome ? outcome.problem : undefined)
}
