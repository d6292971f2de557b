import { expect } from 'chai'
import type { Database } from '../../../core/platform/database.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'

/** Straight into the tables, past everything that the service does to prevent it. */
describe('the database', () => {
  let service: TestService
  let database: Database
  let casinoId: string

  before(async () => {
    service = await startService()
    database = service.database
    casinoId = (await service.factory.casino()).id
  })
  after(() => service.stop())

  let made = 0
  const now = new Date()
  const insertOrder = (prizeId: string, state: string) =>
    database.prizeOrder.create({
      data: {
        id: `ord_by_hand_${++made}`,
        casinoId,
        prizeId,
        playerId: 'p',
        state,
        exceptionReason: state === 'exception' ? 'lost' : null,
        endedAt: ['delivered', 'rejected', 'cancelled'].includes(state) ? now : null,
        deliveryCiphertext: new Uint8Array(),
        createdAt: now,
        updatedAt: now,
      },
    })
  const insertCashback = (prizeId: string, state: string) =>
    database.cashback.create({
      data: {
        id: `cbk_by_hand_${++made}`,
        casinoId,
        prizeId,
        playerId: 'p',
        amountMinor: 5n,
        currency: 'EUR',
        state,
        createdAt: now,
        updatedAt: now,
      },
    })
  const isRefused = (insert: Promise<unknown>) =>
    insert.then(
      () => false,
      () => true,
    )
  const newPrize = async () => (await service.factory.prize(casinoId)).prizeId

  for (const [order, cashback, refused] of [
    ['pending_confirmation', 'requested', true],
    ['delivered', 'credited', true],
    ['exception', 'manual_review', true],
    ['cancelled', 'requested', false],
    ['rejected', 'credited', false],
    ['submitted', 'declined', false],
    ['submitted', 'reversed', false],
  ] as const) {
    it(`${refused ? 'refuses' : 'takes'} a cashback that is ${cashback} beside an order that is ${order}, either first`, async () => {
      const [one, other] = [await newPrize(), await newPrize()]
      await insertOrder(one, order)
      expect(await isRefused(insertCashback(one, cashback))).to.equal(refused)
      await insertCashback(other, cashback)
      expect(await isRefused(insertOrder(other, order))).to.equal(refused)
    })
  }

  it('refuses two live orders and two live cashbacks of one prize', async () => {
    const [one, other] = [await newPrize(), await newPrize()]
    await insertOrder(one, 'submitted')
    expect(await isRefused(insertOrder(one, 'confirmed'))).to.equal(true)
    await insertCashback(other, 'unknown')
    expect(await isRefused(insertCashback(other, 'requested'))).to.equal(true)
  })
})
