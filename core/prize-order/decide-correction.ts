import { nextShipment } from './decide-move.ts'
import type { OrderPlan, OrderSnapshot } from './order.ts'
import { illegal, uncorrectable } from './decide-refusal.ts'

/** From the beginning: announced again, and reminded again. */
const announceAgain = { announcedAt: null, remindersSent: 0 }

/**
 * Checks that the address may still be corrected, and plans what follows. If the casino has confirmed the old address,
 * or a parcel to it came back, it must confirm the new one. Throws `transition_illegal`.
 */
export function decideCorrection(
  order: Pick<OrderSnapshot, 'state' | 'attempts' | 'shipmentNumber'>,
): OrderPlan {
  const event = 'address_corrected'
  switch (order.state) {
    case 'pending_confirmation':
      return { steps: [{ event, to: order.state }] }
    case 'confirmed':
      if (order.attempts > 0)
        throw illegal('The order is being submitted: try again when the result is known')
      return { steps: [{ event, to: 'pending_confirmation' }], fields: announceAgain, causesWork: true }
    case 'exception':
      return {
        steps: [{ event, to: 'pending_confirmation' }],
        fields: { ...nextShipment(order), ...announceAgain },
        causesWork: true,
      }
    default:
      throw uncorrectable(order.state)
  }
}
