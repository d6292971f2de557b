import { expect } from 'chai'
import type { Reply } from '../../support/client.ts'
import { delivery } from '../../support/factory.ts'
import type { TestCasino } from '../../support/factory.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { at, complaintsOf, createOperator, fieldOf, listAt, readAll, textAt } from './operator.ts'
import type { TestOperator } from './operator.ts'

describe('orders', () => {
  let service: TestService
  let casino: TestCasino
  let operator: TestOperator
  let orders: string

  before(async () => {
    service = await startService()
    casino = await service.factory.casino()
    operator = createOperator(service.client, casino.apiKey)
    orders = `/${casino.id}/orders`
  })
  after(() => service.stop())

  /** Orders a new prize of the player; gives both ids. */
  const order = async (playerId = 'ann') => {
    const { prizeId } = await service.factory.prize(casino.id, { playerId })
    const body = { player_id: playerId, prize_id: prizeId, ...delivery }
    expect((await service.client.post('/prize/order', casino.apiKey, body)).status).to.equal(200)
    const prize = await operator.get(`/${casino.id}/prizes/${prizeId}`)
    return { prizeId, orderId: textAt(prize, 'data.orders.0.order_id') }
  }
  const move = (orderId: string, name: string, body?: object) =>
    operator.post(`${orders}/${orderId}/${name}`, body)
  const prizeState = async (prizeId: string) =>
    at(await operator.get(`/${casino.id}/prizes/${prizeId}`), 'data.state')
  const work = async () => {
    const worker = service.startWorker()
    await service.drain()
    await worker.stop()
  }
  const expectIllegal = (reply: Reply, message: string) => {
    expect(reply.status).to.equal(409)
    expect(reply.headers.get('X-Error-Code')).to.equal('transition_illegal')
    expect(reply.json).to.deep.equal({ status: 'error', message })
  }

  it('takes an order from confirmation to delivery', async () => {
    const { prizeId, orderId } = await order()
    await work()
    const confirmed = await move(orderId, 'confirm', { reason: 'address checked' })
    expect(confirmed.status).to.equal(200)
    expect(at(confirmed, 'data.state')).to.equal('confirmed')
    await work()
    expect(at(await operator.get(`${orders}/${orderId}`), 'data')).to.include({
      state: 'submitted',
      provider: 'manual',
    })
    const shipped = await move(orderId, 'ship', { carrier: 'Post', tracking_number: 'T-1' })
    expect(at(shipped, 'data')).to.include({ state: 'shipped', carrier: 'Post', tracking_number: 'T-1' })
    expect(at(await move(orderId, 'deliver'), 'data.state')).to.equal('delivered')
    expect(await prizeState(prizeId)).to.equal('fulfilled')

    const history = listAt(await operator.get(`${orders}/${orderId}`), 'data.history')
    expect(fieldOf(history, 'type')).to.deep.equal([
      'prize_order.placed',
      'prize_order.confirmation_requested',
      'prize_order.confirmed',
      'prize_order.submitted',
      'prize_order.shipped',
      'prize_order.delivered',
    ])
    expect(fieldOf(history, 'sequence')).to.deep.equal([1, 2, 3, 4, 5, 6])
    expect(history[2]).to.include({
      from: 'pending_confirmation',
      to: 'confirmed',
      actor: `key:${casino.apiKey.split('_')[2] ?? ''}`,
      reason: 'address checked',
      request_id: confirmed.headers.get('X-Request-Id'),
    })
  })

  it('ships at once after confirming, through the submission', async () => {
    const { prizeId, orderId } = await order()
    await move(orderId, 'confirm')
    expect(at(await move(orderId, 'ship'), 'data')).to.include({ state: 'shipped', provider: 'manual' })
    await work()
    const read = await operator.get(`${orders}/${orderId}`)
    expect(at(read, 'data.state')).to.equal('shipped')
    const history = listAt(read, 'data.history')
    expect(fieldOf(history, 'to')).to.deep.equal([
      'pending_confirmation',
      'confirmed',
      'submitted',
      'shipped',
    ])
    expect(fieldOf(history, 'sequence')).to.deep.equal([1, 2, 3, 4])
    expect(await prizeState(prizeId)).to.equal('ordered')
  })

  for (const [name, state] of [
    ['reject', 'rejected'],
    ['cancel', 'cancelled'],
  ] as const) {
    it(`gives the prize back when an order is ${state}, so that it can be ordered again`, async () => {
      const { prizeId, orderId } = await order()
      expect(at(await move(orderId, name, { reason: 'no' }), 'data.state')).to.equal(state)
      expect(await prizeState(prizeId)).to.equal('won')
      const body = { player_id: 'ann', prize_id: prizeId, ...delivery }
      expect((await service.client.post('/prize/order', casino.apiKey, body)).status).to.equal(200)
      const prize = await operator.get(`/${casino.id}/prizes/${prizeId}`)
      expect(fieldOf(listAt(prize, 'data.orders'), 'state')).to.deep.equal([state, 'pending_confirmation'])
      const ofPrize = listAt(prize, 'data.history').filter(
        (entry) => fieldOf([entry], 'object_type')[0] === 'prize',
      )
      expect(fieldOf(ofPrize, 'type')).to.deep.equal([
        'prize.won',
        'prize.ordered',
        'prize.returned',
        'prize.ordered',
      ])
      expect(fieldOf(ofPrize, 'reason')).to.deep.equal([null, null, 'no', null])
    })
  }

  it('refuses illegal moves and says what the order is', async () => {
    const { prizeId, orderId } = await order()
    expectIllegal(await move(orderId, 'ship'), 'Cannot ship an order that is pending confirmation')
    expectIllegal(await move(orderId, 'deliver'), 'Cannot deliver an order that is pending confirmation')
    await move(orderId, 'confirm')
    expectIllegal(await move(orderId, 'confirm'), 'The order is already confirmed')
    expectIllegal(await move(orderId, 'reject'), 'Cannot reject an order that is confirmed')
    await move(orderId, 'ship')
    expectIllegal(await move(orderId, 'cancel'), 'Cannot cancel an order that is shipped')
    await move(orderId, 'deliver')
    for (const name of ['confirm', 'reject', 'cancel', 'ship', 'deliver']) {
      expect((await move(orderId, name)).status, name).to.equal(409)
    }
    expect(await prizeState(prizeId)).to.equal('fulfilled')
    expect((await move(orderId, 'explode')).status).to.equal(404)
    expect((await move('unknown', 'confirm')).headers.get('X-Error-Code')).to.equal('order_unknown')
  })

  it('lets one of many simultaneous moves win', async () => {
    for (let round = 0; round < 5; round++) {
      const { prizeId, orderId } = await order()
      const replies = await Promise.all(
        Array.from({ length: 16 }, (_, i) => move(orderId, i % 2 === 0 ? 'confirm' : 'reject')),
      )
      const won = replies.filter(({ status }) => status === 200)
      expect(won).to.have.length(1)
      expect(replies.filter(({ status }) => status === 409)).to.have.length(15)
      const read = await operator.get(`${orders}/${orderId}`)
      expect(won.map((reply) => at(reply, 'data.state'))).to.deep.equal([at(read, 'data.state')])
      expect(listAt(read, 'data.history')).to.have.length(2)
      expect(await prizeState(prizeId)).to.equal(at(read, 'data.state') === 'rejected' ? 'won' : 'ordered')
    }
  })

  it('lets operators and a worker move the same orders at the same time', async () => {
    const placed = await Promise.all(Array.from({ length: 20 }, () => order('crowd')))
    const worker = service.startWorker()
    const statuses = await Promise.all(
      placed.map(async ({ orderId }) => {
        const confirmed = await move(orderId, 'confirm')
        return [confirmed.status, (await move(orderId, 'ship')).status]
      }),
    )
    await service.drain()
    await worker.stop()
    expect(statuses).to.deep.equal(placed.map(() => [200, 200]))
    expect(await readAll(operator, `${orders}?player_id=crowd&state=shipped`, 7, 'order_id')).to.have.length(
      20,
    )
  })

  it('shows delivery details only to who reads one order', async () => {
    const { prizeId, orderId } = await order()
    const read = await operator.get(`${orders}/${orderId}`)
    expect(at(read, 'data.delivery')).to.deep.equal(delivery)
    for (const path of [`${orders}?limit=200`, `/${casino.id}/prizes/${prizeId}`]) {
      expect((await operator.get(path)).text).not.to.contain('Canary')
    }
    expect((await move(orderId, 'confirm')).text).not.to.contain('Canary')
    await service.database.prizeOrder.update({ where: { id: orderId }, data: { deliveryKey: null } })
    expect(at(await operator.get(`${orders}/${orderId}`), 'data.delivery')).to.equal(null)
  })

  it('lists orders by state and player, page by page', async () => {
    const ids: string[] = []
    for (let i = 0; i < 5; i++) ids.push((await order('eve')).orderId)
    await move(ids[1] ?? '', 'reject')
    expect(await readAll(operator, `${orders}?player_id=eve`, 2, 'order_id')).to.deep.equal(ids)
    expect(await readAll(operator, `${orders}?player_id=eve&state=rejected`, 2, 'order_id')).to.deep.equal([
      ids[1],
    ])
    const wrong = await operator.get(`${orders}?state=lost&player_id=%20&limit=0&cursor=x`)
    expect(complaintsOf(wrong)).to.deep.equal(['cursor', 'limit', 'player_id', 'state'])
  })

  it('names what is wrong with a move', async () => {
    const { orderId } = await order()
    const long = 'x'.repeat(501)
    for (const name of ['confirm', 'reject', 'cancel', 'ship', 'deliver']) {
      expect(complaintsOf(await move(orderId, name, { reason: long })), name).to.deep.equal(['reason'])
    }
    const wrong = await move(orderId, 'ship', { reason: 'a\0', carrier: 5, tracking_number: long })
    expect(complaintsOf(wrong)).to.deep.equal(['carrier', 'reason', 'tracking_number'])
  })

  it('hides another casino’s orders', async () => {
    const { orderId } = await order()
    const other = await service.factory.casino()
    const stranger = createOperator(service.client, other.apiKey)
    expect((await stranger.get(`/${other.id}/orders/${orderId}`)).status).to.equal(404)
    expect((await stranger.post(`/${other.id}/orders/${orderId}/confirm`)).status).to.equal(404)
    expect(listAt(await stranger.get(`/${other.id}/orders`))).to.deep.equal([])
    expect(at(await operator.get(`${orders}/${orderId}`), 'data.state')).to.equal('pending_confirmation')
  })
})
