import { loadDecideStore } from '../batch/load-decide-store.ts'
import type { Change } from '../batch/load-decide-store.ts'
import type { Settled } from '../batch/batcher.ts'
import type { Envelope, EnvelopeCipher } from '../crypto/envelope.ts'
import { RewardsError } from '../errors.ts'
import type { HeldClaim } from '../idempotency/claim-steps.ts'
import { refuseChanged } from '../prize/decide-revision.ts'
import { decideCorrection } from './decide-correction.ts'
import { decideMove } from './decide-move.ts'
import type { MoveDetails, OrderMove } from './decide-move.ts'
import type { DeliveryDetails } from './delivery-details.ts'
import { loadOrdersToChange, orderKeyOf } from './load-orders.ts'
import type { OrderName } from './load-orders.ts'
import type { OrderSnapshot } from './order.ts'
import type { OrderChange } from './order-change.ts'
import { storeOrderChanges } from './store-changes.ts'
import type { StoreChangesDeps } from './store-changes.ts'

interface OperatorRequest extends OrderName {
  /** Actor and reason, for the history: `admin` or `key:…`. */
  actor: string
  reason: string | null
  requestId: string
  claim: HeldClaim | undefined
  /** Nothing is done if the object has another revision; undefined for any. */
  expectedRevision?: number | undefined
}

export interface MoveOrderRequest extends OperatorRequest {
  move: OrderMove
  details: MoveDetails
}

export interface CorrectAddressRequest extends OperatorRequest {
  delivery: DeliveryDetails
}

export interface MoveOrdersDeps extends StoreChangesDeps {
  cipher: EnvelopeCipher
}

/**
 * Carries out operators' actions on orders, and corrects addresses. Returns each order after the action. A batch must
 * not have two requests for one order. Throws `order_unknown`, `revision_changed` or `transition_illegal`.
 */
export function createMoveOrders(
  deps: MoveOrdersDeps,
): (requests: readonly (MoveOrderRequest | CorrectAddressRequest)[]) => Promise<Settled<OrderSnapshot>[]> {
  const change: Change<Decided, ReadonlyMap<string, OrderSnapshot>, OrderChange, OrderSnapshot> = {
    load: (requests) => loadOrdersToChange(deps.database, requests),
    decide: (request, loaded) => {
      const order = loaded.get(orderKeyOf(request))
      if (order === undefined) throw new RewardsError('order_unknown')
      refuseChanged(request.expectedRevision, order)
      const { actor, reason, requestId, claim } = request
      const who = { order, actor, reason, requestId, claim }
      if ('move' in request) {
        return { write: { ...who, plan: decideMove(request.move, order, request.details) } }
      }
      return { write: { ...who, plan: decideCorrection(order), delivery: request.delivery } }
    },
    store: (changes) => storeOrderChanges(deps, 'request', changes),
  }
  return (requests) =>
    loadDecideStore(
      change,
      requests.map((request) => ('move' in request ? request : sealed(deps.cipher, request))),
    )
}

/** A request as decisions see it: they do not encrypt. */
type Decided = MoveOrderRequest | (Omit<CorrectAddressRequest, 'delivery'> & { delivery: Envelope })

function sealed(cipher: EnvelopeCipher, request: CorrectAddressRequest): Decided {
  return { ...request, delivery: cipher.seal(JSON.stringify(request.delivery), request.orderId) }
}
