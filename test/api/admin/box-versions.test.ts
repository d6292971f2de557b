import { expect } from 'chai'
import { atEndOfSuite } from '../../support/at-end.ts'
import type { TestCasino } from '../../support/factory.ts'
import { inParallel } from '../../support/in-parallel.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { at, createOperator, listAt, readAll } from './operator.ts'
import type { TestOperator } from './operator.ts'

describe('the versions of a box', () => {
  let service: TestService
  let casino: TestCasino
  let operator: TestOperator

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
  })
  beforeEach(async () => {
    casino = await service.factory.casino()
    operator = createOperator(service.client, casino.apiKey)
    for (const [id, minor] of [
      ['mug', null],
      ['cash', 200],
    ] as const) {
      const cashback = minor === null ? {} : { cashback: { amount_minor: minor, currency: 'EUR' } }
      const put = await operator.put(`/${casino.id}/items/${id}`, { name: id, kind: 'physical', ...cashback })
      expect(put.status, put.text).to.be.below(300)
    }
  })
  const publish = async (weight: number, stock?: number) => {
    const reply = await operator.put(`/${casino.id}/boxes/daily`, {
      name: 'Daily',
      access: 'limited',
      limit: { count: 1_000, period: 'lifetime' },
      entries: [
        { item_id: 'mug', weight, ...(stock === undefined ? {} : { stock }) },
        { item_id: 'cash', weight: 3 },
      ],
      fallback_item_id: 'cash',
    })
    expect(reply.status, reply.text).to.be.below(300)
  }
  const open = (times: number) =>
    inParallel(8, Array.from({ length: times }), async () => {
      const body = { player_id: 'ann', box_id: 'daily' }
      const reply = await service.client.post('/box/open', casino.apiKey, body)
      expect(reply.status, reply.text).to.equal(200)
    })

  it('are listed with the newest first, page by page', async () => {
    for (const weight of [1, 2, 5]) await publish(weight)
    const path = `/${casino.id}/boxes/daily/versions`
    expect(await readAll(operator, path, 2, 'version')).to.deep.equal([3, 2, 1])
    const unknown = await operator.get(`/${casino.id}/boxes/other/versions`)
    expect(unknown.headers.get('X-Error-Code')).to.equal('box_unknown')
    for (const cursor of [
      'abc',
      Buffer.from('-1').toString('base64url'),
      Buffer.from('1e99').toString('base64url'),
    ]) {
      expect((await operator.get(`${path}?cursor=${cursor}`)).status, cursor).to.equal(400)
    }
  })

  it('have the published odds beside the drawn shares of each version, with an interval and the cost', async () => {
    await publish(1)
    await open(20)
    await publish(1, 1)
    await open(12)
    const drawnOf = async (version: number) => {
      const openings = await service.database.opening.findMany({ where: { casinoId: casino.id, version } })
      return {
        mugs: openings.filter(({ position }) => position === 1).length,
        cash: openings.filter(({ itemId }) => itemId === 'cash').length,
        substituted: openings.filter(({ substituted }) => substituted).length,
      }
    }

    const first = await operator.get(`/${casino.id}/boxes/daily/statistics?version=1`)
    expect(first.status, first.text).to.equal(200)
    const { mugs, cash } = await drawnOf(1)
    expect(at(first, 'data')).to.include({ version: 1, openings: 20, is_partial: false, substituted: 0 })
    const [mug] = listAt(first, 'data.entries')
    expect(mug).to.deep.include({
      item_id: 'mug',
      odds: { numerator: 1, denominator: 4, percentage: 25 },
      observed: mugs,
      share: mugs / 20,
      stock: null,
    })
    expect(at(first, 'data.entries.0.interval.low')).to.be.at.most(mugs / 20)
    expect(at(first, 'data.entries.0.interval.high')).to.be.at.least(mugs / 20)
    expect(listAt(first, 'data.expected_cost_per_opening')).to.deep.equal([
      { currency: 'EUR', amount_minor: '150' },
    ])
    const observedCost = at(first, 'data.observed_cost_per_opening.0.amount_minor')
    expect(Number(observedCost)).to.be.closeTo((cash * 200) / 20, 0.001)

    const second = await operator.get(`/${casino.id}/boxes/daily/statistics`)
    const expected = await drawnOf(2)
    expect(at(second, 'data')).to.include({
      version: 2,
      openings: 12,
      substituted: expected.substituted,
    })
    expect(at(second, 'data.entries.0.observed')).to.equal(expected.mugs)
    expect(at(second, 'data.entries.0.remaining')).to.equal(expected.mugs > 0 ? 0 : 1)
  })

  it('have no shares, intervals and costs before the first opening', async () => {
    await publish(1)
    const reply = await operator.get(`/${casino.id}/boxes/daily/statistics`)
    expect(at(reply, 'data')).to.include({ openings: 0, p_value: null })
    expect(at(reply, 'data.entries.0')).to.include({ observed: 0, share: null, interval: null })
    expect(at(reply, 'data.observed_cost_per_opening')).to.deep.equal([])
  })

  it('do not count a box of the same name in another casino', async () => {
    await publish(1)
    await open(3)
    const other = await service.factory.casino()
    const theirs = createOperator(service.client, other.apiKey)
    const reply = await theirs.get(`/${other.id}/boxes/daily/statistics`)
    expect(reply.headers.get('X-Error-Code')).to.equal('box_unknown')
  })
})
