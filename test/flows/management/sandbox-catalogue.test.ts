import { expect } from 'chai'
import { atEndOfSuite } from '../../support/at-end.ts'
import { adminApiKey } from '../../support/config.ts'
import type { TestCasino } from '../../support/factory.ts'
import { itInLongForm } from '../../support/runs.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { at, createOperator, fieldOf, listAt, textAt } from '../../api/admin/operator.ts'
import type { TestOperator } from '../../api/admin/operator.ts'

describe('the catalogue of a sandbox', () => {
  let service: TestService
  let admin: TestOperator
  let casino: TestCasino

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
    admin = createOperator(service.client, adminApiKey)
  })
  beforeEach(async () => {
    casino = await service.factory.casino()
    await put('/items/mug', mug)
    await put('/items/spins', { name: 'Spins', kind: 'bonus' })
  })

  const put = async (path: string, body: object, casinoId = casino.id) => {
    const reply = await admin.put(`/${casinoId}${path}`, body)
    expect(reply.status, reply.text).to.equal(200)
  }
  const createTestKey = async () => {
    const reply = await admin.post(`/${casino.id}/api-keys`, { mode: 'test', scopes: ['play', 'manage'] })
    return textAt(reply, 'data.api_key')
  }
  /** The published data without the fields that differ by casino: versions, revisions, times and remaining stocks. */
  const read = async (path: string, casinoId: string): Promise<unknown> => {
    const reply = await admin.get(`/${casinoId}${path}`)
    expect(reply.status, `${casinoId}${path}`).to.equal(200)
    const own = new Set(['version', 'revision', 'created_at', 'updated_at', 'published_at', 'remaining'])
    return JSON.parse(reply.text, (name, value: unknown) => (own.has(name) ? undefined : value))
  }
  const expectSame = async (...paths: string[]) => {
    for (const path of paths) {
      expect(await read(path, `${casino.id}:test`), path).to.deep.equal(await read(path, casino.id))
    }
  }
  const mug = { name: 'Mug', kind: 'physical', cashback: { amount_minor: 500, currency: 'EUR' } }
  const daily = {
    name: 'Daily',
    description: 'Once a day',
    image_url: 'https://example.com/daily.png',
    access: 'limited',
    limit: { count: 3, period: 'day', time_zone: 'Europe/Malta' },
    active_from: '2026-01-01T00:00:00Z',
    active_until: '2126-01-01T00:00:00Z',
    entries: [
      { item_id: 'mug', weight: 1, stock: 5 },
      { item_id: 'spins', weight: 2 },
    ],
    fallback_item_id: 'spins',
  }

  it('begins as a copy of the current versions, with full stocks and in the same switch position', async () => {
    await put('/items/mug', {
      ...mug,
      description: 'Large',
      claim_days: 9,
      image_url: 'https://example.com/mug.png',
    })
    await put('/items/alone', mug)
    await put('/boxes/daily', { ...daily, name: 'Older' })
    await put('/boxes/daily', daily)
    await put('/boxes/off', {
      ...daily,
      active_from: null,
      active_until: null,
      limit: null,
      access: 'granted',
    })
    expect((await admin.post(`/${casino.id}/boxes/off/disable`)).status).to.equal(200)
    await service.database.boxStock.updateMany({ where: { casinoId: casino.id }, data: { remaining: 2 } })
    await createTestKey()
    await expectSame('/items', '/items/mug', '/items/alone', '/boxes', '/boxes/daily', '/boxes/off')
    const copy = await admin.get(`/${casino.id}:test/boxes/daily`)
    expect(copy.json).to.have.nested.include({ 'data.version': 1, 'data.entries[0].remaining': 5 })
    expect(at(await admin.get(`/${casino.id}:test/boxes/off`), 'data.enabled')).to.equal(false)
  })

  it('follows later publications', async () => {
    await createTestKey()
    await put('/items/mug', { ...mug, name: 'Jug' })
    await put('/boxes/daily', daily)
    await expectSame('/items/mug', '/boxes/daily')
    await put('/items/mug', { name: 'Cup', kind: 'bonus' })
    await put('/boxes/daily', { ...daily, name: 'Other', entries: [{ item_id: 'mug', weight: 7 }] })
    await expectSame('/items/mug', '/boxes/daily')
    for (const move of ['disable', 'enable', 'disable']) {
      await admin.post(`/${casino.id}/boxes/daily/${move}`)
      expect(at(await admin.get(`/${casino.id}:test/boxes/daily`), 'data.enabled')).to.equal(
        move === 'enable',
      )
    }
    expect(at(await admin.get(`/${casino.id}:test/boxes/daily`), 'data.version')).to.equal(2)
  })

  it('becomes the casino’s after concurrent publications, and while the sandbox is being made', async () => {
    const publish = (count: number) =>
      Array.from({ length: count }, (_, i) => [
        put('/boxes/daily', { ...daily, name: `Daily ${i}` }),
        put(`/boxes/box-${i}`, daily),
        put(`/items/item-${i}`, mug),
        put('/items/mug', { ...mug, name: `Mug ${i}` }),
      ]).flat()
    await Promise.all([...publish(5), createTestKey(), createTestKey(), ...publish(5)])
    await expectSame('/boxes', '/items', '/boxes/daily', '/boxes/box-4')
    await Promise.all(publish(10))
    await expectSame('/boxes', '/items', '/boxes/daily', '/boxes/box-9')
  })

  itInLongForm('copies all boxes of its casino, beyond one page of them', async () => {
    for (let i = 0; i < 45; i++) await put(`/boxes/box-${i}`, daily)
    await createTestKey()
    expect(listAt(await admin.get(`/${casino.id}:test/boxes?limit=200`))).to.have.length(45)
    await expectSame('/boxes?limit=200')
  })

  it('can be changed without an effect on its casino, whose next publication replaces the change', async () => {
    await put('/boxes/daily', daily)
    const tester = createOperator(service.client, await createTestKey())
    const before = [await read('/items', casino.id), await read('/boxes/daily', casino.id)]
    expect((await tester.put(`/${casino.id}/items/mug`, { ...mug, name: 'Test mug' })).status).to.equal(200)
    expect((await tester.put(`/${casino.id}/items/only`, mug)).status).to.equal(200)
    expect((await tester.put(`/${casino.id}:test/boxes/daily`, { ...daily, name: 'T' })).status).to.equal(200)
    expect((await admin.post(`/${casino.id}:test/boxes/daily/disable`)).status).to.equal(200)
    expect([await read('/items', casino.id), await read('/boxes/daily', casino.id)]).to.deep.equal(before)
    expect(at(await admin.get(`/${casino.id}:test/items/mug`), 'data.name')).to.equal('Test mug')
    await createTestKey()
    expect(at(await admin.get(`/${casino.id}:test/items/mug`), 'data.name')).to.equal('Test mug')
    await put('/items/mug', mug)
    await put('/boxes/daily', daily)
    await expectSame('/items/mug')
    expect(at(await admin.get(`/${casino.id}:test/boxes/daily`), 'data.name')).to.equal('Daily')
    const names = fieldOf(listAt(await admin.get(`/${casino.id}:test/items`)), 'item_id')
    expect(names).to.have.members(['mug', 'only', 'spins'])
  })

  it('is repaired by the next publication, or the next test key, where copying failed', async () => {
    await createTestKey()
    // The state after a process has died between publishing and copying.
    const itemId = await service.factory.item(casino.id)
    const entries = [{ itemId, weight: 1, stock: 3 }]
    const boxId = await service.factory.box(casino.id, { entries })
    expect((await admin.get(`/${casino.id}:test/boxes/${boxId}`)).status).to.equal(404)
    await put(`/boxes/${boxId}`, {
      ...daily,
      entries: [{ item_id: itemId, weight: 1 }],
      fallback_item_id: null,
    })
    await expectSame(`/boxes/${boxId}`, `/items/${itemId}`)
    const other = await service.factory.box(casino.id, { entries })
    await createTestKey()
    await expectSame(`/boxes/${other}`)
  })

  it('has its own stocks', async () => {
    await put('/boxes/daily', daily)
    const apiKey = await createTestKey()
    const opened = await service.client.post(
      '/box/open',
      apiKey,
      { player_id: 'p', box_id: 'daily' },
      { 'X-Test-Outcome': 'mug' },
    )
    expect(opened.status, opened.text).to.equal(200)
    const leftOf = async (casinoId: string) =>
      at(await admin.get(`/${casinoId}/boxes/daily`), 'data.entries.0.remaining')
    expect([await leftOf(casino.id), await leftOf(`${casino.id}:test`)]).to.deep.equal([5, 4])
  })
})
