import { expect } from 'chai'
import { firstIdAt, newId } from '../../../core/platform/ids.ts'
import { countWaitingOrders, waitingLongMs } from '../../../core/prize-order/count-waiting-orders.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'

describe('orders that wait long for operators', () => {
  const minute = 60_000
  let service: TestService
  let made = 0

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
  })

  async function orderOf(casinoId: string, ageMs: number, state: string, provider: string | null) {
    const placedAt = new Date(Date.now() - ageMs)
    const { prizeId } = await service.factory.prize(casinoId)
    await service.database.prizeOrder.create({
      data: {
        id: `${firstIdAt('ord', placedAt)}7${String(++made).padStart(19, '0')}`,
        casinoId,
        prizeId,
        playerId: 'p',
        state,
        provider,
        deliveryCiphertext: new Uint8Array(),
        createdAt: placedAt,
        updatedAt: new Date(),
        exceptionReason: state === 'exception' ? 'lost' : null,
      },
    })
  }

  it('are counted from the third day on, in all casinos, without other orders', async () => {
    const none = await countWaitingOrders(service.database)
    expect([...none]).to.deep.equal([
      ['unconfirmed', 0],
      ['unshipped', 0],
    ])
    const [old, young] = [waitingLongMs + minute, waitingLongMs - minute]
    for (const casino of [await service.factory.casino(), await service.factory.casino()]) {
      await orderOf(casino.id, old, 'pending_confirmation', null)
      await orderOf(casino.id, young, 'pending_confirmation', null)
      for (const state of ['submitted', 'processing']) {
        await orderOf(casino.id, old, state, 'manual')
        await orderOf(casino.id, young, state, 'manual')
        await orderOf(casino.id, old, state, 'http')
      }
      for (const state of ['confirmed', 'shipped', 'exception', 'cancel_requested'])
        await orderOf(casino.id, old, state, 'manual')
    }
    expect([...(await countWaitingOrders(service.database))]).to.deep.equal([
      ['unconfirmed', 2],
      ['unshipped', 4],
    ])
    const metrics = await (await fetch(new URL('/metrics', service.url))).text()
    expect(metrics).to.match(/^rewards_orders_open\{state="unconfirmed"\} 2$/m)
    expect(metrics).to.match(/^rewards_orders_open\{state="unshipped"\} 4$/m)
    expect(metrics).to.match(/^rewards_orders_open\{state="exception"\} 2$/m)
  })

  it('are found by their ids, which begin with the time of their creation', () => {
    const at = new Date('2031-05-06T07:08:09.123Z')
    const id = newId('ord', at)
    expect(id >= firstIdAt('ord', at)).to.equal(true)
    expect(id < firstIdAt('ord', new Date(at.getTime() + 1))).to.equal(true)
  })
})
