import type { EnvelopeCipher } from '../../core/crypto/envelope.ts'
import type { DeliveryDetails } from '../../core/prize-order/delivery-details.ts'
import { newId } from '../../core/platform/ids.ts'
import { HttpError } from './http-error.ts'
import type { PrismaClient } from './prisma.ts'
import type { Queues } from './queues.ts'
import type { RequestOf } from './request.ts'

export type PlaceOrder = (request: RequestOf<{ prizeId: string; delivery: DeliveryDetails }>) => Promise<void>

/** Takes the prize, records the order and its history in one transaction, then queues the work that follows. */
export function createPlaceOrder(deps: {
  prisma: PrismaClient
  queues: Queues
  cipher: EnvelopeCipher
}): PlaceOrder {
  return async ({ casinoId, playerId, prizeId, delivery, actor, requestId }) => {
    const orderId = newId('ord', new Date())
    const sealed = deps.cipher.seal(JSON.stringify(delivery), orderId)
    await deps.prisma.$transaction(async (tx) => {
      const prize = await tx.prize.findUnique({ where: { casinoId_id: { casinoId, id: prizeId } } })
      if (prize === null) throw unavailable()
      if (prize.playerId !== playerId) {
        throw new HttpError(403, 'Player does not have the specified prize in inventory')
      }
      const now = new Date()
      const isClaimable = prize.state === 'won' && (prize.expiresAt === null || prize.expiresAt > now)
      if (prize.kind !== 'physical' || !isClaimable) throw unavailable()

      const taken = await tx.prize.updateMany({
        where: { casinoId, id: prizeId, state: 'won', revision: prize.revision },
        data: { state: 'ordered', revision: { increment: 1 }, updatedAt: now },
      })
      if (taken.count === 0) throw unavailable()

      await tx.prizeOrder.create({
        data: {
          id: orderId,
          casinoId,
          prizeId,
          playerId,
          state: 'pending_confirmation',
          deliveryCiphertext: new Uint8Array(sealed.ciphertext),
          deliveryKey: new Uint8Array(sealed.wrappedKey),
          deliveryKeyId: sealed.keyId,
          createdAt: now,
          updatedAt: now,
        },
        select: { id: true },
      })
      const event = { casinoId, actor, requestId, createdAt: now }
      await tx.event.createMany({
        data: [
          {
            ...event,
            objectType: 'prize',
            objectId: prizeId,
            sequence: prize.revision + 1,
            type: 'prize.ordered',
            fromState: 'won',
            toState: 'ordered',
          },
          {
            ...event,
            objectType: 'prize_order',
            objectId: orderId,
            sequence: 1,
            type: 'prize_order.placed',
            toState: 'pending_confirmation',
          },
        ],
      })
    })
    await deps.queues.orders.add('fulfil-prize-order', { orderId }, { jobId: orderId })
  }
}

function unavailable(): HttpError {
  return new HttpError(404, 'Prize not found or unavailable for order')
}
