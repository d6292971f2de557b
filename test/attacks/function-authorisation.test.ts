import { expect } from 'chai'
import { adminOnlySettings } from '../../core/casino/setting-values.ts'
import { at, createOperator } from '../api/admin/operator.ts'
import { atEndOfSuite } from '../support/at-end.ts'
import { auditTables, createLiveAndTestWorld } from '../support/casino-world.ts'
import type { World } from '../support/casino-world.ts'
import { adminApiKey } from '../support/config.ts'
import { differences, dumpDatabase, dumpSettled } from '../support/database-dump.ts'
import { startService } from '../support/service.ts'
import type { TestService } from '../support/service.ts'

const bodies: Record<string, object> = {
  limits: { box_open: { per_second: 100_000, burst: 100_000 } },
  quotas: { items: 1_000_000 },
}

describe('the admin’s exclusive rights', () => {
  let service: TestService
  let live: World
  let test: World

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
    ;[live, test] = await createLiveAndTestWorld(service)
  })

  const refusals = async (world: World, calls: readonly (readonly [string, string, object?])[]) => {
    const before = await dumpSettled(service, auditTables)
    for (const [method, path, body] of calls) {
      const reply = await service.client.send(method, path, {
        headers: { Authorization: `Bearer ${world.apiKey}`, 'Content-Type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const code = reply.headers.get('X-Error-Code')
      expect(code, `${method} ${path}`).to.be.oneOf([
        'api_key_scope_missing',
        'casino_unknown',
        'api_key_invalid',
      ])
    }
    expect(differences(before, await dumpDatabase(service, auditTables))).to.deep.equal([])
  }

  it('are to list all casinos, to create one, and to read data of the whole service', async () => {
    for (const world of [live, test]) {
      await refusals(world, [
        ['GET', '/admin/casinos'],
        ['HEAD', '/admin/casinos'],
        ['GET', '/admin/audit'],
        ['GET', `/admin/audit/${live.ids['service_entry_id'] ?? ''}`],
        ['PUT', '/admin/casinos/brand-new', { name: 'Mine' }],
        ['PUT', '/admin/casinos/brand-new:test', { name: 'Mine' }],
        ['GET', '/ops/queues/api/queues'],
        ['GET', '/ops/queues/static/x.js'],
      ])
    }
  })

  it('include changing the settings with which the service protects itself', async () => {
    expect([...adminOnlySettings]).to.have.members(Object.keys(bodies))
    for (const world of [live, test]) {
      for (const name of adminOnlySettings) {
        const paths = [live, test].map(({ casinoId }) => `/admin/casinos/${casinoId}/settings/${name}`)
        await refusals(
          world,
          paths.map((path) => ['PUT', path, bodies[name] ?? {}] as const),
        )
        const admin = await createOperator(service.client, adminApiKey).put(
          `/${live.casinoId}/settings/${name}`,
          bodies[name],
        )
        expect(admin.status, 'or this proves nothing').to.equal(200)
      }
    }
  })

  it('cannot be obtained by another method or another spelling of the path', async () => {
    const headers = {
      Authorization: `Bearer ${live.apiKey}`,
      'X-HTTP-Method-Override': 'PUT',
      'X-HTTP-Method': 'PUT',
      'X-Method-Override': 'PUT',
      'X-Original-URL': '/admin/casinos',
      'X-Rewrite-URL': '/admin/casinos',
      'X-Forwarded-Prefix': '/admin',
    }
    const limits = `/admin/casinos/${live.casinoId}/settings/limits`
    const before = await dumpSettled(service, auditTables)
    const read = await service.client.send('GET', limits, { headers })
    expect([read.status, at(read, 'data.name')]).to.deep.equal([200, 'limits'])
    for (const path of [
      '/admin/casinos/',
      '/admin//casinos',
      '//admin/casinos',
      '/ADMIN/casinos',
      '/admin/Casinos',
      '/admin/casinos/%2e%2e/casinos',
      '/admin/casinos;x=1',
      '/admin/casinos%00',
      '/admin/casinos%2f',
      `/admin/casinos/${live.casinoId}/settings/Limits`,
      `/admin/casinos/${live.casinoId}/settings/limits%00`,
      `/admin/casinos/${live.casinoId}/settings/__proto__`,
      `/admin/casinos/${live.casinoId}/settings/constructor`,
    ]) {
      for (const method of ['GET', 'PUT']) {
        const body = method === 'PUT' ? { body: JSON.stringify(bodies['limits']) } : {}
        const reply = await fetch(service.url + path, {
          method,
          headers: { ...headers, 'Content-Type': 'application/json' },
          redirect: 'manual',
          ...body,
        })
        await reply.arrayBuffer()
        expect(reply.status, `${method} ${path}`).to.be.oneOf([400, 403, 404, 405])
      }
    }
    expect(differences(before, await dumpDatabase(service, auditTables))).to.deep.equal([])
  })

  it('are out of reach of test keys, which create test keys only and rotate no live ones', async () => {
    const operator = createOperator(service.client, test.apiKey)
    for (const { casinoId } of [live, test]) {
      expect((await operator.post(`/${casinoId}/api-keys`, { mode: 'live' })).status).to.equal(400)
      expect(at(await operator.post(`/${casinoId}/api-keys`, {}), 'data.mode')).to.equal('test')
      const liveKeyId = String(live.ids['key_id'])
      expect((await operator.post(`/${casinoId}/api-keys/${liveKeyId}/rotate`, {})).status).to.equal(404)
      expect((await operator.delete(`/${casinoId}/api-keys/${liveKeyId}`)).status).to.equal(404)
    }
  })
})
