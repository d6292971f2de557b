import { expect } from 'chai'
import { findStockDifferences } from '../../../core/box/check-stock.ts'
import { createFindSettings } from '../../../core/casino/settings.ts'
import { expirePrizes } from '../../../core/box/expire-prizes.ts'
import { warnExpiring } from '../../../core/prize/warn-expiring.ts'
import { at, createOperator, textAt } from '../../api/admin/operator.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import { eventually } from '../../support/eventually.ts'
import { delivery } from '../../support/factory.ts'
import type { TestCasino } from '../../support/factory.ts'
import { inParallel } from '../../support/in-parallel.ts'
import { startProcess } from '../../support/processes.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { createStockCasino } from '../../support/stocks.ts'
import { itInLongForm } from '../../support/runs.ts'

const dayMs = 24 * 3_600_000
const start = new Date('2027-03-01T12:00:00Z')
const inDays = (days: number) => new Date(start.getTime() + days * dayMs)

describe('prizes whose time to claim runs out', function () {
  this.timeout(60_000)
  let service: TestService
  let casino: TestCasino
  let now = start

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService({ clock: { now: () => now } })
    atEnd(() => service.stop())
  })
  beforeEach(async () => {
    now = start
    await service.database.prize.updateMany({ where: { state: 'won' }, data: { state: 'voided' } })
    casino = await service.factory.casino()
  })

  const deps = () => service.deps
  const expire = () => expirePrizes(deps())
  /** With a new settings reader, whose cache is empty. */
  const warn = () => warnExpiring({ ...deps(), findSettings: createFindSettings(service.deps) })
  const prize = (id: string, casinoId = casino.id) =>
    service.database.prize.findUniqueOrThrow({ where: { casinoId_id: { casinoId, id } } })
  const historyOf = async (prizeId: string, casinoId = casino.id) => {
    const events = await service.database.event.findMany({
      where: { casinoId, objectType: 'prize', objectId: prizeId },
      orderBy: { sequence: 'asc' },
    })
    return events.map((event) => [event.sequence, event.type, event.fromState, event.toState, event.data])
  }
  const givePrizes = async (count: number, expiresAt: Date) => {
    const given: Awaited<ReturnType<typeof service.factory.prize>>[] = []
    await inParallel(10, Array(count).keys(), async () => {
      given.push(await service.factory.prize(casino.id, { expiresAt }))
    })
    return given
  }
  const order = (given: { playerId: string; prizeId: string }) =>
    service.client.post('/prize/order', casino.apiKey, {
      player_id: given.playerId,
      prize_id: given.prizeId,
      ...delivery,
    })

  it('expire with their event, and no other prize does', async () => {
    const [over] = await givePrizes(1, inDays(1))
    const [later] = await givePrizes(1, inDays(2))
    const forever = await service.factory.prize(casino.id)
    const ordered = await service.factory.prize(casino.id, { state: 'ordered', expiresAt: inDays(1) })
    now = new Date(inDays(1).getTime() - 1)
    expect(await expire()).to.equal(0)
    now = inDays(1)
    expect(await expire()).to.equal(1)
    expect(await expire()).to.equal(0)

    const { state, revision, stockReturned } = await prize(over?.prizeId ?? '')
    expect({ state, revision, stockReturned }).to.deep.equal({
      state: 'expired',
      revision: 2,
      stockReturned: false,
    })
    expect(await historyOf(over?.prizeId ?? '')).to.deep.equal([
      [1, 'prize.won', null, 'won', null],
      [2, 'prize.expired', 'won', 'expired', { stock_returned: false }],
    ])
    expect((await prize(later?.prizeId ?? '')).state).to.equal('won')
    expect((await prize(forever.prizeId)).state).to.equal('won')
    expect((await prize(ordered.prizeId)).state).to.equal('ordered')
  })

  it('expire without a request while a worker runs', async () => {
    const [over] = await givePrizes(1, new Date(Date.now() - 1))
    const [soon] = await givePrizes(1, new Date(Date.now() + dayMs))
    const worker = await startProcess('worker', service.env)
    try {
      await eventually('one expired', async () => (await prize(over?.prizeId ?? '')).state === 'expired')
      await eventually(
        'one warned about',
        async () => (await prize(soon?.prizeId ?? '')).expiryWarnedAt !== null,
      )
    } finally {
      await worker.terminate()
    }
  })

  it('expire once each when many processes expire them at the same time, in bounded batches', async () => {
    await givePrizes(600, inDays(1))
    now = inDays(2)
    let expired = 0
    for (let round = 0; round < 20 && expired < 600; round++) {
      const counts = await Promise.all(Array.from({ length: 4 }, expire))
      expect(Math.max(...counts)).to.be.at.most(500)
      expired += counts.reduce((sum, count) => sum + count, 0)
    }
    expect(expired).to.equal(600)
    expect(await expire()).to.equal(0)
    const where = { casinoId: casino.id, type: 'prize.expired' }
    expect(await service.database.event.count({ where })).to.equal(600)
    expect(await service.database.prize.count({ where: { casinoId: casino.id, state: 'expired' } })).to.equal(
      600,
    )
  })

  describe('and their stock', () => {
    const boxOf = (casinoId: string, itemId: string, stock: number, fallbackItemId?: string) =>
      service.factory.box(casinoId, {
        entries: [{ itemId, weight: 1, stock }],
        ...(fallbackItemId === undefined ? {} : { fallbackItemId }),
        limit: { count: 1_000, period: 'lifetime' },
      })
    const open = (boxId: string, playerId: string, apiKey = casino.apiKey) =>
      service.client.post('/box/open', apiKey, { player_id: playerId, box_id: boxId })
    const remainingOf = async (boxId: string, casinoId = casino.id) =>
      (await service.database.boxStock.findMany({ where: { casinoId, boxId } })).map(
        (stock) => stock.remaining,
      )

    it('opens a box again that was closed because its stock had run out', async () => {
      const itemId = await service.factory.item(casino.id, { claimDays: 5 })
      const boxId = await boxOf(casino.id, itemId, 1)
      const won = await open(boxId, 'ann')
      expect(won.status, won.text).to.equal(200)
      expect((await open(boxId, 'bob')).headers.get('X-Error-Code')).to.equal('box_sold_out')
      now = inDays(5)
      expect(await expire()).to.equal(1)
      const expired = await prize(textAt(won, 'prize.id'))
      expect([expired.state, expired.stockReturned]).to.deep.equal(['expired', true])
      expect(await findStockDifferences(service.database, casino.id)).to.deep.equal([])
      expect((await open(boxId, 'bob')).status).to.equal(200)
      expect(await remainingOf(boxId)).to.deep.equal([0])
    })

    it('returns exactly the units that were taken: none for the fallback or for a prize that was given', async () => {
      const limited = await service.factory.item(casino.id, { claimDays: 5 })
      const fallback = await service.factory.item(casino.id, { claimDays: 5 })
      const boxId = await boxOf(casino.id, limited, 2, fallback)
      for (const player of ['a', 'b', 'c', 'd', 'e']) expect((await open(boxId, player)).status).to.equal(200)
      await service.factory.prize(casino.id, { expiresAt: inDays(5) })
      now = inDays(5)
      expect(await expire()).to.equal(6)
      expect(await remainingOf(boxId)).to.deep.equal([2])
      const returned = await service.database.prize.count({
        where: { casinoId: casino.id, stockReturned: true },
      })
      expect(returned).to.equal(2)
      expect(await findStockDifferences(service.database, casino.id)).to.deep.equal([])
    })

    it('returns to the version that continues with the stock', async () => {
      const itemId = await service.factory.item(casino.id, { claimDays: 5 })
      const boxId = await boxOf(casino.id, itemId, 3)
      await open(boxId, 'ann')
      const operator = createOperator(service.client, casino.apiKey)
      const published = await operator.put(`/${casino.id}/boxes/${boxId}`, {
        name: 'Second',
        access: 'limited',
        limit: { count: 1_000, period: 'lifetime' },
        entries: [{ item_id: itemId, weight: 1, stock: 7 }],
      })
      expect(published.status, published.text).to.equal(200)
      now = inDays(5)
      expect(await expire()).to.equal(1)
      const stocks = await service.database.boxStock.findMany({
        where: { boxId },
        orderBy: { version: 'asc' },
      })
      expect(stocks.map(({ version, remaining }) => [version, remaining])).to.deep.equal([
        [1, 0],
        [2, 7],
      ])
      expect(await findStockDifferences(service.database, casino.id)).to.deep.equal([])
    })

    itInLongForm('adds up while boxes are opened and prizes expire at the same time', async () => {
      const stocks = await createStockCasino(service.database, service.factory)
      await service.database.item.updateMany({ where: { casinoId: stocks.id }, data: { claimDays: 1 } })
      const boxId = await stocks.publish([40, 20])
      let isOpening = true
      let expired = 0
      const expiring = (async () => {
        // The clock advances in every turn, so that prizes won in one turn expire in a later one.
        while (isOpening) {
          now = new Date(now.getTime() + dayMs / 4)
          expired += await expire()
        }
      })()
      await stocks.openFor([service.client], boxId, 400)
      isOpening = false
      await expiring
      expect(await findStockDifferences(service.database, stocks.id)).to.deep.equal([])
      now = new Date(now.getTime() + 2 * dayMs)
      for (let count = await expire(); count > 0; count = await expire()) expired += count
      expect(expired).to.be.at.least(60)
      expect(await stocks.readRemaining(boxId)).to.deep.equal([40, 20])
      expect(await findStockDifferences(service.database, stocks.id)).to.deep.equal([])
    })
  })

  it('are either ordered or expired when both happen at the same moment', async () => {
    const given = await givePrizes(60, inDays(400))
    // A process with a slow clock still takes orders, while by the other clock the prizes have expired.
    now = new Date(inDays(1).getTime() - 1)
    const lastDay = (time: Date) => ({ ...service.deps, clock: { now: () => time } })
    let ordered = 0
    for (const [index, { playerId, prizeId }] of given.entries()) {
      const over = inDays(2 + index)
      await service.database.prize.updateMany({ where: { id: prizeId }, data: { expiresAt: over } })
      const expireSoon = async () => {
        // After a few rounds or none, so that the two meet at different points.
        for (let round = 0; round < index % 5; round++) await expirePrizes(lastDay(now))
        return expirePrizes(lastDay(over))
      }
      const [reply, expired] = await Promise.all([order({ playerId, prizeId }), expireSoon()])
      if (reply.status === 200) ordered += 1
      else expect([reply.status, expired], reply.text).to.deep.equal([404, 1])
    }
    const where = { casinoId: casino.id }
    expect(await service.database.prizeOrder.count({ where })).to.equal(ordered)
    expect(await service.database.prize.count({ where: { ...where, state: 'ordered' } })).to.equal(ordered)
    expect(await service.database.prize.count({ where: { ...where, state: 'expired' } })).to.equal(
      given.length - ordered,
    )
    expect(ordered, 'orders that came first').to.be.within(1, given.length - 1)
  })

  it('are left alone while another process locks them, and the others expire', async () => {
    const [held, free] = await givePrizes(2, inDays(1))
    now = inDays(1)
    await service.database.$transaction(async (transaction) => {
      await transaction.$queryRaw`SELECT id FROM prize WHERE id = ${held?.prizeId ?? ''}::text FOR UPDATE`
      expect(await expire()).to.equal(1)
    })
    expect((await prize(free?.prizeId ?? '')).state).to.equal('expired')
    expect(await expire()).to.equal(1)
    expect((await prize(held?.prizeId ?? '')).state).to.equal('expired')
  })

  describe('before', () => {
    it('are warned about once, three days before unless their casino has another setting', async () => {
      const [given] = await givePrizes(1, inDays(10))
      const id = given?.prizeId ?? ''
      now = new Date(inDays(7).getTime() - 1)
      expect(await warn()).to.equal(0)
      now = inDays(7)
      const counts = await Promise.all([warn(), warn(), warn()])
      expect(counts.sort()).to.deep.equal([0, 0, 1])
      expect(await warn()).to.equal(0)
      expect(await historyOf(id)).to.deep.equal([
        [1, 'prize.won', null, 'won', null],
        [2, 'prize.expiring', 'won', 'won', { expires_at: inDays(10).toISOString() }],
      ])
      expect((await order(given ?? { playerId: '', prizeId: '' })).status).to.equal(200)
    })

    it('are warned about as each casino has configured, or not at all', async () => {
      const others = await Promise.all([service.factory.casino(), service.factory.casino()])
      const [early, never] = others
      for (const [{ id, apiKey }, days] of [
        [early, 30],
        [never, 0],
      ] as const) {
        const operator = createOperator(service.client, apiKey)
        await operator.put(`/${id}/settings/expiry`, { warn_days: days })
      }
      for (const { id } of [casino, early, never]) {
        await service.factory.prize(id, { prizeId: 'p', expiresAt: inDays(20) })
      }
      expect(await warn()).to.equal(1)
      expect((await historyOf('p', early.id)).map(([, type]) => type)).to.deep.equal([
        'prize.won',
        'prize.expiring',
      ])
      now = inDays(19)
      expect(await warn()).to.equal(1)
      expect((await historyOf('p', never.id)).map(([, type]) => type)).to.deep.equal(['prize.won'])
    })

    it('are not warned about when they are claimed, expired, or not a win', async () => {
      await service.factory.prize(casino.id, { state: 'ordered', expiresAt: inDays(1) })
      await service.factory.prize(casino.id, { kind: 'none', expiresAt: inDays(1) })
      await service.factory.prize(casino.id, { expiresAt: inDays(0) })
      await service.factory.prize(casino.id)
      expect(await warn()).to.equal(0)
    })

    it('are warned about although another casino’s setting cannot be read', async () => {
      const broken = await service.factory.casino()
      const data = { name: 'expiry', value: { warn_days: 'soon' }, updatedAt: now }
      await service.database.casinoSetting.create({ data: { casinoId: broken.id, ...data } })
      const [given] = await givePrizes(1, inDays(1))
      const failure = await warn().then(
        () => 'none',
        (error: unknown) => String(error),
      )
      expect(failure).to.include('the setting "expiry" of 1 casinos cannot be read')
      expect(await historyOf(given?.prizeId ?? '')).to.have.length(2)
      await service.database.casinoSetting.deleteMany({ where: { casinoId: broken.id } })
    })
  })

  it('can be claimed for another week when they are given back after their time ran out, with another warning', async () => {
    const [given] = await givePrizes(1, inDays(10))
    if (given === undefined) throw new Error('no prize')
    now = inDays(9)
    expect(await warn()).to.equal(1)
    expect((await order(given)).status).to.equal(200)
    now = inDays(20)
    expect(await expire()).to.equal(0)
    const operator = createOperator(service.client, casino.apiKey)
    const orders = await operator.get(`/${casino.id}/orders`)
    const rejected = await operator.post(`/${casino.id}/orders/${textAt(orders, 'data.0.order_id')}/reject`)
    expect(at(rejected, 'data.state'), rejected.text).to.equal('rejected')
    expect(await expire()).to.equal(0)
    const back = await prize(given.prizeId)
    expect([back.state, back.expiresAt]).to.deep.equal(['won', inDays(27)])
    now = inDays(24)
    expect(await warn()).to.equal(1)
    now = inDays(27)
    expect(await expire()).to.equal(1)
    expect((await historyOf(given.prizeId)).map(([, type]) => type)).to.deep.equal([
      'prize.won',
      'prize.expiring',
      'prize.ordered',
      'prize.returned',
      'prize.expiring',
      'prize.expired',
    ])
  })
})
