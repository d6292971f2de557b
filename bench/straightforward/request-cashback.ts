import { newId } from '../../core/platform/ids.ts'
import { HttpError } from './http-error.ts'
import type { PrismaClient } from './prisma.ts'
import type { Queues } from './queues.ts'
import type { RequestOf } from './request.ts'

export type RequestCashback = (request: RequestOf<{ prizeId: string }>) => Promise<void>

/** Takes the prize, records the cashback and its history in one transaction, then queues crediting it. */
export function createRequestCashback(deps: { prisma: PrismaClient; queues: Queues }): RequestCashback {
  return async ({ casinoId, playerId, prizeId, actor, requestId }) => {
    const cashbackId = newId('cbk', new Date())
    await deps.prisma.$transaction(async (tx) => {
      const prize = await tx.prize.findUnique({ where: { casinoId_id: { casinoId, id: prizeId } } })
      if (prize?.playerId !== playerId) throw unavailable()
      const now = new Date()
      const isClaimable = prize.state === 'won' && (prize.expiresAt === null || prize.expiresAt > now)
      const { cashbackAmountMinor: amountMinor, cashbackCurrency: currency } = prize
      if (amountMinor === null || currency === null || !isClaimable) throw unavailable()

      const taken = await tx.prize.updateMany({
        where: { casinoId, id: prizeId, state: 'won', revision: prize.revision },
        data: { state: 'cashback_pending', revision: { increment: 1 }, updatedAt: now },
      })
      if (taken.count === 0) throw unavailable()

      await tx.cashback.create({
        data: {
          id: cashbackId,
          casinoId,
          prizeId,
          playerId,
          amountMinor,
          currency,
          state: 'requested',
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
            type: 'prize.cashback_pending',
            fromState: 'won',
            toState: 'cashback_pending',
          },
          {
            ...event,
            objectType: 'cashback',
            objectId: cashbackId,
            sequence: 1,
            type: 'cashback.requested',
            toState: 'requested',
          },
        ],
      })
    })
    await deps.queues.cashbacks.add('credit-cashback', { cashbackId }, { jobId: cashbackId })
  }
}

function unavailable(): HttpError {
  return new HttpError(404, 'Prize not found or unavailable for cashback')
}
