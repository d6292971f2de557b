import { expect } from 'chai'
import { atEndOfSuite } from '../../support/at-end.ts'
import type { TestCasino } from '../../support/factory.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { at, complaintsOf, createOperator, fieldOf, listAt, readAll } from './operator.ts'
import type { TestOperator } from './operator.ts'

describe('boxes', () => {
  let service: TestService
  let casino: TestCasino
  let operator: TestOperator
  let boxes: string
  const gold = {
    name: 'Gold',
    access: 'granted',
    entries: [
      { item_id: 'bicycle', weight: 1, stock: 5 },
      { item_id: 'nothing', weight: 99 },
    ],
    fallback_item_id: 'nothing',
  }

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
    casino = await service.factory.casino()
    operator = createOperator(service.client, casino.apiKey)
    boxes = `/${casino.id}/boxes`
    await operator.put(`/${casino.id}/items/bicycle`, { name: 'Bicycle', kind: 'physical' })
    await operator.put(`/${casino.id}/items/nothing`, { name: 'Nothing', kind: 'none' })
    await operator.put(`/${casino.id}/items/7`, { name: 'Seven', kind: 'bonus' })
  })

  /** The box as publishing answers it when there are no warnings. */
  async function readAsPublished(boxId: string): Promise<object> {
    const box = at(await operator.get(`${boxes}/${boxId}`), 'data')
    return { ...(box as object), unchanged: false, warnings: [] }
  }
  const withoutStocks = (reply: Parameters<typeof at>[0]) => {
    const box = { ...(at(reply, 'data') as object) }
    Reflect.deleteProperty(box, 'stocks')
    return box
  }

  it('publishes a box that can be opened', async () => {
    const put = await operator.put(`${boxes}/gold`, gold)
    expect(put.status).to.equal(200)
    expect(at(put, 'data')).to.deep.include({
      box_id: 'gold',
      version: 1,
      limit: null,
      fallback_item_id: 'nothing',
    })
    expect(at(put, 'data.entries')).to.deep.equal([
      { item_id: 'bicycle', weight: 1, stock: 5, remaining: 5 },
      { item_id: 'nothing', weight: 99, stock: null, remaining: null },
    ])
    expect(await readAsPublished('gold')).to.deep.equal(withoutStocks(put))

    await operator.post(`/${casino.id}/grants`, { grants: [{ player_id: 1, box_id: 'gold', count: 1 }] })
    const opened = await service.client.post('/box/open', casino.apiKey, { player_id: 1, box_id: 'gold' })
    expect(opened.status).to.equal(200)
  })

  it('publishes a limited box with every optional field', async () => {
    const box = {
      name: 'Daily',
      description: 'Two a day',
      image_url: 'https://example.com/daily.png',
      access: 'limited',
      limit: { count: 2, period: 'day', time_zone: 'America/New_York' },
      active_from: '2026-01-01T00:00:00.000Z',
      active_until: '2999-12-31T23:00:00.000Z',
      entries: [{ item_id: 7, weight: 3 }],
    }
    const put = await operator.put(`${boxes}/daily`, { ...box, active_until: '3000-01-01T00:00:00+01:00' })
    expect(at(put, 'data')).to.deep.include({
      ...box,
      entries: [{ item_id: '7', weight: 3, stock: null, remaining: null }],
      fallback_item_id: null,
      enabled: true,
    })
    expect(await readAsPublished('daily')).to.deep.equal(withoutStocks(put))
    const opened = await service.client.post('/box/open', casino.apiKey, { player_id: 2, box_id: 'daily' })
    expect(at(opened, 'prize.item_id')).to.equal('7')
  })

  it('makes a new version, which continues with the remaining stock', async () => {
    const one = { name: 'One', access: 'granted', entries: [{ item_id: 'bicycle', weight: 1, stock: 5 }] }
    await operator.put(`${boxes}/one`, one)
    await operator.post(`/${casino.id}/grants`, { grants: [{ player_id: 3, box_id: 'one', count: 1 }] })
    await service.client.post('/box/open', casino.apiKey, { player_id: 3, box_id: 'one' })
    expect(at(await operator.get(`${boxes}/one`), 'data.entries.0.remaining')).to.equal(4)
    const put = await operator.put(`${boxes}/one`, { ...one, name: 'Two' })
    expect(at(put, 'data')).to.include({ version: 2, name: 'Two' })
    expect(at(put, 'data.entries.0.remaining')).to.equal(4)
    const stocks = await service.database.boxStock.findMany({
      where: { casinoId: casino.id, boxId: 'one' },
      orderBy: { version: 'asc' },
    })
    expect(fieldOf(stocks, 'remaining')).to.deep.equal([0, 4])
  })

  it('shows every version that was ever published', async () => {
    const publish = (name: string, weight: number) =>
      operator.put(`${boxes}/kept`, { name, access: 'granted', entries: [{ item_id: 'bicycle', weight }] })
    const published = [await publish('First', 1), await publish('Second', 2)]
    for (const [index, reply] of published.entries()) {
      const shown = at(await operator.get(`${boxes}/kept?version=${index + 1}`), 'data') as object
      expect({ ...shown, unchanged: false, stocks: [], warnings: [] }).to.deep.equal(at(reply, 'data'))
    }
    expect(at(await operator.get(`${boxes}/kept`), 'data.version')).to.equal(2)
    const unknown = await operator.get(`${boxes}/kept?version=3`)
    expect([unknown.status, unknown.headers.get('x-error-code')]).to.deep.equal([404, 'box_unknown'])
    for (const version of ['0', '-1', '1.5', 'x', '', '2147483648', '1e999']) {
      const refused = await operator.get(`${boxes}/kept?version=${version}`)
      expect(refused.status, version).to.equal(400)
      expect(refused.json).to.have.nested.property('errors.version')
    }
  })

  it('gives each of several concurrent callers one whole version', async () => {
    const replies = await Promise.all(
      Array.from({ length: 24 }, (_, i) =>
        operator.put(`${boxes}/busy`, {
          ...gold,
          entries: Array.from({ length: i + 1 }, () => ({ item_id: 'bicycle', weight: i + 1, stock: i + 1 })),
        }),
      ),
    )
    expect(new Set(fieldOf(replies, 'status'))).to.deep.equal(new Set([200]))
    const numbers = Array.from({ length: 24 }, (_, i) => i + 1)
    expect(replies.map((reply) => at(reply, 'data.version'))).to.have.members(numbers)
    for (const reply of replies) {
      expect(at(reply, 'data.entries.0.weight')).to.equal(listAt(reply, 'data.entries').length)
    }
    const versions = await service.database.boxVersion.findMany({
      where: { casinoId: casino.id, boxId: 'busy' },
      include: { entries: true },
      orderBy: { version: 'asc' },
    })
    expect(fieldOf(versions, 'version')).to.deep.equal(numbers)
    for (const { entries } of versions) {
      expect(new Set(fieldOf(entries, 'weight'))).to.deep.equal(new Set([BigInt(entries.length)]))
    }
    const box = await service.database.box.findFirstOrThrow({ where: { casinoId: casino.id, id: 'busy' } })
    expect(box.currentVersion).to.equal(24)
  })

  it('names every invalid field of a box', async () => {
    const entry = { item_id: 'bicycle', weight: 1 }
    const most = Number.MAX_SAFE_INTEGER
    const cases: [string[], object][] = [
      [['access', 'entries', 'name'], {}],
      [['access'], { ...gold, access: 'free' }],
      [['limit'], { ...gold, access: 'limited' }],
      [['limit'], { ...gold, limit: { count: 1, period: 'day' } }],
      [['limit.count', 'limit.period'], { ...gold, access: 'limited', limit: { count: 0, period: 'year' } }],
      [['entries'], { ...gold, entries: [] }],
      [['entries'], { ...gold, entries: 'all' }],
      [['entries'], { ...gold, entries: JSON.stringify(gold.entries) }],
      [['entries'], { ...gold, entries: Array.from({ length: 1_001 }, () => entry) }],
      [['entries'], { ...gold, entries: Array.from({ length: 9_000 }, () => 0) }],
      [['entries'], { ...gold, entries: [{ ...entry, weight: most }, entry] }],
      [['entries.1'], { ...gold, entries: [entry, null] }],
      [['entries.0.item_id', 'entries.0.weight'], { ...gold, entries: [{}] }],
      [['entries.0.weight'], { ...gold, entries: [{ ...entry, weight: 0 }] }],
      [['entries.0.weight'], { ...gold, entries: [{ ...entry, weight: 0.5 }] }],
      [['entries.0.weight'], { ...gold, entries: [{ ...entry, weight: '1' }] }],
      [['entries.0.weight'], { ...gold, entries: [{ ...entry, weight: 2 ** 53 }] }],
      [['entries.0.stock'], { ...gold, entries: [{ ...entry, stock: -1 }] }],
      [['entries.1.stock'], { ...gold, entries: [entry, { ...entry, stock: 0 }] }],
      [
        ['entries.1.restock'],
        { ...gold, expected_version: 0, entries: [entry, { ...entry, restock: true }] },
      ],
      [['entries.0.restock'], { ...gold, entries: [{ ...entry, stock: 1, restock: 'yes' }] }],
      [['expected_version'], { ...gold, expected_version: -1 }],
      [['expected_version'], { ...gold, expected_version: '1' }],
      [['entries.0.stock'], { ...gold, entries: [{ ...entry, stock: 2 ** 31 }] }],
      [
        ['entries.1.item_id', 'fallback_item_id'],
        { ...gold, entries: [entry, { ...entry, item_id: 'x' }], fallback_item_id: 'y' },
      ],
      [['active_until'], { ...gold, active_from: '2030-01-01', active_until: '2030-01-01T00:00:00Z' }],
      [['active_from'], { ...gold, active_from: '1. 1. 2030' }],
      [['description'], { ...gold, description: 'a\0' }],
      [['description'], { ...gold, description: 'x'.repeat(4_001) }],
      [['image_url'], { ...gold, image_url: 'javascript:alert(1)' }],
      [['image_url'], { ...gold, image_url: 5 }],
    ]
    for (const [names, body] of cases) {
      const reply = await operator.put(`${boxes}/bad`, body)
      const sent = JSON.stringify(body).slice(0, 200)
      expect(reply.status, sent).to.equal(400)
      expect(complaintsOf(reply), sent).to.deep.equal(names)
    }
    expect((await operator.get(`${boxes}/bad`)).headers.get('X-Error-Code')).to.equal('box_unknown')
  })

  it('takes the largest box that is allowed', async () => {
    const entries = Array.from({ length: 1_000 }, () => ({
      item_id: 'bicycle',
      weight: 1,
      stock: 2 ** 31 - 1,
    }))
    entries[0] = { item_id: 'bicycle', weight: Number.MAX_SAFE_INTEGER - 999, stock: 1 }
    const put = await operator.put(`${boxes}/large`, { ...gold, entries })
    expect(put.status).to.equal(200)
    expect(at(put, 'data.entries.0.weight')).to.equal(Number.MAX_SAFE_INTEGER - 999)
  })

  it('refuses a box whose items have more text than a page of the catalogue holds, also as a draft', async () => {
    const item = { name: 'Poster', kind: 'physical', description: 'd'.repeat(4_000) }
    const { id, apiKey } = await service.factory.casino()
    const own = createOperator(service.client, apiKey)
    const url = `/${id}/boxes/posters`
    await own.put(`/${id}/items/poster`, item)
    await own.put(`/${id}/items/nothing`, { name: 'Nothing', kind: 'none' })
    // The item's id, name and description: 4,012 bytes, with the fallback's 14.
    const box = (count: number) => ({
      ...gold,
      entries: Array.from({ length: count }, () => ({ item_id: 'poster', weight: 1 })),
    })
    const most = Math.floor((512 * 1024 - 14) / 4_012)
    expect((await own.put(url, box(most))).status).to.equal(200)
    const replies = [await own.put(url, box(most + 1)), await own.post(`${url}/simulate`, box(most + 1))]
    for (const reply of replies) {
      expect(reply.status).to.equal(400)
      expect(complaintsOf(reply)).to.deep.equal(['entries'])
      expect(reply.text).to.include('at most 524288 bytes')
    }
    expect(at(await own.get(url), 'data.version')).to.equal(1)
  })

  it('refuses another casino’s items', async () => {
    const other = await service.factory.casino()
    const theirs = await service.factory.item(other.id)
    const reply = await operator.put(`${boxes}/bad`, { ...gold, entries: [{ item_id: theirs, weight: 1 }] })
    expect(complaintsOf(reply)).to.deep.equal(['entries.0.item_id'])
  })

  it('lists the boxes whose current version has an item, with its entries or as the fallback', async () => {
    const own = await service.factory.casino()
    const acting = createOperator(service.client, own.apiKey)
    const path = `/${own.id}/boxes`
    for (const id of ['mug', 'spins', 'hat']) {
      await acting.put(`/${own.id}/items/${id}`, { name: id, kind: 'physical' })
    }
    const publish = async (boxId: string, entries: object[], fallback?: string) => {
      const body = { name: boxId, access: 'granted', entries, fallback_item_id: fallback }
      const put = await acting.put(`${path}/${boxId}`, body)
      expect(put.status, put.text).to.equal(200)
    }
    const spins = { item_id: 'spins', weight: 9 }
    const mug = { item_id: 'mug', weight: 1, stock: 3 }
    await publish('a-former', [mug, spins])
    await publish('a-former', [spins])
    await publish('b-entry', [spins, mug, { ...mug, weight: 2, stock: 5 }])
    await publish('c-fallback', [spins], 'mug')
    await publish('d-without', [spins])
    await publish('e-later', [spins])
    await publish('e-later', [mug], 'spins')
    await publish('f-former-fallback', [spins], 'mug')
    await publish('f-former-fallback', [spins], 'hat')
    await acting.post(`${path}/e-later/disable`)
    const found = ['b-entry', 'c-fallback', 'e-later']
    for (const limit of [1, 2, 50]) {
      expect(await readAll(acting, `${path}?item_id=mug`, limit, 'box_id')).to.deep.equal(found)
      expect(await readAll(acting, `${path}?item_id=mug&order=desc`, limit, 'box_id')).to.deep.equal(
        found.toReversed(),
      )
    }
    const listed = listAt(await acting.get(`${path}?item_id=mug`))
    expect(fieldOf(listed, 'item_entries')).to.deep.equal([
      [
        { entry: 2, weight: 1, stock: 3, remaining: 3 },
        { entry: 3, weight: 2, stock: 5, remaining: 5 },
      ],
      [],
      [{ entry: 1, weight: 1, stock: 3, remaining: 3 }],
    ])
    expect(fieldOf(listed, 'enabled')).to.deep.equal([true, true, false])
    expect(fieldOf(listAt(await acting.get(path)), 'item_entries')).to.deep.equal(Array(6).fill(undefined))
    expect(await readAll(acting, `${path}?item_id=none`, 50, 'box_id')).to.deep.equal([])
    const never = `${path}?item_id=mug&created_until=2020-01-01T00:00:00Z`
    expect(await readAll(acting, never, 50, 'box_id')).to.deep.equal([])
    const theirs = await service.factory.casino()
    const stranger = createOperator(service.client, theirs.apiKey)
    expect(listAt(await stranger.get(`/${theirs.id}/boxes?item_id=mug`))).to.deep.equal([])
    expect(complaintsOf(await acting.get(`${path}?item_id=a%00b`))).to.deep.equal(['item_id'])
  })

  it('lists every box once, page by page', async () => {
    expect(await readAll(operator, boxes, 2, 'box_id')).to.have.members([
      'gold',
      'daily',
      'one',
      'kept',
      'busy',
      'large',
    ])
  })
})
