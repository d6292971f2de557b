import { expect } from 'chai'
import { createRoutes } from '../../api/routes.ts'
import type { Route } from '../../api/route.ts'
import { fieldOf, listAt, textAt } from '../api/admin/operator.ts'
import { atEndOfSuite } from '../support/at-end.ts'
import { auditTables, dumpCasino, endpointUrl } from '../support/casino-world.ts'
import type { Reply } from '../support/client.ts'
import { eventually } from '../support/eventually.ts'
import { delivery } from '../support/factory.ts'
import { startService } from '../support/service.ts'
import type { TestService } from '../support/service.ts'

interface Casino {
  id: string
  apiKey: string
}

/** Numbers that differ from casino to casino, because the names are the same. */
interface Measure {
  amount: number
  openings: number
  prizes: number
}

/** Routes whose answers depend on when and by whom they were asked. */
const unsteady = ['/admin/casinos/:casino_id/audit', '/admin/casinos/:casino_id/api-keys']

/** Casinos choose the ids of players, items, boxes, prizes, grants and endpoints: sooner or later two choose the same. */
describe('casinos that use the same names for everything', function () {
  this.timeout(60_000)
  let service: TestService
  let casino: Casino
  let others: Casino[]

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
    casino = await service.factory.casino()
    const testKey = await send(casino, 'POST', `/admin/casinos/${casino.id}/api-keys`, {
      mode: 'test',
      scopes: ['play', 'manage'],
    })
    others = [
      { id: `${casino.id}:test`, apiKey: textAt(testKey, 'data.api_key') },
      await service.factory.casino(),
    ]
    await fill(casino, { amount: 500, openings: 1, prizes: 3 })
  })

  async function send({ apiKey }: Casino, method: string, path: string, body?: object): Promise<Reply> {
    return service.client.send(method, path, {
      headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  }
  const prizeOf = (number: number) => ({ player_id: 'ann', prize_id: `prize-${number}` })
  const statusOf = async (reply: Promise<Reply>) => (await reply).status

  /** Makes one of everything that a player or a casino can have, with a credited cashback. */
  async function fill(one: Casino, { amount, openings, prizes }: Measure): Promise<void> {
    const admin = `/admin/casinos/${one.id}`
    const make = async (method: string, path: string, body: object) => {
      const reply = await send(one, method, path, body)
      expect(reply.status, `${method} ${path}: ${reply.text}`).to.be.oneOf([200, 201])
    }
    await make('PUT', `${admin}/items/mug`, {
      name: `Mug for ${amount}`,
      kind: 'physical',
      cashback: { amount_minor: amount, currency: 'EUR' },
    })
    const entries = [{ item_id: 'mug', weight: 1, stock: 100 + amount }]
    const limit = { count: 3, period: 'lifetime' }
    await make('PUT', `${admin}/boxes/limited`, { name: `${amount}`, access: 'limited', limit, entries })
    await make('PUT', `${admin}/boxes/granted`, { name: `${amount}`, access: 'granted', entries })
    await make('POST', `${admin}/grants`, {
      grants: [{ grant_id: 'grant', player_id: 'ann', box_id: 'granted', count: openings + 1 }],
    })
    await make('PUT', '/fairness/players/ann/client-seed', { client_seed: `seed ${amount}` })
    for (let count = 0; count < openings; count++) {
      for (const box_id of ['limited', 'granted'])
        await make('POST', '/box/open', { player_id: 'ann', box_id })
    }
    for (let count = 1; count <= prizes; count++) {
      await make('POST', `${admin}/prizes`, { ...prizeOf(count), item_id: 'mug' })
    }
    await make('POST', '/prize/order', { ...prizeOf(1), ...delivery, additional_notes: `note ${amount}` })
    for (let count = 2; count < prizes; count++) await make('POST', '/prize/cashback', prizeOf(count))
    await make('PUT', `${admin}/settings/expiry`, { warn_days: openings })
    const worker = service.startWorker()
    await service.drain()
    await worker.stop()
    await make('PUT', `${admin}/webhook-endpoints/main`, { url: endpointUrl })
    const { id: orderId } = await service.database.prizeOrder.findFirstOrThrow({
      where: { casinoId: one.id },
    })
    await make('POST', `${admin}/acts`, { action: 'order.confirm', object_ids: [orderId] })
  }

  /** Every answer that the casino can get without changing anything. */
  async function readAll(routes: readonly Route[]): Promise<Map<string, string>> {
    const where = { where: { casinoId: casino.id }, orderBy: { id: 'asc' } } as const
    const { database } = service
    const ids: Record<string, string> = {
      casino_id: casino.id,
      item_id: 'mug',
      box_id: 'limited',
      prize_id: 'prize-1',
      player_id: 'ann',
      endpoint_id: 'main',
      name: 'expiry',
      order_id: (await database.prizeOrder.findFirstOrThrow(where)).id,
      cashback_id: (await database.cashback.findFirstOrThrow(where)).id,
      event_id: await eventually('the feed shows an event', async () => {
        const [event] = listAt(await send(casino, 'GET', `/admin/casinos/${casino.id}/events`))
        return event !== undefined && String(fieldOf([event], 'id')[0])
      }),
      act_id: (await database.act.findFirstOrThrow(where)).id,
      opening_id: (await database.opening.findFirstOrThrow(where)).id,
      entry_id: (await database.auditEntry.findFirstOrThrow(where)).id,
      seed_id: (await database.serverSeed.findFirstOrThrow(where)).id,
    }
    const answers = new Map<string, string>()
    for (const { path } of routes) {
      const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(ids[name] ?? ''))
      for (const query of ['', '?player_id=ann']) {
        const reply = await send(casino, 'GET', filled + query)
        if (query === '') expect(reply.status, `${filled}: ${reply.text}`).to.equal(200)
        // The start of the feed moves with the clock.
        answers.set(filled + query, reply.text.replace(/"complete_since":"[^"]*"/, ''))
      }
    }
    return answers
  }

  it('read only their own objects, although others have the same names', async () => {
    const routes = createRoutes(service.deps, () => false).filter(
      (route) =>
        route.method === 'GET' &&
        (route.for === 'casinos' || (route.for === 'operators' && route.path.includes(':casino_id'))) &&
        !unsteady.includes(route.path),
    )
    const before = await readAll(routes)
    expect(before.size).to.be.greaterThan(40)
    const balance = `/admin/casinos/${casino.id}/players/ann/balance`
    expect(before.get(balance), 'or this proves nothing').to.contain('500')
    const exported = async () => {
      const reply = await send(casino, 'POST', `/admin/casinos/${casino.id}/players/ann/export`, {})
      return reply.text.replaceAll(/"(exported_at|next_cursor|cursor)":"[^"]*"/g, '')
    }
    const exportedBefore = await exported()
    for (const [index, other] of others.entries()) {
      await fill(other, { amount: 70_001 + index, openings: 3, prizes: 6 })
    }
    const after = await readAll(routes)
    for (const [path, answer] of before) expect(after.get(path), path).to.equal(answer)
    expect(await exported()).to.equal(exportedBefore)
  })

  it('change only their own objects', async () => {
    const dumpOthers = () => Promise.all(others.map(({ id }) => dumpCasino(service, id, auditTables)))
    const before = await dumpOthers()
    const admin = `/admin/casinos/${casino.id}`
    const open = (box_id: string) => statusOf(send(casino, 'POST', '/box/open', { player_id: 'ann', box_id }))
    // The player of the same name has used up the first at the other casinos, and can open the second as often.
    expect([await open('limited'), await open('limited'), await open('limited')]).to.deep.equal([
      200, 200, 404,
    ])
    expect([await open('granted'), await open('granted')]).to.deep.equal([200, 404])
    // At the other casinos the prizes with these numbers are ordered or paid out.
    expect(await statusOf(send(casino, 'POST', '/prize/order', { ...prizeOf(3), ...delivery }))).to.equal(200)
    expect(await statusOf(send(casino, 'POST', '/prize/cashback', prizeOf(1)))).to.equal(404)
    expect(await statusOf(send(casino, 'POST', '/prize/order', { ...prizeOf(6), ...delivery }))).to.equal(404)
    for (const [method, path, body] of [
      ['PUT', '/fairness/players/ann/client-seed', { client_seed: 'another' }],
      ['PUT', `${admin}/settings/expiry`, { warn_days: 9 }],
      ['POST', `${admin}/webhook-endpoints/main/disable`, {}],
      ['POST', `${admin}/webhook-endpoints/main/replay`, { only_failed: true }],
      ['DELETE', `${admin}/webhook-endpoints/main`, undefined],
      ['POST', `${admin}/players/ann/erase`, { reason: 'asked for' }],
    ] as const) {
      const reply = await send(casino, method, path, body)
      expect(reply.status, `${method} ${path}: ${reply.text}`).to.be.oneOf([200, 409])
    }
    const worker = service.startWorker()
    await service.drain()
    await worker.stop()
    const after = await dumpOthers()
    for (const [index, dump] of before.entries()) {
      for (const [table, rows] of dump) expect(after[index]?.get(table), table).to.equal(rows)
    }
  })
})
