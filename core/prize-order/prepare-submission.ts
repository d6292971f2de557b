import { EnvelopeError } from '../crypto/envelope.ts'
import type { EnvelopeCipher } from '../crypto/envelope.ts'
import type { ShipmentName, Submission } from '../partner/fulfilment-provider.ts'
import type { SubmitOutcome } from '../partner/provider-outcome.ts'
import type { Database } from '../platform/database.ts'
import type { DeliveryDetails } from './delivery-details.ts'
import type { OrderSnapshot } from './order.ts'
import { getOrderWithDelivery } from './read-orders.ts'

/**
 * What a submission says, or what comes of it without a call. The delivery details are opened here, for this one
 * request.
 */
export async function prepareSubmission(
  deps: { database: Database; cipher: EnvelopeCipher },
  order: OrderSnapshot,
): Promise<{ submission: Submission } | { outcome: SubmitOutcome }> {
  const delivery = await openDelivery(deps, order)
  if (delivery === 'unreadable') return { outcome: { kind: 'unknown', problem: 'delivery_unreadable' } }
  // Erased meanwhile.
  if (delivery === null) return { outcome: { kind: 'rejected', code: 'address_invalid' } }
  const item = { id: order.itemId, name: order.itemName }
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
