import { EnvelopeError } from '../crypto/envelope.ts'
import type { EnvelopeCipher } from '../crypto/envelope.ts'
import type { FulfilmentProvider } from '../partner/fulfilment-provider.ts'
import type { ShipmentName, Submission } from '../partner/provider-request.ts'
import type { ProviderAnswer, SubmitOutcome } from '../partner/provider-outcome.ts'
import type { Database } from '../platform/database.ts'
import type { Logger } from '../platform/logger.ts'
import type { ProviderCall } from './decide-work.ts'
import type { DeliveryDetails } from './delivery-details.ts'
import type { OrderSnapshot } from './order.ts'
import { getOrderWithDelivery } from './read-orders.ts'

interface PrepareCallDeps {
  database: Database
  cipher: EnvelopeCipher
  log: Logger
}

interface CallToMake {
  call: ProviderCall
  order: OrderSnapshot
}

/** Prepares the call to the provider, or returns a result that needs no call. */
export async function prepareCall(
  deps: PrepareCallDeps,
  { call, order }: CallToMake,
  provider: FulfilmentProvider | undefined,
): Promise<{ send: () => Promise<ProviderAnswer> } | { outcome: ProviderAnswer }> {
  if (provider === undefined) throw new Error('an attempt without a provider')
  switch (call) {
    case 'submit': {
      const prepared = await prepareSubmission(deps, order)
      if ('submission' in prepared)
        return { send: async () => ({ call, outcome: await provider.submit(prepared.submission) }) }
      const { casinoId, id: orderId } = order
      deps.log.warn({ casinoId, orderId }, 'the order has no address')
      return { outcome: { call, outcome: prepared.outcome } }
    }
    case 'cancel':
      return { send: async () => ({ call, outcome: await provider.cancel(shipmentOf(order)) }) }
    case 'poll':
      return { send: async () => ({ call, outcome: await provider.askStatus(shipmentOf(order)) }) }
  }
}

/** The delivery details are decrypted here, for this one request. */
async function prepareSubmission(
  deps: PrepareCallDeps,
  order: OrderSnapshot,
): Promise<{ submission: Submission } | { outcome: SubmitOutcome }> {
  const delivery = await openDelivery(deps, order)
  if (delivery === 'unreadable') return { outcome: { kind: 'unknown', problem: 'delivery_unreadable' } }
  // Erased in the meantime.
  if (delivery === null) return { outcome: { kind: 'rejected', code: 'address_invalid' } }
  const item = { id: order.itemId, name: order.itemName }
  return { submission: { ...shipmentOf(order), prizeId: order.prizeId, item, delivery } }
}

function shipmentOf({ id, shipmentNumber }: OrderSnapshot): ShipmentName {
  return { orderId: id, shipmentNumber }
}

/** The attempt is committed already, so an address that cannot be decrypted ends it like any other failure. */
async function openDelivery(
  deps: PrepareCallDeps,
  order: OrderSnapshot,
): Promise<DeliveryDetails | null | 'unreadable'> {
  try {
    return (await getOrderWithDelivery(deps, order.casinoId, order.id)).delivery
  } catch (error) {
    if (error instanceof EnvelopeError) return 'unreadable'
    throw error
  }
}
