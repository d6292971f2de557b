import { expect } from 'chai'
import { createRoutes } from '../../api/routes.ts'
import { atEndOfSuite } from '../support/at-end.ts'
import { adminApiKey } from '../support/config.ts'
import type { TestCasino } from '../support/factory.ts'
import { logIn } from '../support/ops.ts'
import { startService } from '../support/service.ts'
import type { TestService } from '../support/service.ts'
import { complaintsOf, createOperator } from './admin/operator.ts'

describe('a path whose escapes cannot be decoded', () => {
  let service: TestService
  let casino: TestCasino

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
    casino = await service.factory.casino()
  })

  const broken = ['%E0%A4%A', '%', '%zz', '%ff', 'ok%C3', '%ED%A0%80']

  it('names no object, on any route and in any parameter', async () => {
    const session = await logIn(service, { role: 'admin' })
    const routes = createRoutes(service.deps, () => false).filter(({ path }) => path.includes(':'))
    expect(routes.length).to.be.greaterThan(50)
    for (const route of routes) {
      for (const [, name = ''] of route.path.matchAll(/:(\w+)/g)) {
        const path = route.path.replace(/:(\w+)/g, (_, other: string) => {
          if (other === name) return broken[0] ?? ''
          return other === 'casino_id' ? casino.id : other === 'name' ? 'wallet' : 'main'
        })
        const key = route.for === 'operators' ? adminApiKey : casino.apiKey
        const isOwn = route.for === 'operators' && route.right === 'own'
        const reply = await service.client.send(route.method, path, {
          headers: {
            ...(isOwn ? session : { Authorization: `Bearer ${key}` }),
            'Content-Type': 'application/json',
          },
          ...(route.method === 'GET' ? {} : { body: '{}' }),
        })
        expect([reply.status, complaintsOf(reply)], `${route.method} ${path}`).to.deep.equal([400, [name]])
      }
    }
  })

  it('is refused for a new object, which is not created', async () => {
    const operator = createOperator(service.client, casino.apiKey)
    for (const name of broken) {
      const reply = await operator.put(`/${casino.id}/webhook-endpoints/${name}`, {
        url: 'http://127.0.0.1:9/',
      })
      expect(reply.status, name).to.equal(400)
    }
    expect(await service.database.webhookEndpoint.count()).to.equal(0)
  })

  it('is reported only to callers who may use the route', async () => {
    const path = `/admin/casinos/${casino.id}/items/${broken[0] ?? ''}`
    const stranger = await service.client.send('GET', path)
    expect(stranger.status).to.equal(401)
  })

  it('is distinguished from a path that decodes to a percent sign', async () => {
    const operator = createOperator(service.client, casino.apiKey)
    const body = { name: 'Mug', kind: 'physical' }
    expect(
      (await operator.put(`/${casino.id}/items/${encodeURIComponent('%E0%A4%A')}`, body)).status,
    ).to.equal(200)
    expect(await service.database.item.count({ where: { id: '%E0%A4%A' } })).to.equal(1)
  })
})
