import { expect } from 'chai'
import { atEndOfSuite } from '../../support/at-end.ts'
import { adminApiKey } from '../../support/config.ts'
import type { TestCasino } from '../../support/factory.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { at, complaintsOf, createOperator, fieldOf, listAt, textAt } from '../../api/admin/operator.ts'
import type { TestOperator } from '../../api/admin/operator.ts'

describe('sandboxes and their keys', () => {
  let service: TestService
  let nowMs = Date.UTC(2027, 0, 1)
  let admin: TestOperator

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService({ clock: { now: () => new Date(nowMs) } })
    atEnd(() => service.stop())
    admin = createOperator(service.client, adminApiKey)
  })

  const both = ['play', 'manage']
  const createTestKey = async (casinoId: string, scopes = both) =>
    textAt(await admin.post(`/${casinoId}/api-keys`, { mode: 'test', scopes }), 'data.api_key')
  const play = async (apiKey: string) =>
    (await service.client.post('/box/open', apiKey, { player_id: 1, box_id: 'none' })).status
  const codeOf = (reply: { headers: Headers }) => reply.headers.get('X-Error-Code')
  const createCasino = async (): Promise<TestCasino & { operator: TestOperator }> => {
    const casino = await service.factory.casino()
    return { ...casino, operator: createOperator(service.client, casino.apiKey) }
  }

  it('come with the first test key, which shows its mode', async () => {
    const { id, operator } = await createCasino()
    expect((await admin.get(`/${id}:test`)).status).to.equal(404)
    const created = await operator.post(`/${id}/api-keys`, { mode: 'test' })
    expect(created.status).to.equal(201)
    expect(at(created, 'data.mode')).to.equal('test')
    expect(textAt(created, 'data.api_key')).to.match(/^rk_test_/)
    expect(await play(textAt(created, 'data.api_key'))).to.equal(404)
    expect((await admin.get(`/${id}:test`)).json).to.have.nested.include({
      'data.casino_id': `${id}:test`,
      'data.sandbox_of': id,
      'data.name': id,
    })
    expect(at(await admin.get(`/${id}`), 'data.sandbox_of')).to.equal(null)
  })

  it('are limited to one a casino, however many test keys are created at the same time', async () => {
    const { id } = await createCasino()
    const keys = await Promise.all(Array.from({ length: 10 }, () => createTestKey(id)))
    expect(new Set(keys).size).to.equal(10)
    expect(await service.database.casino.count({ where: { sandboxOf: id } })).to.equal(1)
  })

  it('take test keys only, and have no sandboxes', async () => {
    const { id } = await createCasino()
    const tester = createOperator(service.client, await createTestKey(id))
    for (const [operator, path] of [
      [tester, `/${id}`],
      [tester, `/${id}:test`],
      [admin, `/${id}%3Atest`],
    ] as const) {
      const refused = await operator.post(`${path}/api-keys`, { mode: 'live' })
      expect(refused.status).to.equal(400)
      expect(complaintsOf(refused)).to.deep.equal(['mode'])
      for (const body of [{}, { mode: 'test' }, { mode: null }]) {
        const reply = await operator.post(`${path}/api-keys`, body)
        expect(at(reply, 'data.mode'), JSON.stringify(body)).to.equal('test')
      }
    }
    expect(await service.database.casino.count({ where: { id: { startsWith: id } } })).to.equal(2)
  })

  it('cannot be created directly, but can be renamed', async () => {
    const { id, operator } = await createCasino()
    for (const name of [`${id}:test`, 'nobody:test', ':test']) {
      const reply = await admin.put(`/${name}`, { name: 'X' })
      expect(reply.status).to.equal(400)
      expect(complaintsOf(reply)).to.deep.equal(['casino_id'])
      expect(reply.text).to.contain('must not end in :test')
    }
    expect(codeOf(await operator.put(`/${id}:test`, { name: 'X' }))).to.equal('casino_unknown')
    const tester = createOperator(service.client, await createTestKey(id))
    expect((await tester.put(`/${id}`, { name: 'Playground' })).json).to.have.nested.include({
      'data.name': 'Playground',
      'data.casino_id': `${id}:test`,
    })
    expect(at(await operator.put(`/${id}:test`, { name: 'Lab' }), 'data.name')).to.equal('Lab')
    expect(at(await admin.get(`/${id}`), 'data.name')).to.equal(id)
  })

  it('are refused to casinos whose id leaves no room for the suffix', async () => {
    for (const [length, status] of [
      [123, 201],
      [124, 400],
    ] as const) {
      const id = '😀'.repeat(length)
      await admin.put(`/${encodeURIComponent(id)}`, { name: 'Long' })
      const reply = await admin.post(`/${encodeURIComponent(id)}/api-keys`, { mode: 'test' })
      expect(reply.status).to.equal(status)
      if (status === 400) expect(reply.text).to.contain('at most 123 characters')
    }
  })

  it('never replace an older casino that has such an id', async () => {
    const { id, operator } = await createCasino()
    await service.database.casino.create({ data: { id: `${id}:test`, name: 'Older' } })
    const reply = await admin.post(`/${id}/api-keys`, { mode: 'test' })
    expect([reply.status, complaintsOf(reply)]).to.deep.equal([400, ['mode']])
    expect(codeOf(await operator.get(`/${id}:test`))).to.equal('casino_unknown')
    expect(codeOf(await operator.get(`/${id}:test/items`))).to.equal('casino_unknown')
  })

  it('are hidden from the keys of other casinos, live and test', async () => {
    const [one, other] = [await createCasino(), await createCasino()]
    const [oneTest, otherTest] = [await createTestKey(one.id), await createTestKey(other.id)]
    for (const apiKey of [other.apiKey, otherTest]) {
      for (const id of [one.id, `${one.id}:test`, `${one.id}:test:test`]) {
        expect(codeOf(await createOperator(service.client, apiKey).get(`/${id}/items`))).to.equal(
          'casino_unknown',
        )
      }
    }
    for (const [apiKey, id] of [
      [one.apiKey, `${one.id}:test`],
      [oneTest, one.id],
      [oneTest, `${one.id}:test`],
      [oneTest, `${one.id}%3Atest`],
    ] as const) {
      const reply = await createOperator(service.client, apiKey).get(`/${id}`)
      expect(at(reply, 'data.casino_id')).to.equal(`${one.id}:test`)
    }
  })

  it('keep the mode of a key that is rotated, and rotate only their own keys', async () => {
    const { id, operator } = await createCasino()
    const created = await operator.post(`/${id}/api-keys`, { mode: 'test', scopes: both, name: 'CI' })
    const tester = createOperator(service.client, textAt(created, 'data.api_key'))
    const path = `/${id}/api-keys/${textAt(created, 'data.key_id')}/rotate`
    let apiKey = ''
    for (const who of [tester, operator, admin]) {
      const rotated = await who.post(path, { overlap_seconds: 60 })
      expect(rotated.json).to.have.nested.include({ 'data.mode': 'test', 'data.name': 'CI' })
      apiKey = textAt(rotated, 'data.api_key')
      expect(apiKey).to.match(/^rk_test_/)
    }
    const reply = await createOperator(service.client, apiKey).get(`/${id}`)
    expect(at(reply, 'data.casino_id')).to.equal(`${id}:test`)
    const live = textAt(await operator.post(`/${id}/api-keys`), 'data.key_id')
    for (const casinoId of [id, `${id}:test`]) {
      expect(codeOf(await tester.post(`/${casinoId}/api-keys/${live}/rotate`))).to.equal('api_key_unknown')
      expect(codeOf(await tester.delete(`/${casinoId}/api-keys/${live}`))).to.equal('api_key_unknown')
    }
    expect(codeOf(await admin.delete(`/${id}:test/api-keys/${live}`))).to.equal('api_key_unknown')
  })

  it('show their keys in the casino’s list too, where they can be revoked', async () => {
    const { id, operator } = await createCasino()
    const created = await operator.post(`/${id}/api-keys`, { mode: 'test', scopes: both })
    const apiKey = textAt(created, 'data.api_key')
    const modesAt = async (who: TestOperator, casinoId: string) =>
      fieldOf(listAt(await who.get(`/${casinoId}/api-keys`)), 'mode').sort()
    expect(await modesAt(operator, id)).to.deep.equal(['live', 'test'])
    expect(await modesAt(operator, `${id}:test`)).to.deep.equal(['test'])
    expect(await modesAt(createOperator(service.client, apiKey), id)).to.deep.equal(['test'])
    const revoked = await operator.delete(`/${id}/api-keys/${textAt(created, 'data.key_id')}`)
    expect(at(revoked, 'data.mode')).to.equal('test')
    nowMs += 3_000
    expect(await play(apiKey)).to.equal(401)
  })

  it('are out of reach of a key whose row was tampered with', async () => {
    const { id } = await createCasino()
    const testKey = await createTestKey(id)
    const liveKey = await service.factory.apiKey(id, ['play'])
    const idOf = (apiKey: string) => apiKey.split('_')[2] ?? ''
    for (const [apiKey, data] of [
      [testKey, { casinoId: id }],
      [testKey, { casinoId: id, mode: 'live' }],
      [liveKey, { casinoId: `${id}:test` }],
      [liveKey, { casinoId: `${id}:test`, mode: 'test' }],
    ] as const) {
      await service.database.apiKey.update({ where: { id: idOf(apiKey) }, data })
      nowMs += 3_000
      expect(await play(apiKey), JSON.stringify(data)).to.equal(401)
    }
  })
})
