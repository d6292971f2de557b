import type { PrismaClient } from './prisma.ts'

/** Announces a new order to the casino, once: the same step as ours. */
export async function fulfilOrder(prisma: PrismaClient, orderId: string): Promise<void> {
  await prisma.$transaction(async (tx) => {
    const order = await tx.prizeOrder.findUnique({
      where: { id: orderId },
      select: { casinoId: true, state: true, revision: true, announcedAt: true },
    })
    if (order?.state !== 'pending_confirmation' || order.announcedAt !== null) return
    const now = new Date()
    const announced = await tx.prizeOrder.updateMany({
      where: { id: orderId, revision: order.revision },
      data: { announcedAt: now, revision: { increment: 1 }, updatedAt: now },
    })
    if (announced.count === 0) throw new Error('the order has changed meanwhile')
    await tx.event.create({
      data: {
        casinoId: order.casinoId,
        objectType: 'prize_order',
        objectId: orderId,
        sequence: order.revision + 1,
        type: 'prize_order.confirmation_requested',
        fromState: order.state,
        toState: order.state,
        actor: 'worker',
        createdAt: now,
      },
      select: { id: true },
    })
  })
}
