import { EnvelopeError } from '../crypto/envelope.ts'
import type { EnvelopeCipher } from '../crypto/envelope.ts'
import { loadDecideStore } from '../batch/load-decide-store.ts'
import type { Change } from '../batch/load-decide-store.ts'
import type { Settled } from '../batch/batcher.ts'
import type { ShipmentName, Submission } from '../partner/fulfilment-provider.ts'
import type { CancelOutcome, ShipmentStatus, SubmitOutcome } from '../partner/provider-outcome.ts'
import type { Database } from '../platform/database.ts'
import type { JobPayload, WorkResult } from '../queue/jobs.ts'
import { decideCancelResult, decideSubmitResult } from './decide-call-result.ts'
import type { CallCircumstances, CallNotMade, CallResult } from './decide-call-result.ts'
import { loadOrdersOfWork } from './load-orders.ts'
import type { OrderSnapshot } from './order.ts'
import type { DeliveryDetails } from './delivery-details.ts'
import type { OrderChange } from './order-change.ts'
import { getOrderWithDelivery } from './read-orders.ts'
import { storeOrderChanges } from './store-changes.ts'
import type { StoreChangesDeps } from './store-changes.ts'

/** What came of a call that changes something at the provider, if it was made. */
export type CallOutcome =
  | { call: 'submit'; outcome: SubmitOutcome | CallNotMade }
  | { call: 'cancel'; outcome: CancelOutcome | CallNotMade }

/** What a submission says, or what comes of it without a call. The delivery details are opened here, for this one request. */
export async function prepareSubmission(
  deps: { database: Database; cipher: EnvelopeCipher },
  order: OrderSnapshot,
): Promise<{ submission: Submission } | { outcome: SubmitOutcome }> {
  const delivery = await openDelivery(deps, order)
  if (delivery === 'unreadable') return { outcome: { kind: 'unknown', problem: 'delivery_unreadable' } }
  // Erased meanwhile.
  if (delivery === null) return { outcome: { kind: 'rejected', code: 'address_invalid' } }
  const prize = await deps.database.prize.findUniqueOrThrow({
    where: { casinoId_id: { casinoId: order.casinoId, id: order.prizeId } },
    select: { itemId: true, itemName: true },
  })
  const item = { id: prize.itemId, name: prize.itemName }
  return { submission: { ...shipmentOf(order), prizeId: order.prizeId, item, delivery } }
}

export function shipmentOf({ id, shipmentNumber }: OrderSnapshot): ShipmentName {
  return { orderId: id, shipmentNumber }
}

/** The attempt is on record already: an address that does not open must end it like any other failure. */
async function openDelivery(
  deps: { database: Database; cipher: EnvelopeCipher },
  order: OrderSnapshot,
): Promise<DeliveryDetails | null | 'unreadable'> {
  try {
    return (await getOrderWithDelivery(deps, order.casinoId, order.id)).delivery
  } catch (error) {
    if (error instanceof EnvelopeError) return 'unreadable'
    throw error
  }
}

/** A call that has come back, to be written down. */
export interface FinishRequest {
  job: JobPayload
  /** Which call it was: the order's shipment and attempt when it was made. */
  shipmentNumber: number
  outcome: CallOutcome
  circumstances: CallCircumstances
}

export interface FinishedCall {
  result: WorkResult
  pauses: boolean
  /** See `CallResult`. */
  contradicts: ShipmentStatus | undefined
}

/**
 * Writes down what calls came to, for orders that may have moved on meanwhile. A call about a parcel before the present
 * one, or for an order that has ended, changes nothing any more: `nothing_to_do`.
 */
export function createFinishCalls(
  deps: StoreChangesDeps,
): (requests: readonly FinishRequest[]) => Promise<Settled<FinishedCall>[]> {
  const results = new WeakMap<OrderChange, CallResult>()
  const change: Change<FinishRequest, ReadonlyMap<string, OrderSnapshot>, OrderChange, FinishedCall> = {
    load: (requests) =>
      loadOrdersOfWork(
        deps.database,
        requests.map(({ job }) => job),
      ),
    decide: (request, orders) => {
      const order = orders.get(request.job.outboxId)
      const isOver = order?.endedAt !== null || order.shipmentNumber !== request.shipmentNumber
      if (order === undefined || isOver) {
        return { answer: { result: 'nothing_to_do', pauses: false, contradicts: undefined } }
      }
      const result = decideResult(order, request)
      const { outboxId } = request.job
      const work = { outboxId, snoozeUntil: result.snoozeUntil }
      const write = { order, plan: result.plan, actor: 'worker', reason: null, requestId: null, work }
      results.set(write, result)
      return { write }
    },
    store: async (changes) => {
      const stored = await storeOrderChanges(deps, changes)
      return new Map(
        [...stored.keys()].map((write) => {
          const { pauses = false, contradicts, snoozeUntil } = results.get(write) ?? { snoozeUntil: null }
          return [write, { result: snoozeUntil === null ? 'done' : 'snoozed', pauses, contradicts }]
        }),
      )
    },
  }
  return (requests) => loadDecideStore(change, requests)
}

function decideResult(order: OrderSnapshot, { outcome, circumstances }: FinishRequest): CallResult {
  return outcome.call === 'submit'
    ? decideSubmitResult(order, outcome.outcome, circumstances)
    : decideCancelResult(order, outcome.outcome, circumstances)
}
