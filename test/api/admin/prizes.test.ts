import { expect } from 'chai'
import { atEndOfSuite } from '../../support/at-end.ts'
import { delivery } from '../../support/factory.ts'
import type { TestCasino } from '../../support/factory.ts'
import { adminApiKey } from '../../support/config.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { at, complaintsOf, createOperator, fieldOf, listAt, readAll, textAt } from './operator.ts'
import type { TestOperator } from './operator.ts'

describe('prizes', () => {
  const nowMs = Date.UTC(2027, 0, 1)
  let service: TestService
  let casino: TestCasino
  let operator: TestOperator
  let prizes: string

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService({ clock: { now: () => new Date(nowMs) } })
    atEnd(() => service.stop())
    casino = await service.factory.casino()
    operator = createOperator(service.client, casino.apiKey)
    prizes = `/${casino.id}/prizes`
    await operator.put(`/${casino.id}/items/bicycle`, {
      name: 'Bicycle',
      kind: 'physical',
      cashback: { amount_minor: 500, currency: 'EUR' },
      claim_days: 10,
    })
  })

  const keyId = () => casino.apiKey.split('_')[2]

  it('gives a prize with the terms of its item, which can be ordered', async () => {
    const reply = await operator.post(prizes, { player_id: 42, item_id: 'bicycle' })
    expect(reply.status).to.equal(201)
    expect(at(reply, 'data')).to.deep.include({
      player_id: '42',
      item_id: 'bicycle',
      name: 'Bicycle',
      kind: 'physical',
      cashback: { amount_minor: 500, currency: 'EUR' },
      state: 'won',
      opening_id: null,
      expires_at: '2027-01-11T00:00:00.000Z',
    })
    const prizeId = textAt(reply, 'data.prize_id')
    const read = await operator.get(`${prizes}/${prizeId}`)
    expect(listAt(read, 'data.history')).to.have.length(1)
    expect(at(read, 'data.history.0')).to.include({
      type: 'prize.won',
      sequence: 1,
      from: null,
      to: 'won',
      actor: `key:${keyId() ?? ''}`,
      request_id: reply.headers.get('X-Request-Id'),
      at: '2027-01-01T00:00:00.000Z',
    })
    const order = { player_id: 42, prize_id: prizeId, ...delivery }
    expect((await service.client.post('/prize/order', casino.apiKey, order)).status).to.equal(200)
  })

  it('keeps the terms of a prize when the item changes', async () => {
    const admin = createOperator(service.client, adminApiKey)
    await admin.put(`/${casino.id}/items/cup`, { name: 'Cup', kind: 'physical' })
    const given = await admin.post(prizes, { player_id: 1, item_id: 'cup' })
    await admin.put(`/${casino.id}/items/cup`, { name: 'Cap', kind: 'bonus', claim_days: 1 })
    const read = await admin.get(`${prizes}/${textAt(given, 'data.prize_id')}`)
    expect(at(read, 'data')).to.include({ name: 'Cup', kind: 'physical', expires_at: null })
    expect(at(read, 'data.history.0.actor')).to.equal('admin')
  })

  it('gives a prize under the casino’s own id once', async () => {
    const body = { player_id: 42, item_id: 'bicycle', prize_id: 7 }
    const replies = await Promise.all(Array.from({ length: 20 }, () => operator.post(prizes, body)))
    expect(fieldOf(replies, 'status').sort()).to.deep.equal([...Array.from({ length: 19 }, () => 200), 201])
    for (const reply of replies) expect(at(reply, 'data.prize_id')).to.equal('7')
    expect(await service.database.event.count({ where: { objectId: '7' } })).to.equal(1)
    for (const other of [{ player_id: 43 }, { item_id: 'cup' }]) {
      const reply = await operator.post(prizes, { ...body, ...other })
      expect(reply.status).to.equal(409)
      expect(reply.headers.get('X-Error-Code')).to.equal('prize_exists')
    }
  })

  it('lets another casino use the same id', async () => {
    const other = await service.factory.casino()
    const itemId = await service.factory.item(other.id)
    const body = { player_id: 42, item_id: itemId, prize_id: 7 }
    const reply = await createOperator(service.client, other.apiKey).post(`/${other.id}/prizes`, body)
    expect(reply.status).to.equal(201)
  })

  it('names every invalid field of a prize', async () => {
    expect(complaintsOf(await operator.post(prizes, {}))).to.deep.equal(['item_id', 'player_id'])
    const right = { player_id: 1, item_id: 'bicycle' }
    for (const wrong of [{ player_id: true }, { item_id: 1.5 }, { prize_id: '' }, { prize_id: ['x'] }]) {
      const reply = await operator.post(prizes, { ...right, ...wrong })
      expect(reply.status, JSON.stringify(wrong)).to.equal(400)
      expect(complaintsOf(reply)).to.deep.equal(Object.keys(wrong))
    }
    const unknown = await operator.post(prizes, { ...right, item_id: 'unknown' })
    expect(unknown.headers.get('X-Error-Code')).to.equal('item_unknown')
    expect((await operator.get(`${prizes}/unknown`)).headers.get('X-Error-Code')).to.equal('prize_unknown')
  })

  it('lists a player’s prizes, page by page and by state', async () => {
    for (let i = 0; i < 5; i++)
      await operator.post(prizes, { player_id: 'p', item_id: 'bicycle', prize_id: `p${i}` })
    const body = { player_id: 'p', prize_id: 'p3' }
    expect((await service.client.post('/prize/cashback', casino.apiKey, body)).status).to.equal(200)
    const inventory = `/${casino.id}/players/p/prizes`
    expect(await readAll(operator, inventory, 2, 'prize_id')).to.deep.equal(['p0', 'p1', 'p2', 'p3', 'p4'])
    expect(await readAll(operator, `${inventory}?state=won`, 2, 'prize_id')).to.deep.equal([
      'p0',
      'p1',
      'p2',
      'p4',
    ])
    expect(await readAll(operator, `${inventory}?state=cashback_pending`, 1, 'prize_id')).to.deep.equal([
      'p3',
    ])
    expect(complaintsOf(await operator.get(`${inventory}?state=lost`))).to.deep.equal(['state'])
    expect(listAt(await operator.get(`/${casino.id}/players/nobody/prizes`))).to.deep.equal([])
  })
})
