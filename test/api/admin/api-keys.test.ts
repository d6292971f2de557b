import { expect } from 'chai'
import { atEndOfSuite } from '../../support/at-end.ts'
import { adminApiKey } from '../../support/config.ts'
import type { TestCasino } from '../../support/factory.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { at, complaintsOf, createOperator, fieldOf, listAt, readAll, textAt } from './operator.ts'
import type { TestOperator } from './operator.ts'

describe('API keys', () => {
  let service: TestService
  let nowMs = Date.UTC(2027, 0, 1)
  let casino: TestCasino
  let admin: TestOperator

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService({ clock: { now: () => new Date(nowMs) } })
    atEnd(() => service.stop())
    casino = await service.factory.casino()
    admin = createOperator(service.client, adminApiKey)
  })

  const keys = () => `/${casino.id}/api-keys`
  /** The status of an operation with a key: 404 (no such box) for one that works. */
  const play = async (apiKey: string) =>
    (await service.client.post('/box/open', apiKey, { player_id: 1, box_id: 'none' })).status
  const manage = async (apiKey: string) =>
    (await createOperator(service.client, apiKey).get(`/${casino.id}`)).status
  /** Longer than any process remembers a key. */
  const later = (seconds = 3) => {
    nowMs += seconds * 1000
  }

  it('creates a key with the scope play, shows it once, and stores only its hash', async () => {
    const reply = await admin.post(keys())
    expect(reply.status).to.equal(201)
    const { data } = reply.json as { data: Record<string, unknown> }
    expect(Object.keys(data)).to.have.members([
      'key_id',
      'api_key',
      'name',
      'mode',
      'scopes',
      'require_idempotency_key',
      'created_at',
      'expires_at',
      'allowed_addresses',
      'created_by',
      'rotated_from',
      'rotated_by',
    ])
    expect(data).to.deep.include({ name: null, mode: 'live', scopes: ['play'], expires_at: null })
    const apiKey = textAt(reply, 'data.api_key')
    expect(await play(apiKey)).to.equal(404)
    expect(await manage(apiKey)).to.equal(403)

    const list = await admin.get(`${keys()}?limit=200`)
    expect(fieldOf(listAt(list), 'key_id')).to.include(data['key_id'])
    expect(list.text).not.to.contain(apiKey.split('_')[3])
    const stored = await service.database.apiKey.findUniqueOrThrow({
      where: { id: textAt(reply, 'data.key_id') },
    })
    expect(Buffer.from(stored.secretHash).toString('latin1')).not.to.contain(apiKey.slice(-38, -6))
  })

  it('lets a casino make keys of both scopes for itself', async () => {
    const reply = await createOperator(service.client, casino.apiKey).post(keys(), {
      name: 'Back office',
      scopes: ['manage'],
    })
    expect(reply.status).to.equal(201)
    expect(at(reply, 'data.name')).to.equal('Back office')
    const apiKey = textAt(reply, 'data.api_key')
    expect(await manage(apiKey)).to.equal(200)
    expect(await play(apiKey)).to.equal(401)
  })

  it('names each problem of a key', async () => {
    const cases: [string, object][] = [
      ['scopes', { scopes: [] }],
      ['scopes', { scopes: 'play' }],
      ['scopes', { scopes: '["play"]' }],
      ['scopes.0', { scopes: ['admin'] }],
      ['scopes.1', { scopes: ['play', 'play'] }],
      ['mode', { mode: 'production' }],
      ['mode', { mode: ['test'] }],
      ['mode', { mode: 'Test' }],
      ['name', { name: 5 }],
      ['name', { name: 'x'.repeat(201) }],
      ['expires_at', { expires_at: 'tomorrow' }],
      ['expires_at', { expires_at: '2030-02-30T00:00:00Z' }],
      ['expires_at', { expires_at: '2030-01-01T00:00:00' }],
      ['expires_at', { expires_at: 2030 }],
      ['expires_at', { expires_at: new Date(nowMs).toISOString() }],
      ['expires_at', { expires_at: '+012345-01-01T00:00:00Z' }],
    ]
    for (const [name, body] of cases) {
      const reply = await admin.post(keys(), body)
      expect(reply.status, JSON.stringify(body)).to.equal(400)
      expect(complaintsOf(reply)).to.deep.equal([name])
    }
  })

  it('ends a key when it expires', async () => {
    const expiresAt = new Date(nowMs + 60_000).toISOString()
    const reply = await admin.post(keys(), { expires_at: expiresAt })
    expect(at(reply, 'data.expires_at')).to.equal(expiresAt)
    const apiKey = textAt(reply, 'data.api_key')
    expect(await play(apiKey)).to.equal(404)
    later(60)
    expect(await play(apiKey)).to.equal(401)
  })

  it('revokes a key permanently', async () => {
    const created = await admin.post(keys())
    const apiKey = textAt(created, 'data.api_key')
    const path = `${keys()}/${textAt(created, 'data.key_id')}`
    expect(await play(apiKey)).to.equal(404)
    const revoked = await admin.delete(path)
    expect(revoked.status).to.equal(200)
    later()
    expect(await play(apiKey)).to.equal(401)
    expect((await admin.delete(path)).json).to.deep.equal(revoked.json)
    expect((await admin.post(`${path}/rotate`, { overlap_seconds: 60 })).status).to.equal(409)
  })

  it('rotates a key: both work during the overlap, then only the new one', async () => {
    const created = await admin.post(keys(), { name: 'Casino floor', scopes: ['play', 'manage'] })
    const old = textAt(created, 'data.api_key')
    const rotated = await admin.post(`${keys()}/${textAt(created, 'data.key_id')}/rotate`, {
      overlap_seconds: 60,
    })
    expect(rotated.status).to.equal(201)
    expect(at(rotated, 'data.name')).to.equal('Casino floor')
    expect(at(rotated, 'data.scopes')).to.deep.equal(['play', 'manage'])
    expect(at(rotated, 'data.expires_at')).to.equal(null)
    const fresh = textAt(rotated, 'data.api_key')
    expect([await play(old), await play(fresh)]).to.deep.equal([404, 404])
    later(61)
    expect([await play(old), await play(fresh)]).to.deep.equal([401, 404])
  })

  it('never extends the life of a key by rotating it', async () => {
    const expiresAt = new Date(nowMs + 60_000).toISOString()
    const created = await admin.post(keys(), { expires_at: expiresAt })
    const keyId = textAt(created, 'data.key_id')
    const rotated = await admin.post(`${keys()}/${keyId}/rotate`, { overlap_seconds: 3_600 })
    expect(at(rotated, 'data.expires_at')).to.equal(expiresAt)
    const old = await service.database.apiKey.findUniqueOrThrow({ where: { id: keyId } })
    expect(old.expiresAt?.toISOString()).to.equal(expiresAt)
    later(61)
    expect((await admin.post(`${keys()}/${keyId}/rotate`)).status).to.equal(409)
  })

  it('refuses overlaps out of bounds, and keys of other casinos', async () => {
    const keyId = textAt(await admin.post(keys()), 'data.key_id')
    for (const overlap of [-1, 1.5, '60', 1e9]) {
      const reply = await admin.post(`${keys()}/${keyId}/rotate`, { overlap_seconds: overlap })
      expect(complaintsOf(reply), String(overlap)).to.deep.equal(['overlap_seconds'])
    }
    const other = await service.factory.casino()
    for (const path of [`/${casino.id}/api-keys/unknown`, `/${other.id}/api-keys/${keyId}`]) {
      expect((await admin.delete(path)).headers.get('X-Error-Code')).to.equal('api_key_unknown')
      expect((await admin.post(`${path}/rotate`)).headers.get('X-Error-Code')).to.equal('api_key_unknown')
    }
  })

  it('lists every key once, page by page', async () => {
    const all = fieldOf(listAt(await admin.get(`${keys()}?limit=200`)), 'key_id')
    expect(await readAll(admin, keys(), 2, 'key_id')).to.deep.equal(all)
  })
})
