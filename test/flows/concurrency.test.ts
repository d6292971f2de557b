import { expect } from 'chai'
import { delivery } from '../support/factory.ts'
import type { TestCasino } from '../support/factory.ts'
import type { Reply } from '../support/client.ts'
import { startService } from '../support/service.ts'
import type { TestService } from '../support/service.ts'

/** Two API processes' worth of connections, batches and caches on one database. */
describe('many at once, through two APIs', () => {
  let first: TestService
  let second: TestService
  let casino: TestCasino

  before(async () => {
    first = await startService()
    second = await startService({ env: first.env })
    casino = await first.factory.casino()
  })
  after(async () => {
    await second.stop()
    await first.stop()
  })

  const post = (index: number, path: string, body: unknown, headers: Record<string, string> = {}) =>
    (index % 2 === 0 ? first : second).client.post(path, casino.apiKey, body, headers)
  const times = (count: number, send: (index: number) => Promise<Reply>) =>
    Promise.all(Array.from({ length: count }, (_, index) => send(index)))
  const statuses = (replies: readonly Reply[]) => {
    const counts: Record<number, number> = {}
    for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1
    return counts
  }

  it('lets one of 400 orders and cashbacks of the same prize win [prize-one-fate]', async () => {
    const { prizeId, playerId } = await first.factory.prize(casino.id)
    const request = { player_id: playerId, prize_id: prizeId }
    const replies = await times(400, (i) =>
      i % 4 < 2 ? post(i, '/prize/order', { ...request, ...delivery }) : post(i, '/prize/cashback', request),
    )
    expect(statuses(replies)).to.deep.equal({ 200: 1, 404: 399 })
    const orders = await first.database.prizeOrder.count({ where: { prizeId } })
    const cashbacks = await first.database.cashback.count({ where: { prizeId } })
    expect(orders + cashbacks).to.equal(1)
    expect(await first.database.outbox.count()).to.equal(1)
  })

  it('takes every one of 600 different prizes exactly once', async () => {
    const prizes = await Promise.all(Array.from({ length: 300 }, () => first.factory.prize(casino.id)))
    const twice = [...prizes, ...prizes]
    const replies = await times(600, (i) => {
      const { prizeId, playerId } = twice[i] ?? { prizeId: '', playerId: '' }
      return post(i, '/prize/order', { player_id: playerId, prize_id: prizeId, ...delivery })
    })
    expect(statuses(replies)).to.deep.equal({ 200: 300, 404: 300 })
    const prizeIds = prizes.map((prize) => prize.prizeId)
    expect(await first.database.prizeOrder.count({ where: { prizeId: { in: prizeIds } } })).to.equal(300)
  })

  it('never gives more of an entry than its stock, and the fallback from then on [box-stock]', async () => {
    const mug = await first.factory.item(casino.id)
    const nothing = await first.factory.item(casino.id, { kind: 'none', cashback: null })
    const boxId = await first.factory.box(casino.id, {
      entries: [{ itemId: mug, weight: 1, stock: 37 }],
      fallbackItemId: nothing,
      limit: { count: 1, period: 'lifetime' },
    })
    const replies = await times(300, (i) => post(i, '/box/open', { player_id: `p${i}`, box_id: boxId }))
    expect(statuses(replies)).to.deep.equal({ 200: 300 })
    const won = (itemId: string) => first.database.opening.count({ where: { boxId, itemId } })
    expect([await won(mug), await won(nothing)]).to.deep.equal([37, 263])
    expect(await first.database.opening.count({ where: { boxId, substituted: true } })).to.equal(263)
    const stock = await first.database.boxStock.findFirstOrThrow({ where: { boxId } })
    expect(stock.remaining).to.equal(0)
  })

  it('closes a box without a fallback when its stock is used up [box-404-sold-out]', async () => {
    const mug = await first.factory.item(casino.id)
    const boxId = await first.factory.box(casino.id, {
      entries: [{ itemId: mug, weight: 1, stock: 10 }],
      limit: { count: 1, period: 'lifetime' },
    })
    const replies = await times(60, (i) => post(i, '/box/open', { player_id: `p${i}`, box_id: boxId }))
    expect(statuses(replies)).to.deep.equal({ 200: 10, 404: 50 })
  })

  it('uses each of a player’s grants exactly once', async () => {
    const itemId = await first.factory.item(casino.id)
    const boxId = await first.factory.box(casino.id, { entries: [{ itemId, weight: 1 }] })
    for (const count of [3, 4]) await first.factory.grant(casino.id, 'greedy', boxId, count)
    const replies = await times(60, (i) => post(i, '/box/open', { player_id: 'greedy', box_id: boxId }))
    expect(statuses(replies)).to.deep.equal({ 200: 7, 404: 53 })
    const openings = await first.database.opening.findMany({ where: { boxId }, orderBy: { sequence: 'asc' } })
    expect(openings.map((opening) => opening.sequence)).to.deep.equal([1n, 2n, 3n, 4n, 5n, 6n, 7n])
    const grants = await first.database.grant.findMany({ where: { boxId } })
    expect(grants.every((grant) => grant.used === grant.count)).to.equal(true)
  })

  it('keeps to a player’s limit [box-404-limit]', async () => {
    const itemId = await first.factory.item(casino.id)
    const limit = { count: 5, period: 'day' as const }
    const boxId = await first.factory.box(casino.id, { entries: [{ itemId, weight: 1 }], limit })
    const replies = await times(60, (i) => post(i, '/box/open', { player_id: 'eager', box_id: boxId }))
    expect(statuses(replies)).to.deep.equal({ 200: 5, 404: 55 })
  })

  it('gives one answer to one idempotency key, however many ask at once [key-concurrent]', async () => {
    const itemId = await first.factory.item(casino.id)
    const boxId = await first.factory.box(casino.id, { entries: [{ itemId, weight: 1 }] })
    await first.factory.grant(casino.id, 'careful', boxId, 100)
    const body = { player_id: 'careful', box_id: boxId }
    const replies = await times(100, (i) => post(i, '/box/open', body, { 'Idempotency-Key': 'one-key' }))
    expect(statuses(replies)).to.deep.equal({ 200: 100 })
    expect(new Set(replies.map((reply) => reply.text)).size).to.equal(1)
    expect(await first.database.opening.count({ where: { boxId } })).to.equal(1)
  })

  it('lets one of several different requests have an idempotency key [key-422-concurrent]', async () => {
    const prizes = await Promise.all(Array.from({ length: 40 }, () => first.factory.prize(casino.id)))
    const replies = await times(40, (i) => {
      const { prizeId, playerId } = prizes[i] ?? { prizeId: '', playerId: '' }
      const body = { player_id: playerId, prize_id: prizeId, ...delivery }
      return post(i, '/prize/order', body, { 'Idempotency-Key': 'wanted-by-many' })
    })
    expect(statuses(replies)).to.deep.equal({ 200: 1, 422: 39 })
    const prizeIds = prizes.map((prize) => prize.prizeId)
    expect(await first.database.prizeOrder.count({ where: { prizeId: { in: prizeIds } } })).to.equal(1)
  })
})
