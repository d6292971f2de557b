import { nextShipment } from './decide-move.ts'
import type { OrderPlan, OrderSnapshot } from './order.ts'
import { illegal, uncorrectable } from './decide-refusal.ts'

/** From the beginning: the casino is told again, and reminded again. */
const askedAnew = { announcedAt: null, remindersSent: 0 }

/**
 * May the address still be corrected, and what follows? Once the casino has confirmed the old one, or a parcel to it has
 * come back, it must confirm the new one. Throws `transition_illegal`.
 */
export function decideCorrection(
  order: Pick<OrderSnapshot, 'state' | 'attempts' | 'shipmentNumber'>,
): OrderPlan {
  const event = 'address_corrected'
  switch (order.state) {
    case 'pending_confirmation':
      return { steps: [{ event, to: order.state }] }
    case 'confirmed':
      if (order.attempts > 0) throw illegal('The order is being submitted')
      return { steps: [{ event, to: 'pending_confirmation' }], fields: askedAnew, causesWork: true }
    case 'exception':
      return {
        steps: [{ event, to: 'pending_confirmation' }],
        fields: { ...nextShipment(order), ...askedAnew },
        causesWork: true,
      }
    default:
      throw uncorrectable(order.state)
  }
}
