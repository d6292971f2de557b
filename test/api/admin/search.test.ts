import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { newId } from '../../../core/platform/ids.ts'
import { readDocument } from '../../docs/markdown.ts'
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

/** Prefixes of ids that the service makes and does not keep, so that there is nothing to find. */
const keptNowhere: Readonly<Record<string, string>> = {
  idk: 'an attempt at a request, which no answer shows',
  wsc: 'a secret of a webhook endpoint: answers name its endpoint and time',
  png: 'the Webhook-Id of a call that tests a partner',
  tst: 'the event that tests a webhook endpoint',
}

/** The prefixes of ids in the sources: of those that the code makes, and of those that its statements put together. */
function listPrefixes(): string[] {
  const sources = ['api', 'core', 'worker'].flatMap((folder) =>
    readdirSync(join(import.meta.dirname, '../../..', folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readDocument(join(folder, name))),
  )
  const [, union = ''] =
    /type IdPrefix =\n((?: {2}\| '\w+'\n)+)/.exec(readDocument('core/platform/ids.ts')) ?? []
  const found = [union.matchAll(/'(\w+)'/g), ...sources.map((source) => source.matchAll(/'([a-z]{3})_'/g))]
  return [...new Set(found.flatMap((matches) => [...matches].map(([, prefix = '']) => prefix)))].sort()
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

  /** To an endpoint named `crm`, as a worker makes one of an event. */
  async function makeDelivery(
    casinoId: string,
    event: { id: bigint; objectType: string; objectId: string; sequence: number },
  ): Promise<string> {
    const { id: eventId, objectType, objectId, sequence } = event
    const [now, id] = [new Date(), `dlv_${randomUUID().replaceAll('-', '')}`]
    const of = { casinoId, endpointId: 'crm', eventId, objectType, objectId, sequence }
    const data = { ...of, id, state: 'delivered', createdAt: now, updatedAt: now }
    await service.database.webhookDelivery.create({ data })
    return id
  }

  async function post(path: string, body: object, requestId: string, apiKey = casino.apiKey) {
    const reply = await service.client.send('POST', path, {
      headers: {
        Authorization: `Bearer ${apiKey}`,
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
    const event = await database.event.findFirstOrThrow({
      where: { casinoId: casino.id, objectType: 'prize_order' },
    })
    const deliveryId = await makeDelivery(casino.id, event)
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

  it('finds the object of every kind of id that the service returns', async () => {
    const { factory, database } = service
    const own = await factory.casino()
    const admin = `/admin/casinos/${own.id}`
    const send = (path: string, body: object, requestId: string) => post(path, body, requestId, own.apiKey)
    const itemId = await factory.item(own.id)
    const boxId = await factory.box(own.id, { entries: [{ itemId, weight: 1 }] })
    await send(`${admin}/grants`, { grants: [{ player_id: 'bea', box_id: boxId, count: 1 }] }, 'grant-2')
    const opened = await send('/box/open', { player_id: 'bea', box_id: boxId }, 'open-2')
    const prizeId = (opened.json as { prize: { id: string } }).prize.id
    await send('/prize/order', { player_id: 'bea', prize_id: prizeId, ...delivery }, 'order-2')
    const where = { casinoId: own.id }
    const order = await database.prizeOrder.findFirstOrThrow({ where })
    await send(`${admin}/orders/${order.id}/hold`, { hold_reason: 'customs', reason: 'x' }, 'hold-2')
    await send(`${admin}/prizes/${prizeId}/notes`, { text: 'asked twice' }, 'note-2')
    await send(`${admin}/acts`, { action: 'order.confirm', object_ids: [order.id] }, 'act-2')
    const cashbacks: string[] = []
    for (const request of ['reversed', 'declined']) {
      const prize = await factory.prize(own.id, { playerId: 'bea' })
      await send('/prize/cashback', { player_id: 'bea', prize_id: prize.prizeId }, request)
      const made = await database.cashback.findFirstOrThrow({ where: { ...where, prizeId: prize.prizeId } })
      cashbacks.push(made.id)
    }
    const [reversed = '', declined = ''] = cashbacks
    await database.cashback.update({ where: { id: declined }, data: { state: 'manual_review' } })
    const outcome = { outcome: 'declined', reason: 'x' }
    await send(`${admin}/cashbacks/${declined}/resolve`, outcome, 'resolve-2')
    const worker = service.startWorker()
    await service.drain()
    await worker.stop()
    await send(`${admin}/cashbacks/${reversed}/reverse`, { prize: 'return', reason: 'x' }, 'reverse-2')

    const session = await logIn(service)
    const [sessionId = ''] = session.Cookie.split('=')[1]?.split('.') ?? []
    const { operatorId } = await database.operatorSession.findUniqueOrThrow({ where: { id: sessionId } })
    const processId = newId('prc')
    const now = new Date()
    const process = { processId, kind: 'worker', host: 'here', version: '1', stopped: false, counts: {} }
    await database.processMinute.create({ data: { ...process, minute: now, startedAt: now, seenAt: now } })
    const event = await database.event.findFirstOrThrow({ where: { ...where, objectType: 'prize' } })
    const requestId = newId('req')
    await send(`${admin}/orders/${order.id}/release`, { hold_reason: 'customs', reason: 'x' }, requestId)
    const entry = await database.auditEntry.findFirstOrThrow({ where: { ...where, requestId } })
    const idOf = async (found: Promise<{ id: string }>) => (await found).id
    /** By the beginning of an id: the id, and what it finds. */
    const byPrefix: Record<string, [id: string, type: string, foundId: string]> = {}
    const add = (id: string, type: string, foundId = id) => {
      byPrefix[/^([a-z]{3})_/.exec(id)?.[1] ?? id] = [id, type, foundId]
    }
    add(prizeId, 'prize')
    add(order.id, 'order')
    add(reversed, 'cashback')
    add(await idOf(database.opening.findFirstOrThrow({ where })), 'opening')
    add(await idOf(database.grant.findFirstOrThrow({ where })), 'grant')
    add(await idOf(database.serverSeed.findFirstOrThrow({ where })), 'seed')
    add(await idOf(database.act.findFirstOrThrow({ where })), 'act')
    add(await idOf(database.orderHold.findFirstOrThrow({ where: { orderId: order.id } })), 'order', order.id)
    add(await idOf(database.prizeNote.findFirstOrThrow({ where })), 'prize', prizeId)
    add(`evt_${event.id}`, 'event')
    add(await makeDelivery(own.id, event), 'endpoint', 'crm')
    add(entry.id, 'request', requestId)
    add(requestId, 'request')
    add(operatorId, 'operator')
    add(sessionId, 'operator', operatorId)
    add(processId, 'process')
    for (const { id, cashbackId } of await database.ledgerTransaction.findMany({ where })) {
      add(id, 'cashback', cashbackId)
    }
    const known = [...Object.keys(byPrefix), ...Object.keys(keptNowhere)].sort()
    expect(known).to.deep.equal(listPrefixes())

    const ofOther = await logIn(service, { role: 'admin', casinoIds: [other.id] })
    for (const [id, type, foundId] of Object.values(byPrefix)) {
      const results = (await found(id)).map(([foundType, ...rest]) => [foundType, rest[0]])
      expect(results, id).to.deep.include([type, foundId])
      expect(await found(id, ofOther), id).to.deep.equal([])
    }
    const viewer = await logIn(service, { role: 'viewer' })
    for (const id of [operatorId, sessionId]) expect(await found(id, viewer)).to.deep.equal([])
    expect(await found(processId, viewer)).to.deep.equal([['process', processId, 'id']])
  })

  it('finds requests that concern no casino for those who see operators', async () => {
    await service.client.send('GET', '/admin/operators', {
      headers: { ...byAdmin, 'X-Request-Id': 'service-1' },
    })
    expect(await found('service-1')).to.deep.equal([['request', 'service-1', 'request_id']])
    const viewer = await logIn(service, { role: 'viewer' })
    expect(await found('service-1', viewer)).to.deep.equal([])
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
      for (const q of ['ann', 'JD 0001', 'act-1', ...Object.values(ids)]) {
        await plans.expectFewRowsRead(`/admin/search?q=${encodeURIComponent(q)}`, 50)
      }
    } finally {
      await plans.close()
    }
  })
})
