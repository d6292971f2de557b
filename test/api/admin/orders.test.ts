import { expect } from 'chai'
import { atEndOfSuite } from '../../support/at-end.ts'
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

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
    casino = await service.factory.casino()
    operator = createOperator(service.client, casino.apiKey)
    orders = `/${casino.id}/orders`
  })

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
    // Nothing rests that would remind of it.
    expect(await service.database.outbox.count({ where: { objectId: orderId } })).to.equal(0)
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

  it('ships immediately after the confirmation, through the submission', async () => {
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

  it('is not submitted while a hold is open, and continues when the last one is released', async () => {
    const { orderId } = await order()
    expect(at(await move(orderId, 'hold', { hold_reason: 'fraud_risk' }), 'data.holds')).to.deep.equal([
      'fraud_risk',
    ])
    await move(orderId, 'confirm')
    await move(orderId, 'hold', { hold_reason: 'customs', reason: 'papers' })
    await work()
    const held = await operator.get(`${orders}/${orderId}`)
    expect(at(held, 'data')).to.deep.include({ state: 'confirmed', holds: ['fraud_risk', 'customs'] })
    expectIllegal(await move(orderId, 'ship'), 'The order is held (fraud risk, customs): release it first')
    expectIllegal(
      await move(orderId, 'hold', { hold_reason: 'customs' }),
      'The order is already held: customs',
    )
    await move(orderId, 'release', { hold_reason: 'customs' })
    await work()
    expect(at(await operator.get(`${orders}/${orderId}`), 'data.state')).to.equal('confirmed')
    expect(at(await move(orderId, 'release'), 'data.holds')).to.deep.equal([])
    expectIllegal(await move(orderId, 'release'), 'The order has no such hold')
    await work()
    const freed = await operator.get(`${orders}/${orderId}`)
    expect(at(freed, 'data.state')).to.equal('submitted')
    const history = fieldOf(listAt(freed, 'data.history'), 'type')
    expect(history.filter((type) => /held|released/.test(String(type)))).to.deep.equal([
      'prize_order.held',
      'prize_order.held',
      'prize_order.released',
      'prize_order.released',
    ])
  })

  it('sends to the corrected address, after a new confirmation', async () => {
    const { orderId } = await order()
    await work()
    await move(orderId, 'confirm')
    const corrected = await operator.put(`${orders}/${orderId}/delivery`, {
      ...delivery,
      street: 'Another street 2',
      reason: 'moved',
    })
    expect(corrected.status).to.equal(200)
    expect(at(corrected, 'data.state')).to.equal('pending_confirmation')
    expect(corrected.text).not.to.include('Another street')
    await work()
    const read = await operator.get(`${orders}/${orderId}`)
    expect(at(read, 'data.delivery')).to.include({ street: 'Another street 2', city: delivery.city })
    expect(at(read, 'data.state')).to.equal('pending_confirmation')
    expect(fieldOf(listAt(read, 'data.history'), 'type')).to.deep.equal([
      'prize_order.placed',
      'prize_order.confirmation_requested',
      'prize_order.confirmed',
      'prize_order.address_corrected',
      'prize_order.confirmation_requested',
    ])
    await move(orderId, 'confirm')
    await work()
    expectIllegal(
      await operator.put(`${orders}/${orderId}/delivery`, delivery),
      'The address of an order that is submitted cannot be corrected',
    )
    const incomplete = await operator.put(`${orders}/${orderId}/delivery`, { ...delivery, city: '' })
    expect(incomplete.status).to.equal(400)
    expect(complaintsOf(incomplete)).to.deep.equal(['city'])
  })

  it('sends a lost parcel again, and lets a prize that cannot be delivered be cashed back', async () => {
    const { prizeId, orderId } = await order()
    await move(orderId, 'confirm')
    await move(orderId, 'ship', { carrier: 'Post', tracking_number: 'T-1' })
    const lost = await move(orderId, 'exception', { exception_reason: 'lost' })
    expect(at(lost, 'data')).to.include({ state: 'exception', exception_reason: 'lost' })
    const again = await move(orderId, 'reship')
    expect(at(again, 'data')).to.include({ state: 'confirmed', shipment_number: 2, tracking_number: null })
    await work()
    await move(orderId, 'ship', { carrier: 'Post', tracking_number: 'T-2' })
    await move(orderId, 'exception', { exception_reason: 'returned' })
    expect(at(await move(orderId, 'cancel'), 'data.state')).to.equal('cancelled')
    const body = { player_id: 'ann', prize_id: prizeId }
    expect((await service.client.post('/prize/cashback', casino.apiKey, body)).status).to.equal(200)
    await work()
    expect(await prizeState(prizeId)).to.equal('cashed_back')
  })

  it('lets a returned prize be claimed for a week, even if its time has run out meanwhile', async () => {
    const expiresAt = new Date(Date.now() + 3_600_000)
    const { prizeId } = await service.factory.prize(casino.id, { playerId: 'ann', expiresAt })
    const body = { player_id: 'ann', prize_id: prizeId, ...delivery }
    await service.client.post('/prize/order', casino.apiKey, body)
    const prize = await operator.get(`/${casino.id}/prizes/${prizeId}`)
    await move(textAt(prize, 'data.orders.0.order_id'), 'cancel')
    const returned = await operator.get(`/${casino.id}/prizes/${prizeId}`)
    const claimableMs = Date.parse(textAt(returned, 'data.expires_at')) - Date.now()
    expect(claimableMs).to.be.within(6.9 * 86_400_000, 7 * 86_400_000)
  })

  it('lets operators add carrier and tracking number later, but not change those that are recorded', async () => {
    const { orderId } = await order()
    await move(orderId, 'confirm')
    await move(orderId, 'ship', { carrier: 'Post' })
    const amended = await move(orderId, 'ship', { tracking_number: 'T-1' })
    const known = { state: 'shipped', carrier: 'Post', tracking_number: 'T-1' }
    expect(at(amended, 'data')).to.include(known)
    expectIllegal(await move(orderId, 'ship'), 'The order is already shipped')
    expectIllegal(
      await move(orderId, 'ship', { carrier: 'Post', tracking_number: 'T-1' }),
      'The order is already shipped',
    )
    const read = await operator.get(`${orders}/${orderId}`)
    expect(at(read, 'data')).to.include(known)
    expect(fieldOf(listAt(read, 'data.history'), 'type').slice(-2)).to.deep.equal([
      'prize_order.shipped',
      'prize_order.shipment_updated',
    ])
  })

  it('ends the holds of an order with the order, and clears the exception’s reason when the exception ends', async () => {
    const { orderId } = await order()
    await move(orderId, 'hold', { hold_reason: 'fraud_risk' })
    await move(orderId, 'hold', { hold_reason: 'kyc_pending' })
    const rejected = await move(orderId, 'reject', { reason: 'fraud' })
    expect(at(rejected, 'data')).to.deep.include({ state: 'rejected', holds: [] })
    const read = await operator.get(`${orders}/${orderId}`)
    expect(at(read, 'data.holds')).to.deep.equal([])
    expect(fieldOf(listAt(read, 'data.history'), 'type').slice(-3)).to.deep.equal([
      'prize_order.released',
      'prize_order.released',
      'prize_order.rejected',
    ])

    const { orderId: late } = await order()
    await move(late, 'confirm')
    await move(late, 'ship')
    await move(late, 'exception', { exception_reason: 'lost' })
    await move(late, 'hold', { hold_reason: 'customs' })
    expect(at(await move(late, 'ship'), 'data')).to.deep.include({
      exception_reason: null,
      holds: ['customs'],
    })
    expect(at(await move(late, 'deliver'), 'data')).to.deep.include({ exception_reason: null, holds: [] })
    const { orderId: again } = await order()
    await move(again, 'confirm')
    await move(again, 'ship')
    await move(again, 'exception', { exception_reason: 'lost' })
    expectIllegal(
      await move(again, 'exception', { exception_reason: 'lost' }),
      'The order already has an exception',
    )
    expectIllegal(await move(again, 'confirm'), 'An order that has an exception cannot be confirmed')
    expect(at(await move(again, 'reship'), 'data.exception_reason')).to.equal(null)
  })

  it('voids the prize when an order is refused without giving it back', async () => {
    const { prizeId, orderId } = await order()
    await move(orderId, 'reject', { return_prize: false, reason: 'fraud' })
    expect(await prizeState(prizeId)).to.equal('voided')
  })

  it('requests the cancellation of a submitted order, which then ends as cancelled or resumed', async () => {
    const { prizeId, orderId } = await order()
    await move(orderId, 'confirm')
    await work()
    const asked = await move(orderId, 'cancel', { return_prize: false })
    expect(at(asked, 'data.state')).to.equal('cancel_requested')
    expect(await prizeState(prizeId)).to.equal('ordered')
    expect(at(await move(orderId, 'resume'), 'data.state')).to.equal('submitted')
    expectIllegal(await move(orderId, 'resume'), 'An order that is submitted cannot be resumed')
    await move(orderId, 'cancel', { return_prize: false })
    const saidTwice =
      'The cancellation is already requested: wait for the provider, or send "final" true to cancel without its answer'
    expectIllegal(await move(orderId, 'cancel'), saidTwice)
    expectIllegal(await move(orderId, 'cancel', { final: false }), saidTwice)
    expect(complaintsOf(await move(orderId, 'cancel', { final: 'yes' }))).to.deep.equal(['final'])
    expect(at(await move(orderId, 'cancel', { final: true }), 'data.state')).to.equal('cancelled')
    expect(await prizeState(prizeId)).to.equal('voided')
  })

  it('refuses illegal transitions and names the order’s state', async () => {
    const { prizeId, orderId } = await order()
    expectIllegal(await move(orderId, 'ship'), 'An order that awaits confirmation cannot be shipped')
    expectIllegal(await move(orderId, 'deliver'), 'An order that awaits confirmation cannot be delivered')
    await move(orderId, 'confirm')
    expectIllegal(await move(orderId, 'confirm'), 'The order is already confirmed')
    expectIllegal(await move(orderId, 'reject'), 'An order that is confirmed cannot be rejected')
    await move(orderId, 'ship')
    expectIllegal(await move(orderId, 'cancel'), 'An order that is shipped cannot be cancelled')
    await move(orderId, 'deliver')
    expectIllegal(
      await move(orderId, 'exception', { exception_reason: 'lost' }),
      'An order that was delivered cannot get an exception',
    )
    for (const name of ['confirm', 'reject', 'cancel', 'ship', 'deliver']) {
      expect((await move(orderId, name)).status, name).to.equal(409)
    }
    expect(await prizeState(prizeId)).to.equal('fulfilled')
    expect((await move(orderId, 'explode')).status).to.equal(404)
    expect((await move('unknown', 'confirm')).headers.get('X-Error-Code')).to.equal('order_unknown')
  })

  it('carries out one of many simultaneous transitions', async () => {
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

  it('lets operators and a worker change the same orders at the same time', async () => {
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

  it('shows delivery details only in the answer for a single order', async () => {
    const { prizeId, orderId } = await order()
    const read = await operator.get(`${orders}/${orderId}`)
    expect(at(read, 'data.delivery')).to.deep.equal(delivery)
    for (const path of [`${orders}?limit=200`, `/${casino.id}/prizes/${prizeId}`]) {
      expect((await operator.get(path)).text).not.to.contain('Canary')
    }
    expect((await move(orderId, 'confirm')).text).not.to.contain('Canary')
    await service.database.prizeOrder.update({
      where: { id: orderId },
      data: { deliveryKey: null, deliveryCiphertext: new Uint8Array() },
    })
    expect(at(await operator.get(`${orders}/${orderId}`), 'data.delivery')).to.equal(null)
  })

  it('names the prize’s item wherever an order is shown', async () => {
    const { prizeId, orderId } = await order('ada')
    const item = { prize_id: prizeId, item_id: 'mug', item_name: 'Mug' }
    const one = `${orders}/${orderId}`
    expect(at(await operator.get(`${orders}?player_id=ada`), 'data.0')).to.include(item)
    expect(at(await operator.get(one), 'data')).to.include(item)
    expect(at(await operator.get(`/${casino.id}/prizes/${prizeId}`), 'data.orders.0')).to.include(item)
    expect(at(await operator.post(`/${casino.id}/players/ada/export`), 'data.orders.0')).to.include(item)
    expect(at(await operator.put(`${one}/delivery`, delivery), 'data')).to.include(item)
    expect(at(await move(orderId, 'confirm'), 'data')).to.include(item)
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

  it('lists the orders that are held, or those that are not held', async () => {
    const ids: string[] = []
    for (let i = 0; i < 5; i++) ids.push((await order('mia')).orderId)
    const [first = '', second = '', third = '', ...others] = ids
    for (const id of [first, second, third]) await move(id, 'hold', { hold_reason: 'fraud_risk' })
    await move(first, 'hold', { hold_reason: 'customs' })
    await move(third, 'release')
    await move(second, 'confirm')
    const list = (query: string) => readAll(operator, `${orders}?player_id=mia&${query}`, 1, 'order_id')
    expect(await list('held=true')).to.deep.equal([first, second])
    expect(await list('held=true&state=confirmed')).to.deep.equal([second])
    expect(await list('held=false')).to.deep.equal([third, ...others])
    for (const wrong of ['yes', '1', 'TRUE']) {
      expect(complaintsOf(await operator.get(`${orders}?held=${wrong}`)), wrong).to.deep.equal(['held'])
    }
  })

  it('names every invalid field of a transition', async () => {
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
