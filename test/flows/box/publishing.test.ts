import { expect } from 'chai'
import { at, complaintsOf, createOperator, fieldOf, listAt } from '../../api/admin/operator.ts'
import type { TestOperator } from '../../api/admin/operator.ts'
import { findStockDifferences } from '../../../core/box/check-stock.ts'
import { expirePrizes } from '../../../core/box/expire-prizes.ts'
import { atEndOfSuite, atEndOfTest } from '../../support/at-end.ts'
import { createClient } from '../../support/client.ts'
import type { TestCasino } from '../../support/factory.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'

interface TestEntry {
  item_id: string
  weight: number
  stock?: number
  restock?: boolean
}

/** Two APIs on one database, each with turns and batches of its own, as two processes have. */
describe('publishing a box', function () {
  this.timeout(60_000)
  let service: TestService
  let other: TestService
  let casino: TestCasino
  let operator: TestOperator
  let players = 0

  const atEnd = atEndOfSuite()
  const atEndOfEach = atEndOfTest()

  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
    other = await startService({ env: service.env })
    atEnd(() => other.stop())
  })
  beforeEach(async () => {
    atEndOfEach(async () => {
      expect(await findStockDifferences(service.database, casino.id)).to.deep.equal([])
    })
    casino = await service.factory.casino()
    operator = createOperator(service.client, casino.apiKey)
    for (const id of ['mug', 'cap', 'nothing']) {
      await operator.put(`/${casino.id}/items/${id}`, { name: id, kind: 'physical', claim_days: 5 })
    }
  })

  const box = (entries: TestEntry[], more: object = {}) => ({
    name: 'Box',
    access: 'limited',
    limit: { count: 1_000_000, period: 'lifetime', time_zone: 'europe/malta' },
    entries,
    fallback_item_id: 'nothing',
    ...more,
  })
  const mugs = (stock: number, more: Partial<TestEntry> = {}) => ({
    item_id: 'mug',
    weight: 1,
    stock,
    ...more,
  })
  const put = (body: object, by = operator) => by.put(`/${casino.id}/boxes/box`, body)
  const version = async () => at(await operator.get(`/${casino.id}/boxes/box`), 'data.version')
  const publish = async (entries: TestEntry[], more: object = {}) => {
    const reply = await put(box(entries, more))
    expect(reply.status, reply.text).to.equal(200)
    return reply
  }
  /** Opens it so often; returns the items that were won. */
  const open = async (count: number, client = service.client): Promise<unknown[]> => {
    const items = []
    for (let index = 0; index < count; index++) {
      const reply = await client.post('/box/open', casino.apiKey, { player_id: ++players, box_id: 'box' })
      items.push(at(reply, 'prize.item_id'))
    }
    return items
  }
  const remaining = async () =>
    fieldOf(listAt(await operator.get(`/${casino.id}/boxes/box`), 'data.entries'), 'remaining')

  it('publishes nothing when the definition is the published one', async () => {
    const first = await publish([mugs(1)])
    expect(at(first, 'data.unchanged')).to.equal(false)
    expect(await open(1)).to.deep.equal(['mug'])
    const again = await publish([mugs(1)])
    expect(at(again, 'data')).to.include({ unchanged: true, version: 1 })
    expect(at(again, 'data.stocks')).to.deep.equal([])
    expect(fieldOf(listAt(again, 'data.warnings'), 'code')).to.include('entry_never_won')
    expect(await open(1), 'it is not given out again').to.deep.equal(['nothing'])
    expect(await service.database.boxVersion.count({ where: { casinoId: casino.id } })).to.equal(1)
  })

  it('continues with the remaining stock, unless the entry says restock', async () => {
    await publish([mugs(10)])
    await open(3)
    const changed = await publish([mugs(10, { weight: 2 })])
    expect(at(changed, 'data.version')).to.equal(2)
    expect(at(changed, 'data.entries.0')).to.include({ stock: 10, remaining: 7 })
    expect(at(changed, 'data.stocks')).to.deep.equal([
      { entry: 1, item_id: 'mug', stock: 10, left_before: 7, carried_over: 7, given_out: 0, remaining: 7 },
    ])
    expect(fieldOf(listAt(changed, 'data.warnings'), 'code')).to.include('stock_carried_over')
    const more = await publish([mugs(15)])
    expect(at(more, 'data.stocks.0')).to.include({
      left_before: 7,
      carried_over: 7,
      given_out: 5,
      remaining: 12,
    })
    await open(2)
    const restocked = await publish([mugs(15, { restock: true })], { expected_version: await version() })
    expect(at(restocked, 'data.stocks.0')).to.include({ left_before: 10, carried_over: 0, given_out: 15 })
    expect(fieldOf(listAt(restocked, 'data.warnings'), 'code')).to.include('stock_ended')
    expect(await remaining()).to.deep.equal([15])
  })

  it('restocks an entry once, however often the request is sent', async () => {
    await publish([mugs(1)])
    await open(1)
    const body = box([mugs(1, { restock: true })], { expected_version: 1 })
    expect((await put(body)).status).to.equal(200)
    expect((await put(body)).headers.get('x-error-code')).to.equal('box_version_conflict')
    expect(await remaining()).to.deep.equal([1])
    const blind = await put(box([mugs(1, { restock: true })]))
    expect([blind.status, complaintsOf(blind)]).to.deep.equal([400, ['expected_version']])
  })

  it('has no stock left when the new stock is smaller than the number of wins, and remembers the excess', async () => {
    await publish([mugs(8)])
    await open(8)
    expect(at(await publish([mugs(5)]), 'data.stocks.0')).to.include({ left_before: 0, remaining: 0 })
    expect(await open(1)).to.deep.equal(['nothing'])
    expect(await findStockDifferences(service.database, casino.id)).to.deep.equal([])
    expect(at(await publish([mugs(10)]), 'data.stocks.0')).to.include({ given_out: 2, remaining: 2 })
  })

  it('matches the entries of one item by their stocks, in any order', async () => {
    await publish([mugs(5), mugs(2, { weight: 3 }), { item_id: 'cap', weight: 1 }])
    await open(12)
    const [large, small] = (await remaining()) as number[]
    await publish([{ item_id: 'cap', weight: 2 }, mugs(2, { weight: 3 }), mugs(5)])
    expect(await remaining()).to.deep.equal([null, small, large])
    await publish([mugs(2, { restock: true }), mugs(5)], { expected_version: await version() })
    expect(await remaining()).to.deep.equal([2, large])
  })

  it('matches the entries of one item by their weights first, with any change of their stocks', async () => {
    const often = (stock: number) => mugs(stock, { weight: 1_000_000_000 })
    await publish([often(5), mugs(4)])
    await open(2)
    const remainingOf = async (entries: TestEntry[]) =>
      fieldOf(listAt(await publish(entries), 'data.stocks'), 'remaining')
    expect(await remainingOf([often(3), mugs(4)])).to.deep.equal([1, 4])
    expect(await remainingOf([mugs(4), mugs(9, { weight: 7 }), often(3)])).to.deep.equal([4, 9, 1])
    // The last one is the stock that ended.
    expect(await remainingOf([often(4), mugs(4)])).to.deep.equal([2, 4, 0])
  })

  it('does not remember the stock of an entry that was removed or unlimited meanwhile', async () => {
    await publish([mugs(2), { item_id: 'cap', weight: 1, stock: 3 }])
    const gone = await publish([{ item_id: 'mug', weight: 1 }])
    expect(at(gone, 'data.stocks')).to.deep.equal([
      {
        entry: null,
        item_id: 'mug',
        stock: null,
        left_before: 2,
        carried_over: 0,
        given_out: 0,
        remaining: 0,
      },
      {
        entry: null,
        item_id: 'cap',
        stock: null,
        left_before: 3,
        carried_over: 0,
        given_out: 0,
        remaining: 0,
      },
    ])
    await open(3)
    const back = await publish([mugs(2), { item_id: 'cap', weight: 1, stock: 3 }])
    expect(fieldOf(listAt(back, 'data.stocks'), 'left_before')).to.deep.equal([null, null])
    const warnings = fieldOf(listAt(back, 'data.warnings'), 'code')
    expect(warnings.filter((code) => code === 'stock_given_out_again')).to.have.length(2)
    const first = await publish([mugs(2), mugs(3)])
    expect(fieldOf(listAt(first, 'data.warnings'), 'code')).not.to.include('stock_given_out_again')
    expect(await remaining()).to.deep.equal([2, 3])
  })

  it('replaces only the expected version', async () => {
    expect((await put(box([mugs(1)], { expected_version: 1 }))).status).to.equal(409)
    expect(at(await publish([mugs(1)], { expected_version: 0 }), 'data.version')).to.equal(1)
    expect(at(await publish([mugs(2)], { expected_version: 1 }), 'data.version')).to.equal(2)
    for (const entries of [[mugs(2)], [mugs(3)], [mugs(3, { restock: true })]]) {
      const late = await put(box(entries, { expected_version: 1 }))
      expect([late.status, late.headers.get('x-error-code')]).to.deep.equal([409, 'box_version_conflict'])
      expect(at(late, 'current_version')).to.equal(2)
    }
    expect(await remaining()).to.deep.equal([2])
  })

  it('returns the stock of expired prizes to the version that continues with the stock', async () => {
    await publish([mugs(4)])
    await open(4)
    await publish([mugs(4, { weight: 2 })])
    await publish([mugs(3)])
    const later = { now: () => new Date(Date.now() + 6 * 24 * 3600 * 1000) }
    expect(await expirePrizes({ ...service.deps, clock: later })).to.be.at.least(4)
    expect(await remaining()).to.deep.equal([3])
  })

  it('gives no unit out twice, and loses none, while many publish and open at the same time', async () => {
    const stock = 20
    await publish([mugs(stock), { item_id: 'cap', weight: 1, stock }])
    const operators = [service, other].map(({ url }) => createOperator(createClient(url), casino.apiKey))
    const publishing = operators.map(async (by, index) => {
      for (let turn = 0; turn < 6; turn++) {
        const entries = [mugs(stock, { weight: 1 + turn }), { item_id: 'cap', weight: 1 + index, stock }]
        expect((await put(box(turn % 2 === 0 ? entries : entries.reverse()), by)).status).to.equal(200)
      }
    })
    const opening = [service, other].flatMap(({ client }) => Array.from({ length: 4 }, () => open(8, client)))
    const [won] = await Promise.all([Promise.all(opening).then((all) => all.flat()), ...publishing])
    won.push(...(await open(4)))
    const entries = listAt(await operator.get(`/${casino.id}/boxes/box`), 'data.entries')
    for (const item of ['mug', 'cap']) {
      const left = fieldOf(
        entries.filter((entry) => fieldOf([entry], 'item_id')[0] === item),
        'remaining',
      )
      expect(left, item).to.deep.equal([stock - won.filter((id) => id === item).length])
    }
    expect(won.filter((id) => id === undefined)).to.deep.equal([])
  })
})
