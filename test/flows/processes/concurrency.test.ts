import { expect } from 'chai'
import { openDatabase } from '../../../core/platform/database.ts'
import type { Database, OpenDatabase } from '../../../core/platform/database.ts'
import { createLogger } from '../../../core/platform/logger.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import { createClient } from '../../support/client.ts'
import type { Client, Reply } from '../../support/client.ts'
import { createTestEnv } from '../../support/config.ts'
import { createFactory, delivery } from '../../support/factory.ts'
import type { Factory, TestCasino } from '../../support/factory.ts'
import { startProcess } from '../../support/processes.ts'
import type { ServiceProcess } from '../../support/processes.ts'

/** Two processes, as in production: they know of each other only through the database. */
describe('concurrent requests through two API processes', function () {
  this.timeout(60_000)
  const apis: ServiceProcess[] = []
  let clients: Client[]
  let open: OpenDatabase
  let database: Database
  let factory: Factory
  let casino: TestCasino

  const atEnd = atEndOfSuite()
  before(async () => {
    const env = await createTestEnv('postgres')
    open = openDatabase({ url: env['DATABASE_URL'] ?? '', poolMax: 5, log: createLogger('test', 'silent') })
    atEnd(() => open.close())
    database = open.database
    factory = createFactory(database, env['HASH_SECRET'] ?? '')
    casino = await factory.casino()
    for (let count = 0; count < 2; count++) {
      const api = await startProcess('api', env)
      apis.push(api)
      atEnd(() => api.terminate())
    }
    clients = apis.map((api) => createClient(api.url))
  })

  const post = (index: number, path: string, body: unknown, headers: Record<string, string> = {}) => {
    const client = clients[index % clients.length]
    if (client === undefined) throw new Error('no API runs')
    return client.post(path, casino.apiKey, body, headers)
  }
  const times = (count: number, send: (index: number) => Promise<Reply>) =>
    Promise.all(Array.from({ length: count }, (_, index) => send(index)))
  const statuses = (replies: readonly Reply[]) => {
    const counts: Record<number, number> = {}
    for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1
    return counts
  }

  it('let one of 200 orders and cashbacks of the same prize win [prize-one-fate]', async () => {
    const { prizeId, playerId } = await factory.prize(casino.id)
    const request = { player_id: playerId, prize_id: prizeId }
    const replies = await times(200, (i) =>
      i % 4 < 2 ? post(i, '/prize/order', { ...request, ...delivery }) : post(i, '/prize/cashback', request),
    )
    expect(statuses(replies)).to.deep.equal({ 200: 1, 404: 199 })
    const orders = await database.prizeOrder.count({ where: { prizeId } })
    const cashbacks = await database.cashback.count({ where: { prizeId } })
    expect(orders + cashbacks).to.equal(1)
    expect(await database.outbox.count()).to.equal(1)
  })

  it('take each of 150 prizes exactly once when each is ordered twice', async () => {
    const prizes = await Promise.all(Array.from({ length: 150 }, () => factory.prize(casino.id)))
    const twice = [...prizes, ...prizes]
    const replies = await times(300, (i) => {
      const { prizeId, playerId } = twice[i] ?? { prizeId: '', playerId: '' }
      return post(i, '/prize/order', { player_id: playerId, prize_id: prizeId, ...delivery })
    })
    expect(statuses(replies)).to.deep.equal({ 200: 150, 404: 150 })
    const prizeIds = prizes.map((prize) => prize.prizeId)
    expect(await database.prizeOrder.count({ where: { prizeId: { in: prizeIds } } })).to.equal(150)
  })

  it('never get more of an entry than its stock, and the fallback from then on [box-stock]', async () => {
    const mug = await factory.item(casino.id)
    const nothing = await factory.item(casino.id, { kind: 'none', cashback: null })
    const boxId = await factory.box(casino.id, {
      entries: [{ itemId: mug, weight: 1, stock: 37 }],
      fallbackItemId: nothing,
      limit: { count: 1, period: 'lifetime' },
    })
    const replies = await times(300, (i) => post(i, '/box/open', { player_id: `p${i}`, box_id: boxId }))
    expect(statuses(replies)).to.deep.equal({ 200: 300 })
    const won = (itemId: string) => database.opening.count({ where: { boxId, itemId } })
    expect([await won(mug), await won(nothing)]).to.deep.equal([37, 263])
    expect(await database.opening.count({ where: { boxId, substituted: true } })).to.equal(263)
    const stock = await database.boxStock.findFirstOrThrow({ where: { boxId } })
    expect(stock.remaining).to.equal(0)
  })

  it('close a box without a fallback when its stock is used up [box-404-sold-out]', async () => {
    const mug = await factory.item(casino.id)
    const boxId = await factory.box(casino.id, {
      entries: [{ itemId: mug, weight: 1, stock: 10 }],
      limit: { count: 1, period: 'lifetime' },
    })
    const replies = await times(60, (i) => post(i, '/box/open', { player_id: `p${i}`, box_id: boxId }))
    expect(statuses(replies)).to.deep.equal({ 200: 10, 404: 50 })
  })

  it('use each of a player’s grants exactly once', async () => {
    const itemId = await factory.item(casino.id)
    const boxId = await factory.box(casino.id, { entries: [{ itemId, weight: 1 }] })
    for (const count of [3, 4]) await factory.grant(casino.id, 'greedy', boxId, count)
    const replies = await times(60, (i) => post(i, '/box/open', { player_id: 'greedy', box_id: boxId }))
    expect(statuses(replies)).to.deep.equal({ 200: 7, 404: 53 })
    const openings = await database.opening.findMany({ where: { boxId }, orderBy: { sequence: 'asc' } })
    expect(openings.map((opening) => opening.sequence)).to.deep.equal([1n, 2n, 3n, 4n, 5n, 6n, 7n])
    const grants = await database.grant.findMany({ where: { boxId } })
    expect(grants.every((grant) => grant.used === grant.count)).to.equal(true)
  })

  it('stay within a player’s limit [box-404-limit]', async () => {
    const itemId = await factory.item(casino.id)
    const limit = { count: 5, period: 'day' as const }
    const boxId = await factory.box(casino.id, { entries: [{ itemId, weight: 1 }], limit })
    const replies = await times(60, (i) => post(i, '/box/open', { player_id: 'eager', box_id: boxId }))
    expect(statuses(replies)).to.deep.equal({ 200: 5, 404: 55 })
  })

  it('get one answer for one idempotency key [key-concurrent]', async () => {
    const itemId = await factory.item(casino.id)
    const boxId = await factory.box(casino.id, { entries: [{ itemId, weight: 1 }] })
    await factory.grant(casino.id, 'careful', boxId, 100)
    const body = { player_id: 'careful', box_id: boxId }
    const replies = await times(100, (i) => post(i, '/box/open', body, { 'Idempotency-Key': 'one-key' }))
    expect(statuses(replies)).to.deep.equal({ 200: 100 })
    expect(new Set(replies.map((reply) => reply.text)).size).to.equal(1)
    expect(await database.opening.count({ where: { boxId } })).to.equal(1)
  })

  it('let one of several different requests have an idempotency key [key-422-concurrent]', async () => {
    const prizes = await Promise.all(Array.from({ length: 40 }, () => factory.prize(casino.id)))
    const replies = await times(40, (i) => {
      const { prizeId, playerId } = prizes[i] ?? { prizeId: '', playerId: '' }
      const body = { player_id: playerId, prize_id: prizeId, ...delivery }
      return post(i, '/prize/order', body, { 'Idempotency-Key': 'wanted-by-many' })
    })
    expect(statuses(replies)).to.deep.equal({ 200: 1, 422: 39 })
    const prizeIds = prizes.map((prize) => prize.prizeId)
    expect(await database.prizeOrder.count({ where: { prizeId: { in: prizeIds } } })).to.equal(1)
  })
})
