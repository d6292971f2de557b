import { expect } from 'chai'
import { createAdminRoutes } from '../../../api/admin/routes.ts'
import type { Route } from '../../../api/route.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import { adminApiKey } from '../../support/config.ts'
import type { TestCasino } from '../../support/factory.ts'
import { inParallel } from '../../support/in-parallel.ts'
import { itInLongForm, someOf } from '../../support/runs.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'

describe('access to the management API', () => {
  let service: TestService
  let casino: TestCasino
  let other: TestCasino
  let routes: readonly Route[]

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService({ env: { RATE_LIMITS: 'management=none' } })
    atEnd(() => service.stop())
    casino = await service.factory.casino()
    other = await service.factory.casino()
    routes = createAdminRoutes(service.deps)
  })

  const pathOf = (route: Route, casinoId: string, id = 'x') =>
    route.path.replace(':casino_id', encodeURIComponent(casinoId)).replaceAll(/:\w+/g, id)
  const call = (route: Route, path: string, apiKey?: string, body = '{}') =>
    service.client.send(route.method, path, {
      headers: {
        'Content-Type': 'application/json',
        ...(apiKey === undefined ? {} : { Authorization: `Bearer ${apiKey}` }),
      },
      ...(route.method === 'GET' ? {} : { body }),
    })

  it('is refused to callers without a key, on every route', async () => {
    expect(routes.length).to.be.greaterThan(20)
    for (const route of routes) {
      for (const key of [undefined, 'wrong', `${casino.apiKey}x`]) {
        const reply = await call(route, pathOf(route, casino.id), key)
        expect(reply.status, route.path).to.equal(401)
        expect(reply.headers.get('WWW-Authenticate')).to.equal('Bearer')
        expect(reply.json).to.deep.equal({ status: 'error', message: 'Invalid or missing API key' })
      }
    }
  })

  it('is refused to a key with only the scope play, on every route', async () => {
    const playKey = await service.factory.apiKey(casino.id, ['play'])
    for (const route of routes) {
      const reply = await call(route, pathOf(route, casino.id), playKey)
      expect(reply.status, route.path).to.equal(403)
      expect(reply.headers.get('X-Error-Code')).to.equal('api_key_scope_missing')
    }
  })

  it('does not show a casino that others exist, on any route', async () => {
    for (const route of routes.filter(({ path }) => path.includes(':casino_id'))) {
      for (const casinoId of [other.id, 'unknown']) {
        const reply = await call(route, pathOf(route, casinoId), casino.apiKey)
        expect(reply.status, route.path).to.equal(404)
        expect(reply.json).to.deep.equal({
          status: 'error',
          message: 'Casino not found: check casino_id and your access to it',
        })
      }
    }
  })

  it('tells the admin that a casino is unknown, on every route except the one that creates it', async () => {
    for (const route of routes) {
      if (!route.path.includes(':casino_id')) continue
      if (route.method === 'PUT' && route.path.endsWith(':casino_id')) continue
      const reply = await call(route, pathOf(route, 'unknown'), adminApiKey)
      expect(reply.status, route.path).to.equal(404)
      expect(reply.headers.get('X-Error-Code')).to.equal('casino_unknown')
    }
  })

  it('lists all casinos to the admin only', async () => {
    const list = routes.find(({ path }) => path === '/admin/casinos')
    expect(list).not.to.equal(undefined)
    if (list === undefined) return
    expect((await call(list, list.path, casino.apiKey)).status).to.equal(403)
    expect((await call(list, list.path, adminApiKey)).status).to.equal(200)
  })

  it('keeps each casino’s objects from the others', async () => {
    const { prizeId, playerId } = await service.factory.prize(other.id)
    const itemId = await service.factory.item(other.id)
    for (const path of [`prizes/${prizeId}`, `items/${itemId}`]) {
      const get = (casinoId: string) =>
        service.client.send('GET', `/admin/casinos/${casinoId}/${path}`, {
          headers: { Authorization: `Bearer ${adminApiKey}` },
        })
      expect((await get(other.id)).status).to.equal(200)
      expect((await get(casino.id)).status).to.equal(404)
    }
    const given = await service.client.post(`/admin/casinos/${casino.id}/prizes`, casino.apiKey, {
      player_id: playerId,
      item_id: itemId,
    })
    expect(given.status).to.equal(404)
  })

  it('survives every kind of id, on every route', async () => {
    const ids = [
      '%00',
      '%zz',
      '%',
      '%ED%A0%80',
      '%20',
      '%0a',
      '..%2f..',
      '__proto__',
      'a'.repeat(129),
      '%F0%9F%98%80',
    ]
    await inParallel(8, [...routes.entries()], async ([n, route]) => {
      for (const id of someOf(ids, n, 2)) {
        const { status } = await call(route, pathOf(route, casino.id, id), casino.apiKey)
        expect(status, `${route.method} ${route.path} ${id}`).to.be.lessThan(500)
      }
    })
  })

  it('survives every kind of body, on every route', async () => {
    const bodies = [
      '{}',
      '',
      'null',
      '[]',
      '{"__proto__":{"name":"x"}}',
      '{"name":"\\u0000","entries":[{"__proto__":null},null,[]],"grants":"x","scopes":{},"reason":"\\ud800"}',
      '{"entries":{"length":1},"grants":[1e400,{"player_id":1e21}],"cashback":[],"limit":7,"expires_at":"0000-00-00"}',
      `{"grants":${'['.repeat(5_000)}${']'.repeat(5_000)}}`,
    ]
    const changing = routes.filter(({ method }) => method !== 'GET')
    await inParallel(8, [...changing.entries()], async ([n, route]) => {
      for (const body of someOf(bodies, n, 2)) {
        const { status } = await call(route, pathOf(route, casino.id), casino.apiKey, body)
        expect(status, `${route.method} ${route.path} ${body.slice(0, 80)}`).to.be.lessThan(500)
      }
    })
  })

  itInLongForm('survives every kind of id in every place of a path that the admin asks for', async () => {
    const hostile = [':casino_id', '%00', '%ED%A0%80', 'a'.repeat(200)]
    await inParallel(8, routes, async (route) => {
      for (const id of hostile) {
        const { status } = await call(route, route.path.replaceAll(/:\w+/g, id), adminApiKey)
        expect(status, `${route.method} ${route.path} ${id}`).to.be.within(200, 499)
      }
    })
  })
})
