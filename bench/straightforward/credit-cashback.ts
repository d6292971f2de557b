import type { PrismaClient } from './prisma.ts'

/** Credits a requested cashback to the player's wallet in the ledger, once: the same steps as ours. */
export async function creditCashback(prisma: PrismaClient, cashbackId: string): Promise<void> {
  await prisma.$transaction(async (tx) => {
    const cashback = await tx.cashback.findUnique({ where: { id: cashbackId } })
    if (cashback?.state !== 'requested') return
    const { casinoId, playerId, prizeId, amountMinor, currency } = cashback
    const now = new Date()
    const credited = await tx.cashback.updateMany({
      where: { id: cashbackId, revision: cashback.revision },
      data: { state: 'credited', revision: { increment: 1 }, updatedAt: now },
    })
    if (credited.count === 0) throw new Error('the cashback has changed meanwhile')
    const prize = await tx.prize.update({
      where: { casinoId_id: { casinoId, id: prizeId }, state: 'cashback_pending' },
      data: { state: 'cashed_back', revision: { increment: 1 }, updatedAt: now },
      select: { revision: true },
    })
    const transactionId = `txn_${cashbackId}`
    await tx.ledgerTransaction.create({
      data: { id: transactionId, casinoId, kind: 'cashback_credit', cashbackId, createdAt: now },
      select: { id: true },
    })
    const entry = { transactionId, casinoId, currency }
    await tx.ledgerEntry.createMany({
      data: [
        { ...entry, position: 1, account: 'casino_cashback', amountMinor: -amountMinor },
        { ...entry, position: 2, account: 'player_wallet', playerId, amountMinor },
      ],
    })
    const event = { casinoId, actor: 'worker', createdAt: now }
    await tx.event.createMany({
      data: [
        {
          ...event,
          objectType: 'cashback',
          objectId: cashbackId,
          sequence: cashback.revision + 1,
          type: 'cashback.credited',
          fromState: 'requested',
          toState: 'credited',
        },
        {
          ...event,
          objectType: 'prize',
          objectId: prizeId,
          sequence: prize.revision,
          type: 'prize.cashed_back',
          fromState: 'cashback_pending',
          toState: 'cashed_back',
        },
      ],
    })
  })
}
