import { expect } from 'chai'
import { sql } from '../../../core/platform/sql.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import { atOnce } from '../../support/at-once.ts'
import type { Reply } from '../../support/client.ts'
import { changeAsOwner } from '../../support/owner.ts'
import { adminApiKey } from '../../support/config.ts'
import type { TestCasino } from '../../support/factory.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { at, createOperator } from '../../api/admin/operator.ts'
import type { TestOperator } from '../../api/admin/operator.ts'

const quotas = {
  items: 6,
  boxes: 3,
  entries: 5,
  entries_per_day: 14,
  players: 4,
  webhook_endpoints: 2,
  seeds_per_day: 5,
}

describe('quotas', () => {
  let service: TestService
  let casino: TestCasino
  let operator: TestOperator

  const atEnd = atEndOfSuite()
  before(async () => {
    const list = Object.entries(quotas).map(([name, number]) => `${name}=${number}`)
    service = await startService({ env: { QUOTAS: list.join() } })
    atEnd(() => service.stop())
  })
  beforeEach(async () => {
    casino = await service.factory.casino()
    operator = createOperator(service.client, casino.apiKey)
  })

  const path = (rest: string) => `/${casino.id}${rest}`
  const putItem = (id: string) => operator.put(path(`/items/${id}`), { name: id, kind: 'physical' })
  const putBox = (id: string, entries: number) =>
    operator.put(path(`/boxes/${id}`), {
      name: `${id} of ${entries}`,
      access: 'granted',
      entries: Array.from({ length: entries }, () => ({ item_id: 'mug', weight: 1 })),
    })
  const statusesOf = async (replies: readonly Promise<Reply>[]) =>
    (await Promise.all(replies)).map(({ status }) => status).sort()
  const codeOf = (reply: Reply) => reply.headers.get('X-Error-Code')
  /** Each of the requests has found room before the first of them takes any. */
  const bothFindRoom = async (...ask: (() => Promise<Reply>)[]) => {
    const heldCasino = sql`SELECT id FROM casino WHERE id = ${casino.id}::text FOR UPDATE`
    const replies = await atOnce(service.database, heldCasino, ask)
    expect(replies.map(codeOf).sort()).to.deep.equal([null, 'quota_exceeded'])
  }
  const nine = Array.from({ length: 9 }, (_, index) => String(index))

  it('refuse one item too many, also among concurrent requests, and no change of existing items', async () => {
    const statuses = await statusesOf(nine.map(putItem))
    expect(statuses).to.deep.equal([...Array.from({ length: 6 }, () => 200), 409, 409, 409])
    const refused = await putItem('more')
    expect([refused.status, codeOf(refused)]).to.deep.equal([409, 'quota_exceeded'])
    expect(at(refused, 'message')).to.equal(
      'The casino has reached its quota of 6 items: reuse existing ones, or ask the operator for a larger quota',
    )
    const there = await service.database.item.findFirstOrThrow({ where: { casinoId: casino.id } })
    expect((await putItem(there.id)).status).to.equal(200)
  })

  it('refuse one box too many, and too many entries in all boxes together', async () => {
    await putItem('mug')
    expect(await statusesOf(nine.map((id) => putBox(id, 1)))).to.deep.equal([
      ...Array.from({ length: 3 }, () => 200),
      ...Array.from({ length: 6 }, () => 409),
    ])
    const [first, second] = await service.database.box.findMany({ where: { casinoId: casino.id } })
    expect((await putBox(first?.id ?? '', 3)).status, 'five in all').to.equal(200)
    expect(codeOf(await putBox(second?.id ?? '', 2))).to.equal('quota_exceeded')
    expect((await putBox(first?.id ?? '', 2)).status, 'fewer').to.equal(200)
    expect((await putBox(second?.id ?? '', 2)).status, 'replaced ones do not count').to.equal(200)
  })

  it('refuse more entries in a day than versions may have, however they replace each other', async () => {
    await putItem('mug')
    for (const count of [5, 4, 5]) expect((await putBox('box', count)).status).to.equal(200)
    expect(at(await putBox('box', 1), 'message')).to.equal(
      'The casino has reached its quota of 14 entries published within a day: reuse existing ones, or ask the operator for a larger quota',
    )
    await changeAsOwner(
      service.database,
      sql`UPDATE box_version SET created_at = created_at - interval '1 day'
           WHERE casino_id = ${casino.id}::text AND version = 1`,
    )
    expect((await putBox('box', 1)).status).to.equal(200)
  })

  it('refuse new players, and never existing ones', async () => {
    await putItem('mug')
    await putBox('box', 1)
    const grant = (...players: string[]) =>
      operator.post(path('/grants'), {
        grants: players.map((player_id) => ({ player_id, box_id: 'box', count: 1 })),
      })
    const give = (player_id: string) => operator.post(path('/prizes'), { player_id, item_id: 'mug' })
    expect((await grant('a', 'b', 'c')).status).to.equal(200)
    expect(codeOf(await grant('a', 'd', 'e'))).to.equal('quota_exceeded')
    expect((await give('d')).status).to.equal(201)
    expect(codeOf(await give('e'))).to.equal('quota_exceeded')
    expect((await grant('a', 'b', 'c', 'd')).status).to.equal(200)
    expect(await service.database.player.count({ where: { casinoId: casino.id } })).to.equal(4)
  })

  it('hold for items, boxes and entries when two requests have found room before either has taken it', async () => {
    for (const id of ['mug', ...nine.slice(0, 4)]) await putItem(id)
    await bothFindRoom(
      () => putItem('one'),
      () => putItem('other'),
    )
    for (const id of ['a', 'b']) await putBox(id, 1)
    await bothFindRoom(
      () => putBox('c', 1),
      () => putBox('d', 1),
    )
    await bothFindRoom(
      () => putBox('a', 3),
      () => putBox('b', 2),
    )
  })

  it('hold for entries of a day when two requests have found room before either has taken it', async () => {
    await putItem('mug')
    for (const [id, entries] of [
      ['a', 3],
      ['b', 2],
      ['a', 2],
      ['a', 3],
      ['b', 1],
    ] as const) {
      expect((await putBox(id, entries)).status).to.equal(200)
    }
    await bothFindRoom(
      () => putBox('a', 2),
      () => putBox('b', 2),
    )
  })

  it('refuse endpoints and seeds beyond their limits', async () => {
    const putEndpoint = (id: string) =>
      operator.put(path(`/webhook-endpoints/${id}`), { url: 'https://hooks.example.com' })
    const replies = await Promise.all(nine.map(putEndpoint))
    expect(replies.filter(({ status }) => status === 201)).to.have.lengthOf(2)
    expect(new Set(replies.filter(({ status }) => status !== 201).map(codeOf))).to.deep.equal(
      new Set(['webhook_endpoint_limit']),
    )
    const rotations: Reply[] = []
    for (let n = 0; n < 4; n++) rotations.push(await operator.post(path('/fairness/rotate')))
    expect(rotations.map(({ status }) => status)).to.deep.equal([200, 200, 200, 409])
    expect(rotations.map(codeOf).at(-1)).to.equal('quota_exceeded')
    await changeAsOwner(
      service.database,
      sql`UPDATE server_seed SET created_at = created_at - interval '1 day' WHERE casino_id = ${casino.id}::text`,
    )
    expect((await operator.post(path('/fairness/rotate'))).status, 'the next day').to.equal(200)
  })

  it('can be set by the admin for a casino, and then hold for its sandbox too', async () => {
    await service.factory.sandbox(casino.id)
    const admin = createOperator(service.client, adminApiKey)
    expect((await operator.put(path('/settings/quotas'), { items: 2 })).status).to.equal(403)
    expect((await admin.put(path('/settings/quotas'), { items: 2 })).status).to.equal(200)
    expect(await statusesOf(nine.map(putItem))).to.deep.equal([
      200,
      200,
      ...Array.from({ length: 7 }, () => 409),
    ])
    const inSandbox = (id: string) =>
      admin.put(`/${casino.id}:test/items/${id}`, { name: id, kind: 'physical' })
    expect((await inSandbox('another')).status, 'it has the casino’s two').to.equal(409)
    expect((await admin.put(path('/settings/quotas'), { items: -1 })).status).to.equal(400)
  })

  it('take nothing away from a casino that is above a lowered limit', async () => {
    for (const id of ['mug', 'cup']) await putItem(id)
    for (const id of ['a', 'b']) expect((await putBox(id, 2)).status).to.equal(200)
    const admin = createOperator(service.client, adminApiKey)
    const less = { items: 1, boxes: 1, entries: 1 }
    expect((await admin.put(path('/settings/quotas'), less)).status).to.equal(200)
    expect((await operator.put(path('/items/cup'), { name: 'New', kind: 'physical' })).status).to.equal(200)
    const renamed = { name: 'New', access: 'granted', entries: [{ item_id: 'mug', weight: 1 }] }
    expect((await operator.put(path('/boxes/a'), renamed)).status, 'with fewer entries').to.equal(200)
    expect(await statusesOf([putItem('more'), putBox('c', 1), putBox('a', 2)])).to.deep.equal([409, 409, 409])
  })
})
