import { expect } from 'chai'
import { atEndOfSuite } from '../../support/at-end.ts'
import { adminApiKey } from '../../support/config.ts'
import { delivery } from '../../support/factory.ts'
import type { TestCasino } from '../../support/factory.ts'
import { logIn, makeOperator } from '../../support/ops.ts'
import { openPlans } from '../../support/read-plans.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'

type Headers = Record<string, string>
const byAdmin: Headers = { Authorization: `Bearer ${adminApiKey}` }

interface Result {
  type: string
  id: string
  casino_id: string | null
  matched: string
}

describe('GET /admin/search', () => {
  let service: TestService
  let casino: TestCasino
  let other: TestCasino
  let ids: Record<string, string>

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
    casino = await service.factory.casino()
    other = await service.factory.casino()
    const { factory, database } = service
    const itemId = await factory.item(casino.id)
    const boxId = await factory.box(casino.id, { entries: [{ itemId, weight: 1 }] })
    await factory.grant(casino.id, 'ann', boxId)
    const opened = await post('/box/open', { player_id: 'ann', box_id: boxId }, 'open-1')
    const prizeId = (opened.json as { prize: { id: string } }).prize.id
    await post('/prize/order', { player_id: 'ann', prize_id: prizeId, ...delivery }, 'order-1')
    const second = await factory.prize(casino.id, { playerId: 'ann' })
    await post('/prize/cashback', { player_id: 'ann', prize_id: second.prizeId }, 'cashback-1')
    const where = { casinoId: casino.id }
    const order = await database.prizeOrder.findFirstOrThrow({ where })
    const cashback = await database.cashback.findFirstOrThrow({ where })
    const data = { trackingNumber: 'JD 0001', providerReference: 'parcel-7' }
    await database.prizeOrder.update({ where: { id: order.id }, data })
    await database.cashback.update({ where: { id: cashback.id }, data: { walletReference: 'booking-7' } })
    const event = await database.event.findFirstOrThrow({ where })
    await post(
      `/admin/casinos/${casino.id}/acts`,
      { action: 'order.confirm', object_ids: [order.id] },
      'act-1',
    )
    ids = {
      prize: prizeId,
      order: order.id,
      cashback: cashback.id,
      box: boxId,
      item: itemId,
      opening: (await database.opening.findFirstOrThrow({ where })).id,
      grant: (await database.grant.findFirstOrThrow({ where })).id,
      event: `evt_${event.id}`,
      api_key: (await database.apiKey.findFirstOrThrow({ where })).id,
      casino: casino.id,
      act: (await database.act.findFirstOrThrow({ where })).id,
      seed: (await database.serverSeed.findFirstOrThrow({ where })).id,
    }
  })

  async function post(path: string, body: object, requestId: string) {
    const reply = await service.client.send('POST', path, {
      headers: {
        Authorization: `Bearer ${casino.apiKey}`,
        'Content-Type': 'application/json',
        'X-Request-Id': requestId,
      },
      body: JSON.stringify(body),
    })
    expect(reply.status, reply.text).to.be.oneOf([200, 201])
    return reply
  }

  async function search(q: string, headers = byAdmin): Promise<Result[]> {
    const reply = await service.client.send('GET', `/admin/search?q=${encodeURIComponent(q)}`, { headers })
    expect(reply.status, reply.text).to.equal(200)
    return (reply.json as { data: { results: Result[] } }).data.results
  }
  const found = async (q: string, headers = byAdmin) =>
    (await search(q, headers)).map(({ type, id, matched }) => [type, id, matched])

  it('finds every kind of object by its id', async () => {
    for (const [type, id] of Object.entries(ids)) {
      expect(await found(id), type).to.deep.include([type, id, 'id'])
    }
    const { id } = await makeOperator(service)
    expect(await found(id)).to.deep.equal([['operator', id, 'id']])
  })

  it('finds the endpoint of a delivery, the operator of a session, and the request of an audit entry', async () => {
    const { database } = service
    const [now, deliveryId] = [new Date(), `dlv_${'0'.repeat(32)}`]
    const event = await database.event.findFirstOrThrow({
      where: { casinoId: casino.id, objectType: 'prize_order' },
    })
    const { objectType, objectId, sequence } = event
    const of = { casinoId: casino.id, endpointId: 'crm', eventId: event.id, objectType, objectId, sequence }
    const data = { ...of, id: deliveryId, state: 'delivered', createdAt: now, updatedAt: now }
    await database.webhookDelivery.create({ data })
    expect(await found(deliveryId)).to.deep.equal([['endpoint', 'crm', 'id']])
    // The event of an order leads to the prize.
    const [ofEvent] = await search(`evt_${event.id}`)
    expect(ofEvent).to.include({ type: 'event', prize_id: ids['prize'] })

    const entry = await database.auditEntry.findFirstOrThrow({
      where: { casinoId: casino.id, requestId: 'act-1' },
    })
    expect(await found(entry.id)).to.deep.equal([['request', 'act-1', 'id']])
    await logIn(service)
    const ofService = await database.auditEntry.findFirstOrThrow({ where: { casinoId: '' } })
    expect(await found(ofService.id)).to.deep.equal([['request', ofService.requestId, 'id']])
    const session = await database.operatorSession.findFirstOrThrow()
    expect(await found(session.id)).to.deep.equal([['operator', session.operatorId, 'id']])

    const ofOther = await logIn(service, { role: 'admin', casinoIds: [other.id] })
    for (const id of [deliveryId, entry.id, ofService.id, session.id]) {
      expect(await found(id, ofOther), id).to.deep.equal([])
    }
  })

  it('finds players, parcels, bookings and requests', async () => {
    const { order = '', cashback = '' } = ids
    expect(await found('ann')).to.deep.equal([['player', 'ann', 'player_id']])
    expect(await found('JD 0001')).to.deep.equal([['order', order, 'tracking_number']])
    expect(await found('parcel-7')).to.deep.equal([['order', order, 'provider_reference']])
    expect(await found('booking-7')).to.deep.equal([['cashback', cashback, 'wallet_reference']])
    expect(await found('cashback-1')).to.deep.include(['cashback', cashback, 'request_id'])
    const path = `/admin/casinos/${casino.id}/items`
    await service.client.send('GET', path, { headers: { ...byAdmin, 'X-Request-Id': 'read-1' } })
    expect(await found('read-1')).to.deep.equal([['request', 'read-1', 'request_id']])
  })

  it('finds only objects of casinos that the operator works for', async () => {
    const ofOther = await logIn(service, { role: 'admin', casinoIds: [other.id] })
    const ofOne = await logIn(service, { role: 'viewer', casinoIds: [casino.id] })
    const wanted = [...Object.values(ids), 'ann', 'JD 0001', 'parcel-7', 'booking-7', 'cashback-1']
    for (const q of wanted) {
      expect(await found(q, ofOther), q).to.deep.equal([])
      expect(await found(q, ofOne), q).to.have.length.greaterThan(0)
    }
    const { id } = await makeOperator(service)
    for (const headers of [ofOther, ofOne]) expect(await found(id, headers)).to.deep.equal([])
  })

  it('matches ids exactly, and refuses text that cannot be an id', async () => {
    for (const q of [
      '%',
      '_',
      "' OR true --",
      'evt_99999999999999999999',
      'evt_0',
      '🎲',
      'é',
      '\u202eann',
      'an%',
    ]) {
      expect(await found(q), q).to.deep.equal([])
    }
    for (const q of ['', ' ', '%00', 'a%00b', 'x'.repeat(129), 'x'.repeat(10_000)]) {
      const reply = await service.client.send('GET', `/admin/search?q=${q}`, { headers: byAdmin })
      expect([reply.status, reply.headers.get('X-Error-Code')], q.slice(0, 20)).to.deep.equal([
        400,
        'parameters_invalid',
      ])
    }
    const missing = await service.client.send('GET', '/admin/search', { headers: byAdmin })
    expect(missing.status).to.equal(400)
  })

  it('reads few rows for any search text', async () => {
    const plans = await openPlans(service)
    try {
      for (const q of ['ann', 'JD 0001', ids['order'] ?? '']) {
        await plans.expectFewRowsRead(`/admin/search?q=${encodeURIComponent(q)}`, 50)
      }
    } finally {
      await plans.close()
    }
  })
})
