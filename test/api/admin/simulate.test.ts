import { expect } from 'chai'
import { createSimulation } from '../../../core/box/simulate-draws.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import { eventually } from '../../support/eventually.ts'
import type { TestCasino } from '../../support/factory.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { at, complaintsOf, createOperator, fieldOf, listAt, textAt } from './operator.ts'
import type { TestOperator } from './operator.ts'

describe('box simulation', () => {
  let service: TestService
  let casino: TestCasino
  let operator: TestOperator
  let boxes: string
  const gold = {
    name: 'Gold',
    access: 'granted',
    entries: [
      { item_id: 'bicycle', weight: 1, stock: 5 },
      { item_id: 'mug', weight: 9, stock: 100 },
      { item_id: 'nothing', weight: 90 },
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
    const items = {
      bicycle: { name: 'Bicycle', kind: 'physical', cashback: { amount_minor: 25_000, currency: 'EUR' } },
      mug: { name: 'Mug', kind: 'physical', cashback: { amount_minor: 500, currency: 'GBP' } },
      nothing: { name: 'Nothing', kind: 'none' },
    }
    for (const [id, item] of Object.entries(items)) await operator.put(`/${casino.id}/items/${id}`, item)
    await operator.put(`${boxes}/gold`, gold)
  })

  it('reports on the current version with its remaining stock', async () => {
    await service.database.boxStock.updateMany({
      where: { casinoId: casino.id, boxId: 'gold', position: 1 },
      data: { remaining: 2 },
    })
    const reply = await operator.post(`${boxes}/gold/simulate`)
    expect(reply.status).to.equal(200)
    const box = await operator.get(`${boxes}/gold`)
    expect(at(reply, 'data')).to.deep.include({
      box_id: 'gold',
      version: 1,
      odds_hash: at(box, 'data.odds_hash'),
      warnings: [],
      items: [
        { item_id: 'bicycle', name: 'Bicycle', odds: { numerator: 1, denominator: 100, percentage: 1 } },
        { item_id: 'mug', name: 'Mug', odds: { numerator: 9, denominator: 100, percentage: 9 } },
        { item_id: 'nothing', name: 'Nothing', odds: { numerator: 9, denominator: 10, percentage: 90 } },
      ],
      cost_per_opening: [
        { currency: 'EUR', amount_minor: '250' },
        { currency: 'GBP', amount_minor: '45' },
      ],
      cost_when_used_up: [],
    })
    expect(at(reply, 'data.first_run_out')).to.deep.equal({
      entry: 1,
      item_id: 'bicycle',
      stock: 2,
      expected_openings: '200',
      standard_deviation: '140.71',
      expected_days: null,
      expected_at: null,
    })
    expect(fieldOf(listAt(reply, 'data.run_outs'), 'expected_openings')).to.deep.equal(['200', '1111.11'])
    expect(at(reply, 'data.simulation.draws')).to.equal(10_000)
  })

  it('draws as openings do: the same seed gives the same counts', async () => {
    const reply = await operator.post(`${boxes}/gold/simulate`, { draws: 3_001 })
    const again = createSimulation(
      gold.entries.map(({ weight }) => ({ weight: BigInt(weight) })),
      Buffer.from(textAt(reply, 'data.simulation.seed'), 'hex'),
    )
    again.run(3_001)
    expect(fieldOf(listAt(reply, 'data.simulation.entries'), 'observed')).to.deep.equal(again.counts)
    expect(fieldOf(listAt(reply, 'data.simulation.entries'), 'expected')).to.deep.equal([
      30.01, 270.09, 2700.9,
    ])
    expect(at(reply, 'data.simulation.degrees_of_freedom')).to.equal(2)
    expect(at(reply, 'data.simulation.p_value')).to.be.within(1e-9, 1)
  })

  it('reports on a draft without publishing it, also of a box that does not exist', async () => {
    const draft = {
      ...gold,
      entries: [
        { item_id: 'bicycle', weight: 1, stock: 10 },
        { item_id: 'mug', weight: 1, stock: 1 },
        { item_id: 'nothing', weight: 8 },
      ],
      active_until: '2999-01-01',
      openings_per_day: 10,
      draws: 0,
    }
    const reply = await operator.post(`${boxes}/draft/simulate`, draft)
    expect(reply.status).to.equal(200)
    expect(at(reply, 'data')).to.deep.include({ box_id: 'draft', version: null, simulation: null })
    expect(at(reply, 'data.cost_per_opening')).to.deep.equal([
      { currency: 'EUR', amount_minor: '2500' },
      { currency: 'GBP', amount_minor: '50' },
    ])
    expect(at(reply, 'data.first_run_out')).to.deep.include({ item_id: 'mug', expected_openings: '10' })
    expect(at(reply, 'data.run_outs.1')).to.deep.include({ expected_openings: '100', expected_days: '10' })
    expect(
      listAt(reply, 'data.warnings').map((warning) =>
        fieldOf([warning], 'code').concat(fieldOf([warning], 'name')),
      ),
    ).to.deep.equal([
      ['runs_out_early', 'entries.1.stock'],
      ['runs_out_early', 'entries.0.stock'],
    ])
    expect((await operator.get(`${boxes}/draft`)).status).to.equal(404)
    const put = await operator.put(`${boxes}/published`, draft)
    expect(at(put, 'data.odds_hash')).to.equal(at(reply, 'data.odds_hash'))
  })

  it('warns about probable mistakes in a draft', async () => {
    const empty = {
      ...gold,
      entries: [{ item_id: 'mug', weight: 1, stock: 1 }],
      fallback_item_id: null,
    }
    await operator.put(`${boxes}/empty`, { ...empty, name: 'Before' })
    await service.database.boxStock.updateMany({ where: { boxId: 'empty' }, data: { remaining: 0 } })
    const put = await operator.put(`${boxes}/empty`, empty)
    expect(put.status).to.equal(200)
    expect(at(put, 'data.version')).to.equal(2)
    expect(fieldOf(listAt(put, 'data.warnings'), 'code')).to.deep.equal([
      'box_never_opens',
      'entry_never_won',
      'closes_when_used_up',
      'stock_carried_over',
    ])
    expect(at(put, 'data.warnings.0.name')).to.equal('entries.0.stock')
    expect(at(put, 'data.warnings.0.message')).to.match(/cannot be opened/)
  })

  it('names every invalid parameter of a simulation', async () => {
    const entry = { item_id: 'mug', weight: 1 }
    const cases: [string[], object][] = [
      [['draws'], { draws: 100_001 }],
      [['draws'], { draws: -1 }],
      [['draws'], { draws: 1.5 }],
      [['draws'], { draws: '10' }],
      [['draws'], { draws: [10] }],
      [['draws'], { draws: 1e300 }],
      [['openings_per_day'], { openings_per_day: 0 }],
      [['openings_per_day'], { openings_per_day: 1_000_000_001 }],
      [['access', 'entries'], { name: 'Draft' }],
      [['entries'], { ...gold, entries: null }],
      [['entries.0.item_id'], { ...gold, entries: [{ ...entry, item_id: 'bell' }] }],
      [['entries.0.item_id'], { ...gold, entries: [{ ...entry, item_id: 'a\0b' }] }],
      [['entries.0.item_id'], { ...gold, entries: [{ ...entry, item_id: '\ud800' }] }],
      [['entries'], { ...gold, entries: [{ ...entry, weight: Number.MAX_SAFE_INTEGER }, entry] }],
      [
        ['limit.time_zone'],
        { ...gold, access: 'limited', limit: { count: 1, period: 'day', time_zone: 'Europe/Atlantis' } },
      ],
      [['fallback_item_id'], { ...gold, entries: [{ ...entry, stock: 5 }], fallback_item_id: 'mug' }],
    ]
    for (const [names, body] of cases) {
      const reply = await operator.post(`${boxes}/gold/simulate`, body)
      expect(reply.status, JSON.stringify(body)).to.equal(400)
      expect(complaintsOf(reply), JSON.stringify(body)).to.deep.equal(names)
    }
    const limited = { ...gold, entries: [{ ...entry, stock: 5 }], fallback_item_id: 'mug' }
    expect(complaintsOf(await operator.put(`${boxes}/limited`, limited))).to.deep.equal(['fallback_item_id'])
  })

  it('does not find boxes or items of other casinos', async () => {
    const other = await service.factory.casino()
    const stranger = createOperator(service.client, other.apiKey)
    expect((await stranger.post(`/${casino.id}/boxes/gold/simulate`)).status).to.equal(404)
    expect((await stranger.post(`/${other.id}/boxes/gold/simulate`)).status).to.equal(404)
    expect(complaintsOf(await stranger.post(`/${other.id}/boxes/gold/simulate`, gold))).to.deep.equal([
      'entries.0.item_id',
      'entries.1.item_id',
      'entries.2.item_id',
      'fallback_item_id',
    ])
  })

  it('lets players open boxes meanwhile', async () => {
    const player = { player_id: 'p', box_id: 'gold' }
    await operator.post(`/${casino.id}/grants`, { grants: [{ ...player, count: 5 }] })
    const large = {
      ...gold,
      entries: Array.from({ length: 1_000 }, () => ({ item_id: 'mug', weight: 1 })),
      draws: 50_000,
    }
    const finished: string[] = []
    const simulations = [1, 2].map(async () => {
      const reply = await operator.post(`${boxes}/large/simulate`, large)
      finished.push('simulation')
      return reply.status
    })
    for (let i = 0; i < 3; i++) {
      const opened = await service.client.post('/box/open', casino.apiKey, player)
      expect(opened.status).to.equal(200)
      finished.push('opening')
    }
    expect(await Promise.all(simulations)).to.deep.equal([200, 200])
    // One after the other they draw for many times as long as three openings take. Without a pause for others the
    // second would have ended before the second opening began.
    expect(finished.lastIndexOf('opening'), finished.join(', ')).to.be.lessThan(
      finished.lastIndexOf('simulation'),
    )
  })

  it('delays other casinos by no more than one simulation of a casino', async () => {
    const other = await service.factory.casino()
    const stranger = createOperator(service.client, other.apiKey)
    await stranger.put(`/${other.id}/items/mug`, { name: 'Mug', kind: 'physical' })
    const draft = { ...gold, entries: [{ item_id: 'mug', weight: 1 }], fallback_item_id: null }
    const finished: string[] = []
    let refused = 0
    const many = Array.from({ length: 12 }, async () => {
      const { status } = await operator.post(`${boxes}/gold/simulate`, { draws: 30_000 })
      if (status === 503) refused++
      else finished.push(`many ${status}`)
    })
    await eventually('one casino has its maximum waiting', () => refused > 0)
    const { status } = await stranger.post(`/${other.id}/boxes/one/simulate`, { ...draft, draws: 10 })
    finished.push(`other ${status}`)
    await Promise.all(many)
    expect(finished).to.include('other 200')
    expect(finished.at(-1)).to.equal('many 200')
  })

  it('refuses simulations that would have to wait too long', async () => {
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => operator.post(`${boxes}/gold/simulate`, { draws: 15_000 })),
    )
    const refused = replies.filter(({ status }) => status === 503)
    expect(refused.length).to.be.within(1, 16)
    for (const { headers } of refused) expect(headers.get('Retry-After')).to.equal('1')
    expect(replies.filter(({ status }) => status === 200).length).to.equal(20 - refused.length)
    expect((await operator.post(`${boxes}/gold/simulate`)).status).to.equal(200)
  })
})
