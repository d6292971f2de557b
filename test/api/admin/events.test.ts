import { expect } from 'chai'
import { shipmentStatuses } from '../../../core/partner/provider-outcome.ts'
import { decideShipmentUpdate } from '../../../core/prize-order/decide-shipment-update.ts'
import type { UpdatableOrder } from '../../../core/prize-order/decide-shipment-update.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import { delivery } from '../../support/factory.ts'
import type { TestCasino } from '../../support/factory.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { at, complaintsOf, createOperator, fieldOf, listAt, textAt } from './operator.ts'
import type { TestOperator } from './operator.ts'

describe('the feed of events over HTTP', () => {
  let service: TestService
  let casino: TestCasino
  let operator: TestOperator
  let events: string

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
  })
  beforeEach(async () => {
    casino = await service.factory.casino()
    operator = createOperator(service.client, casino.apiKey)
    events = `/${casino.id}/events`
  })

  const post = async (path: string, body: object) => {
    expect((await service.client.post(path, casino.apiKey, body)).status).to.equal(200)
  }

  it('reports each change of a prize, without personal data', async () => {
    const { prizeId, playerId } = await service.factory.prize(casino.id, { cashback: 700 })
    await post('/prize/order', { player_id: playerId, prize_id: prizeId, ...delivery })
    const reply = await operator.get(events)
    expect(reply.status).to.equal(200)
    const orderId = textAt(reply, 'data.2.object.id')
    expect(fieldOf(listAt(reply), 'type')).to.deep.equal(['prize.won', 'prize.ordered', 'prize_order.placed'])
    expect(at(reply, 'data.1')).to.deep.include({
      casino_id: casino.id,
      object: { type: 'prize', id: prizeId },
      sequence: 2,
    })
    expect(at(reply, 'data.1.data')).to.deep.equal({
      from: 'won',
      to: 'ordered',
      player_id: playerId,
      prize_id: prizeId,
      item_id: 'mug',
      kind: 'physical',
      opening_id: null,
      cashback: { amount_minor: 700, currency: 'EUR' },
    })
    expect(at(reply, 'data.2.data')).to.deep.equal({
      from: null,
      to: 'pending_confirmation',
      player_id: playerId,
      order_id: orderId,
      prize_id: prizeId,
      item_id: 'mug',
    })
    expect(at(reply, 'data.1.timestamp')).to.equal(at(reply, 'data.1.created_at'))
    for (const secret of Object.values(delivery)) expect(reply.text).to.not.contain(secret)
  })

  it('does not repeat texts that an operator or a provider writes about a parcel', async () => {
    const written = { carrier: 'for Ann Secretname, Hidden Street 1', tracking_number: 'RR123456785MT' }
    const { prizeId, playerId } = await service.factory.prize(casino.id)
    await post('/prize/order', { player_id: playerId, prize_id: prizeId, ...delivery })
    const orderPath = `/${casino.id}/orders/${textAt(await operator.get(events), 'data.2.object.id')}`
    await operator.post(`${orderPath}/confirm`)
    const shipped = await operator.post(`${orderPath}/ship`, { ...written, reason: 'Ann called' })
    expect(shipped.status, shipped.text).to.equal(200)
    const told = await operator.get(events)
    expect(fieldOf(listAt(told), 'type').at(-1)).to.equal('prize_order.shipped')
    for (const text of ['Secretname', 'RR123456785MT', 'Ann called']) expect(told.text).to.not.contain(text)
    expect(at(await operator.get(orderPath), 'data')).to.include(written)

    const update = {
      carrier: written.carrier,
      trackingNumber: written.tracking_number,
      reason: 'Ann moved away',
    }
    for (const status of shipmentStatuses) {
      const order: UpdatableOrder = {
        openHolds: [],
        shipmentNumber: 1,
        partnerOccurredAt: null,
        attempts: 0,
        state: 'submitted',
        returnsPrize: null,
        cancelledFrom: null,
        carrier: null,
        trackingNumber: null,
        exceptionReason: null,
      }
      const about = { ...update, status, occurredAt: new Date(), shipmentNumber: 1, isStale: false }
      expect(JSON.stringify(decideShipmentUpdate(order, about).plan.steps), status).to.not.match(
        /Ann|Secretname|RR123/,
      )
    }
  })

  it('gives the amount of a cashback', async () => {
    const { prizeId, playerId } = await service.factory.prize(casino.id, { cashback: 2 ** 53 - 1 })
    await post('/prize/cashback', { player_id: playerId, prize_id: prizeId })
    const reply = await operator.get(`${events}?types=cashback.*`)
    expect(at(reply, 'data.0.data')).to.deep.include({
      to: 'requested',
      cashback_id: at(reply, 'data.0.object.id'),
      prize_id: prizeId,
      amount_minor: 2 ** 53 - 1,
      currency: 'EUR',
    })
  })

  it('continues from every cursor, also from that of an empty page', async () => {
    const empty = await operator.get(events)
    expect(empty.json).to.include({ status: 'success', has_more: false })
    expect(listAt(empty)).to.deep.equal([])
    for (let i = 0; i < 3; i++) await service.factory.prize(casino.id)

    const first = await operator.get(`${events}?limit=2&after=${textAt(empty, 'next_cursor')}`)
    expect([listAt(first).length, at(first, 'has_more')]).to.deep.equal([2, true])
    const second = await operator.get(`${events}?limit=2&after=${textAt(first, 'next_cursor')}`)
    expect([listAt(second).length, at(second, 'has_more')]).to.deep.equal([1, false])
    const end = await operator.get(`${events}?after=${textAt(second, 'next_cursor')}`)
    expect(at(end, 'next_cursor')).to.equal(at(second, 'next_cursor'))
    await service.factory.prize(casino.id, { prizeId: 'last' })
    const next = await operator.get(`${events}?after=${textAt(end, 'next_cursor')}`)
    expect(at(next, 'data.0.object.id')).to.equal('last')
    const all = [first, second, next].flatMap((reply) => fieldOf(listAt(reply), 'id'))
    expect(new Set(all).size).to.equal(4)
  })

  it('skips events of types that were not asked for', async () => {
    for (let i = 0; i < 3; i++) await service.factory.prize(casino.id)
    const { prizeId, playerId } = await service.factory.prize(casino.id)
    await post('/prize/cashback', { player_id: playerId, prize_id: prizeId })
    const typesOf = async (types: string) =>
      fieldOf(listAt(await operator.get(`${events}?types=${types}`)), 'type')
    expect(await typesOf('cashback.requested')).to.deep.equal(['cashback.requested'])
    expect(await typesOf('cashback.*')).to.deep.equal(['cashback.requested'])
    expect(await typesOf('prize.cashback_pending,cashback.*')).to.have.members([
      'prize.cashback_pending',
      'cashback.requested',
    ])
    expect(await typesOf('cashback.credited')).to.deep.equal([])
    expect(await typesOf('prize_order.*')).to.deep.equal([])

    const none = await operator.get(`${events}?types=prize_order.*&limit=1`)
    expect(at(none, 'has_more')).to.equal(false)
    const { prizeId: later } = await service.factory.prize(casino.id)
    const next = await operator.get(`${events}?after=${textAt(none, 'next_cursor')}`)
    expect(fieldOf(listAt(next), 'object')).to.deep.equal([{ type: 'prize', id: later }])
  })

  it('shows one event by its id, to its casino only', async () => {
    const { prizeId } = await service.factory.prize(casino.id)
    const id = textAt(await operator.get(events), 'data.0.id')
    const reply = await operator.get(`${events}/${id}`)
    expect(at(reply, 'data')).to.deep.include({ id, object: { type: 'prize', id: prizeId } })

    const other = await service.factory.casino()
    const stranger = createOperator(service.client, other.apiKey)
    expect(listAt(await stranger.get(`/${other.id}/events`))).to.deep.equal([])
    for (const path of [`/${other.id}/events/${id}`]) {
      const hidden = await stranger.get(path)
      expect(hidden.status).to.equal(404)
      expect(hidden.headers.get('X-Error-Code')).to.equal('event_unknown')
    }
    for (const wrong of [
      'evt_0',
      'evt_999',
      '1',
      'evt_9223372036854775808',
      `evt_${'9'.repeat(40)}`,
      'evt_1x',
    ])
      expect((await operator.get(`${events}/${wrong}`)).status, wrong).to.equal(404)
    expect((await operator.get(`${events}/%00`)).status).to.equal(400)
  })

  it('says how far back it reaches, and refuses a cursor beyond that', async () => {
    const start = await operator.get(events)
    const reachMs = new Date(textAt(start, 'complete_since')).getTime()
    expect(Date.now() - reachMs).to.be.closeTo(400 * 86_400_000, 60_000)
    await service.database.event.create({
      data: {
        casinoId: casino.id,
        objectType: 'prize',
        objectId: 'old',
        sequence: 1,
        type: 'prize.won',
        toState: 'won',
        actor: 'test',
        createdAt: new Date(reachMs - 2 * 86_400_000),
      },
    })
    const expired = await operator.get(`${events}?after=${textAt(start, 'next_cursor')}`)
    expect(expired.status).to.equal(410)
    expect(expired.headers.get('X-Error-Code')).to.equal('cursor_expired')
    expect(listAt(await operator.get(events))).to.deep.equal([])
  })

  it('refuses invalid parameters', async () => {
    const cursorOf = (text: string) => Buffer.from(text).toString('base64url')
    for (const [query, name] of [
      ['limit=0', 'limit'],
      ['limit=1001', 'limit'],
      ['limit=x', 'limit'],
      ['after=x', 'after'],
      ['after=', 'after'],
      [`after=${cursorOf('1.x')}`, 'after'],
      [`after=${cursorOf('9223372036854775808.1')}`, 'after'],
      [`after=${cursorOf('01.1')}`, 'after'],
      ['types=%00', 'types'],
      ['types=Prize.Won', 'types'],
      ['types=*', 'types'],
      ['types=prize.won,', 'types'],
      ['types=nope', 'types'],
      ['types=nope.*', 'types'],
      ['types=prize', 'types'],
      ['types=cashback.*,prize.nope', 'types'],
      ['types=prize.won.*', 'types'],
      [`types=${Array.from({ length: 101 }, () => 'a').join(',')}`, 'types'],
    ] as const) {
      const reply = await operator.get(`${events}?${query}`)
      expect(reply.status, query).to.equal(400)
      expect(complaintsOf(reply), query).to.deep.equal([name])
    }
    const ahead = await operator.get(`${events}?after=${cursorOf(`${2n ** 62n}.1`)}`)
    expect(ahead.status).to.equal(400)
    expect(ahead.headers.get('X-Error-Code')).to.equal('event_cursor_unknown')
  })
})
