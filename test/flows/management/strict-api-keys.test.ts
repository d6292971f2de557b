import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { atEndOfSuite } from '../../support/at-end.ts'
import { adminApiKey } from '../../support/config.ts'
import { delivery } from '../../support/factory.ts'
import type { TestCasino } from '../../support/factory.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { at, complaintsOf, createOperator, listAt, textAt } from '../../api/admin/operator.ts'
import type { TestOperator } from '../../api/admin/operator.ts'

describe('API keys that require an Idempotency-Key', () => {
  let service: TestService
  let casino: TestCasino
  let admin: TestOperator
  let nowMs = Date.now()

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService({ clock: { now: () => new Date(nowMs) } })
    atEnd(() => service.stop())
    casino = await service.factory.casino()
    admin = createOperator(service.client, adminApiKey)
  })

  const keys = () => `/${casino.id}/api-keys`
  const createStrict = async () => {
    const reply = await admin.post(keys(), { require_idempotency_key: true, scopes: ['play', 'manage'] })
    expect(at(reply, 'data.require_idempotency_key')).to.equal(true)
    return { keyId: textAt(reply, 'data.key_id'), apiKey: textAt(reply, 'data.api_key') }
  }
  const withKey = () => ({ 'Idempotency-Key': randomUUID() })

  it('get the documented 400 of each operation without one, and nothing happens', async () => {
    const { apiKey } = await createStrict()
    const itemId = await service.factory.item(casino.id)
    const limit = { count: 10, period: 'lifetime' as const }
    const boxId = await service.factory.box(casino.id, { entries: [{ itemId, weight: 1 }], limit })
    const [ordered, cashed] = [await service.factory.prize(casino.id), await service.factory.prize(casino.id)]
    const idsOf = (prize: { playerId: string; prizeId: string }) => ({
      player_id: prize.playerId,
      prize_id: prize.prizeId,
    })
    const requests = [
      ['/box/open', { player_id: 'p', box_id: boxId }, 'Missing or invalid player_id or box_id'],
      ['/prize/order', { ...idsOf(ordered), ...delivery }, 'The given data was invalid.'],
      ['/prize/cashback', idsOf(cashed), 'Missing or invalid player_id or prize_id'],
    ] as const
    for (const [path, body, message] of requests) {
      const refused = await service.client.post(path, apiKey, body)
      expect([refused.status, refused.headers.get('X-Error-Code')], path).to.deep.equal([
        400,
        'idempotency_key_required',
      ])
      expect(refused.json, path).to.deep.include({ status: 'error', message })
      expect(Object.keys(refused.json as object).includes('errors'), path).to.equal(path === '/prize/order')
      const empty = await service.client.post(path, apiKey, body, { 'Idempotency-Key': '' })
      expect(empty.headers.get('X-Error-Code'), path).to.equal('idempotency_key_invalid')
    }
    expect(await service.database.opening.count()).to.equal(0)
    expect(await service.database.prize.count({ where: { casinoId: casino.id, state: 'won' } })).to.equal(2)
    for (const [path, body] of requests) {
      expect((await service.client.post(path, apiKey, body, withKey())).status, path).to.equal(200)
    }
  })

  it('report a missing parameter first, and need no Idempotency-Key to read or to manage', async () => {
    const { apiKey } = await createStrict()
    const reply = await service.client.post('/prize/order', apiKey, {})
    expect(reply.headers.get('X-Error-Code')).to.equal('parameters_invalid')
    const headers = { Authorization: `Bearer ${apiKey}` }
    expect((await service.client.send('GET', '/boxes', { headers })).status).to.equal(200)
    expect((await createOperator(service.client, apiKey).get(keys())).status).to.equal(200)
  })

  it('are only those that were created with the requirement', async () => {
    const reply = await admin.post(keys(), { require_idempotency_key: null })
    expect(at(reply, 'data.require_idempotency_key')).to.equal(false)
    const body = { player_id: 'p', box_id: 'none' }
    const answer = await service.client.post('/box/open', textAt(reply, 'data.api_key'), body)
    expect(answer.status).to.equal(404)
    const shown = listAt(await admin.get(`${keys()}?limit=200`)) as Record<string, unknown>[]
    expect(shown.find((key) => key['key_id'] === at(reply, 'data.key_id'))).to.include({
      require_idempotency_key: false,
    })
  })

  it('keep the requirement when they are rotated, unless the rotation says otherwise', async () => {
    const { keyId } = await createStrict()
    const same = await admin.post(`${keys()}/${keyId}/rotate`, { overlap_seconds: 60 })
    expect(at(same, 'data.require_idempotency_key')).to.equal(true)
    const loose = await admin.post(`${keys()}/${textAt(same, 'data.key_id')}/rotate`, {
      overlap_seconds: 60,
      require_idempotency_key: false,
    })
    expect(at(loose, 'data.require_idempotency_key')).to.equal(false)
    const body = { player_id: 'p', box_id: 'none' }
    nowMs += 3_000
    const answer = await service.client.post('/box/open', textAt(loose, 'data.api_key'), body)
    expect(answer.status).to.equal(404)
  })

  it('are requested with true or false only', async () => {
    const { keyId } = await createStrict()
    for (const value of ['true', 1, [], {}, 'yes']) {
      for (const path of [keys(), `${keys()}/${keyId}/rotate`]) {
        const reply = await admin.post(path, { require_idempotency_key: value })
        expect(reply.status).to.equal(400)
        expect(complaintsOf(reply), JSON.stringify(value)).to.deep.equal(['require_idempotency_key'])
      }
    }
  })
})
