import { expect } from 'chai'
import { atEndOfSuite } from '../../support/at-end.ts'
import type { Reply } from '../../support/client.ts'
import type { TestCasino } from '../../support/factory.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { at, complaintsOf, createOperator, fieldOf, listAt, textAt } from '../admin/operator.ts'

describe('the catalogue', () => {
  let service: TestService
  let casino: TestCasino

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
    casino = await service.factory.casino()
  })

  const get = (path: string, headers: Record<string, string> = {}, apiKey = casino.apiKey) =>
    service.client.send('GET', path, { headers: { Authorization: `Bearer ${apiKey}`, ...headers } })
  const errorOf = (reply: Reply) => `${reply.status} ${reply.headers.get('X-Error-Code') ?? ''}`

  it('shows a box with its items and their exact odds', async () => {
    const { id, apiKey } = await service.factory.casino()
    const operator = createOperator(service.client, apiKey)
    await operator.put(`/${id}/items/bicycle`, {
      name: 'Bicycle',
      kind: 'physical',
      description: 'Red',
      image_url: 'https://example.com/bicycle.png',
      cashback: { amount_minor: 9_900, currency: 'EUR' },
      claim_days: 30,
    })
    await operator.put(`/${id}/items/nothing`, { name: 'Better luck next time', kind: 'none' })
    const published = await operator.put(`/${id}/boxes/gold`, {
      name: 'Gold',
      description: 'All that glitters',
      image_url: 'https://example.com/gold.png',
      access: 'limited',
      limit: { count: 2, period: 'day', time_zone: 'Europe/Malta' },
      active_until: '2999-01-01',
      entries: [
        { item_id: 'bicycle', weight: 2, stock: 1 },
        { item_id: 'nothing', weight: 5 },
        { item_id: 'bicycle', weight: 1, stock: 1 },
      ],
      fallback_item_id: 'nothing',
    })
    await service.database.boxStock.updateMany({
      where: { casinoId: id, boxId: 'gold', position: 3 },
      data: { remaining: 0 },
    })
    const bicycle = {
      id: 'bicycle',
      name: 'Bicycle',
      kind: 'physical',
      description: 'Red',
      image: 'https://example.com/bicycle.png',
      cashback: { amount_minor: 9_900, currency: 'EUR' },
      claim_days: 30,
    }
    const nothing = {
      id: 'nothing',
      name: 'Better luck next time',
      kind: 'none',
      description: null,
      image: null,
      cashback: null,
      claim_days: null,
    }
    const box = {
      id: 'gold',
      name: 'Gold',
      description: 'All that glitters',
      image: 'https://example.com/gold.png',
      version: 1,
      odds_hash: at(published, 'data.odds_hash'),
      access: 'limited',
      limit: { count: 2, period: 'day', time_zone: 'Europe/Malta' },
      active_until: '2999-01-01T00:00:00.000Z',
      prizes: [
        { ...bicycle, position: 1, available: true, odds: { numerator: 1, denominator: 4, percentage: 25 } },
        {
          ...nothing,
          position: 2,
          available: true,
          odds: { numerator: 5, denominator: 8, percentage: 62.5 },
        },
        {
          ...bicycle,
          position: 3,
          available: false,
          odds: { numerator: 1, denominator: 8, percentage: 12.5 },
        },
      ],
      fallback: { ...nothing, odds: { numerator: 1, denominator: 8, percentage: 12.5 } },
    }
    const list = await get('/boxes', {}, apiKey)
    expect(list.status).to.equal(200)
    expect(list.text).to.equal(JSON.stringify({ status: 'success', data: [box] }))
    const single = await get('/boxes/gold', {}, apiKey)
    expect(single.text).to.equal(JSON.stringify({ status: 'success', data: box }))
    const prizes = listAt(list, 'data.0.prizes')
    expect(fieldOf(prizes, 'id')).to.deep.equal(['bicycle', 'nothing', 'bicycle'])
  })

  it('is for keys with the scope play, and shows them their own casino only', async () => {
    const other = await service.factory.casino()
    const itemId = await service.factory.item(other.id)
    const boxId = await service.factory.box(other.id, { entries: [{ itemId, weight: 1 }] })
    expect(fieldOf(listAt(await get('/boxes', {}, other.apiKey)), 'id')).to.deep.equal([boxId])
    expect(fieldOf(listAt(await get('/boxes')), 'id')).not.to.include(boxId)
    expect(errorOf(await get(`/boxes/${boxId}`))).to.equal('404 box_unknown')
    expect(errorOf(await get('/boxes', { Authorization: '' }))).to.equal('401 api_key_invalid')
    const manage = await service.factory.apiKey(casino.id, ['manage'])
    expect(errorOf(await get('/boxes', {}, manage))).to.equal('403 api_key_scope_missing')
    expect(errorOf(await get(`/boxes/${boxId}`, {}, manage))).to.equal('403 api_key_scope_missing')
    expect((await get('/boxes', {}, await service.factory.apiKey(casino.id, ['play']))).status).to.equal(200)
  })

  it('shows every open box once, page by page', async () => {
    const { id, apiKey } = await service.factory.casino()
    const itemId = await service.factory.item(id)
    const entries = [{ itemId, weight: 1 }]
    const open = await Promise.all(Array.from({ length: 7 }, () => service.factory.box(id, { entries })))
    for (let count = 0; count < 5; count++) {
      await service.factory.box(id, { entries, activeUntil: new Date('2020-01-01') })
    }
    const read = async (limit: number) => {
      const ids: unknown[] = []
      for (let cursor = '', pages = 0; pages < 20; pages++) {
        const page = await get(`/boxes?limit=${limit}${cursor}`, {}, apiKey)
        expect(listAt(page).length).to.be.at.most(limit)
        ids.push(...fieldOf(listAt(page), 'id'))
        if (at(page, 'next_cursor') === undefined) return ids
        cursor = `&cursor=${textAt(page, 'next_cursor')}`
      }
      throw new Error('a list without end')
    }
    for (const limit of [1, 3, 7, 200]) expect(await read(limit)).to.have.members(open)
    expect(await read(7)).to.have.length(7)
  })

  it('ends a page before it becomes too large', async () => {
    const { id, apiKey } = await service.factory.casino()
    const itemId = await service.factory.item(id)
    const entries = Array.from({ length: 1_000 }, () => ({ itemId, weight: 1 }))
    for (const boxId of ['a', 'b', 'c']) await service.factory.box(id, { boxId, entries })
    const first = await get('/boxes', {}, apiKey)
    expect(fieldOf(listAt(first), 'id')).to.deep.equal(['a', 'b'])
    const second = await get(`/boxes?cursor=${textAt(first, 'next_cursor')}`, {}, apiKey)
    expect(fieldOf(listAt(second), 'id')).to.deep.equal(['c'])
    expect(at(second, 'next_cursor')).to.equal(undefined)
  })

  describe('with long texts', () => {
    let id: string
    let apiKey: string
    let itemId: string
    before(async () => {
      ;({ id, apiKey } = await service.factory.casino())
      itemId = await service.factory.item(id)
      await describeItem(4_000)
      const entries = Array.from({ length: 50 }, () => ({ itemId, weight: 1 }))
      for (const boxId of ['a', 'b', 'c']) await service.factory.box(id, { boxId, entries })
    })
    const describeItem = (characters: number) =>
      service.database.item.updateMany({
        where: { casinoId: id, id: itemId },
        data: { description: 'd'.repeat(characters), imageUrl: `https://example.com/${'i'.repeat(1_000)}` },
      })

    it('ends a page before it becomes too large', async () => {
      const first = await get('/boxes', {}, apiKey)
      expect(fieldOf(listAt(first), 'id')).to.deep.equal(['a', 'b'])
      expect(textAt(first, 'data.0.prizes.0.description')).to.have.length(4_000)
      const second = await get(`/boxes?cursor=${textAt(first, 'next_cursor')}`, {}, apiKey)
      expect(fieldOf(listAt(second), 'id')).to.deep.equal(['c'])
      expect(at(second, 'next_cursor')).to.equal(undefined)
    })

    it('leaves the long ones out of a box whose items have become too long since it was published', async () => {
      await describeItem(10_000) // more than an item can have, in place of more entries
      for (const reply of [await get('/boxes?limit=1', {}, apiKey), await get('/boxes/a', {}, apiKey)]) {
        const shown = at(reply, 'data.0') === undefined ? 'data' : 'data.0'
        expect(listAt(reply, `${shown}.prizes`)).to.have.length(50)
        expect(at(reply, `${shown}.prizes.0`)).to.deep.include({ id: itemId, description: null, image: null })
        expect(reply.text.length).to.be.lessThan(50_000)
      }
      await describeItem(4_000)
      expect(textAt(await get('/boxes/a', {}, apiKey), 'data.prizes.0.description')).to.have.length(4_000)
    })
  })

  it('names every invalid field of a request', async () => {
    const cases: [string[], string][] = [
      [['player_id'], '/boxes?player_id=a%00b'],
      [['player_id'], '/boxes?player_id='],
      [['player_id'], '/boxes?player_id=%20'],
      [['player_id'], `/boxes?player_id=${'x'.repeat(129)}`],
      [['player_id'], '/boxes/gold?player_id=a%00b'],
      [['cursor', 'limit'], '/boxes?limit=0&cursor=%00'],
      [['limit'], '/boxes?limit=201'],
      [['limit'], '/boxes?limit=1.5'],
      [['limit'], '/boxes?limit=all'],
      [['cursor'], '/boxes?cursor=not-one'],
      [['cursor'], `/boxes?cursor=${Buffer.from('a\0b').toString('base64url')}`],
      [['box_id'], '/boxes/a%00b'],
      [['box_id'], '/boxes/%20'],
      [['box_id'], `/boxes/${'x'.repeat(129)}`],
    ]
    for (const [names, path] of cases) {
      const reply = await get(path)
      expect(reply.status, path).to.equal(400)
      expect(complaintsOf(reply), path).to.deep.equal(names)
    }
    expect(errorOf(await get('/boxes/never-published'))).to.equal('404 box_unknown')
    expect(errorOf(await get('/boxes/__proto__'))).to.equal('404 box_unknown')
    expect((await get('/boxes?player_id=%F0%9F%8E%81&__proto__=1')).status).to.equal(200)
    const posted = await service.client.post('/boxes', casino.apiKey, {})
    expect([posted.status, posted.headers.get('Allow')]).to.deep.equal([405, 'HEAD, GET'])
  })
})
