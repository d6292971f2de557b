import { expect } from 'chai'
import type { Route } from '../../../api/route.ts'
import { createRoutes } from '../../../api/routes.ts'
import { readConfig } from '../../../core/platform/config.ts'
import { limitedOperations } from '../../../core/platform/rate-limits.ts'
import type { LimitedOperation } from '../../../core/platform/rate-limits.ts'
import { createOperator, at } from '../../api/admin/operator.ts'
import { atEndOfSuite, atEndOfTest } from '../../support/at-end.ts'
import { adminApiKey, createTestEnv } from '../../support/config.ts'
import type { Env } from '../../support/config.ts'
import type { Reply } from '../../support/client.ts'
import { queueBackends } from '../../support/environment.ts'
import { eventually } from '../../support/eventually.ts'
import type { TestCasino } from '../../support/factory.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { startTcpProxy } from '../../support/tcp-proxy.ts'

const opening = { player_id: 'p', box_id: 'no-box' }
const open = (service: TestService, apiKey: string) => service.client.post('/box/open', apiKey, opening)

async function statusesOf(replies: readonly Promise<Reply>[]): Promise<number[]> {
  return (await Promise.all(replies)).map(({ status }) => status)
}
const times = <Value>(count: number, make: () => Value) => Array.from({ length: count }, make)
const count = (statuses: readonly number[], status: number) =>
  statuses.filter((candidate) => candidate === status).length

describe('rate limits', () => {
  let service: TestService
  let casino: TestCasino

  const atEnd = atEndOfSuite()
  before(async () => {
    // So slow that no token comes back during a test.
    const limits = 'box_open=0.02/5,prize_order=0.02/3,reads=0.02/2,management=0.5/4,prize_cashback=none'
    service = await startService({ env: { RATE_LIMITS: limits } })
    atEnd(() => service.stop())
    casino = await service.factory.casino()
  })

  it('are reported in every answer, with the time to come back [rate-429] [rate-headers]', async () => {
    const { apiKey: key } = await service.factory.casino(['play'])
    const first = await open(service, key)
    expect(first.status).to.equal(404)
    expect(first.headers.get('RateLimit-Policy')).to.equal('"box_open";q=5;w=250')
    expect(first.headers.get('RateLimit')).to.equal('"box_open";r=4;t=50')
    for (let n = 0; n < 4; n++) await open(service, key)
    const refused = await open(service, key)
    expect(refused.status).to.equal(429)
    expect(refused.json).to.deep.equal({ status: 'error', message: 'Too many requests, try again later' })
    expect(refused.headers.get('X-Error-Code')).to.equal('rate_limited')
    expect(Number(refused.headers.get('Retry-After'))).to.be.within(48, 50)
    expect(refused.headers.get('RateLimit')).to.match(/^"box_open";r=0;t=2[45]\d$/)
  })

  it('are separate for each operation [rate-operations]', async () => {
    const { apiKey: key } = await service.factory.casino(['play'])
    const statuses = await statusesOf(times(9, () => open(service, key)))
    expect([count(statuses, 404), count(statuses, 429)]).to.deep.equal([5, 4])
    const order = await service.client.post('/prize/order', key, {})
    expect([order.status, order.headers.get('RateLimit')]).to.deep.equal([400, '"prize_order";r=2;t=50'])
    const read = await service.client.send('GET', '/boxes', { headers: { Authorization: `Bearer ${key}` } })
    expect([read.status, read.headers.get('RateLimit')]).to.deep.equal([200, '"reads";r=1;t=50'])
    const unlimited = await service.client.post('/prize/cashback', key, {})
    expect([unlimited.status, unlimited.headers.get('RateLimit')]).to.deep.equal([400, null])
  })

  it('are shared by all keys of a casino, including those of its sandbox [rate-operations]', async () => {
    const [one, other] = [await service.factory.casino(), await service.factory.casino()]
    const sandboxId = await service.factory.sandbox(one.id)
    const keys = await Promise.all([
      ...times(6, () => service.factory.apiKey(one.id, ['play'])),
      ...times(6, () => service.factory.apiKey(sandboxId, ['play'], { mode: 'test' })),
    ])
    const statuses = await statusesOf(keys.flatMap((key) => times(2, () => open(service, key))))
    expect([count(statuses, 404), count(statuses, 429)]).to.deep.equal([5, 19])
    expect((await open(service, other.apiKey)).status, 'another casino').to.equal(404)
  })

  it('are lower for a sandbox whose own setting lowers them', async () => {
    const one = await service.factory.casino()
    const sandboxId = await service.factory.sandbox(one.id)
    const key = await service.factory.apiKey(sandboxId, ['play'], { mode: 'test' })
    const admin = createOperator(service.client, adminApiKey)
    const share = { box_open: { per_second: 0.02, burst: 2 } }
    expect((await admin.put(`/${sandboxId}/settings/limits`, share)).status).to.equal(200)
    const first = await open(service, key)
    expect(first.headers.get('RateLimit')).to.equal('"box_open";r=1;t=50')
    const statuses = await statusesOf(times(4, () => open(service, key)))
    expect([count(statuses, 404), count(statuses, 429)]).to.deep.equal([1, 3])
    const live = await open(service, one.apiKey)
    expect([live.status, live.headers.get('RateLimit')]).to.deep.equal([404, '"box_open";r=2;t=150'])
  })

  it('apply after the key and before the body [rate-order]', async () => {
    const { apiKey: key } = await service.factory.casino(['play'])
    await statusesOf(times(5, () => open(service, key)))
    const big = 'x'.repeat(70_000)
    const send = (apiKey: string) =>
      service.client.send('POST', '/box/open', { headers: { Authorization: `Bearer ${apiKey}` }, body: big })
    expect((await send(key)).status).to.equal(429)
    const wrong = await send(`${key.slice(0, -1)}${key.endsWith('x') ? 'y' : 'x'}`)
    expect([wrong.status, wrong.headers.get('RateLimit')]).to.deep.equal([401, null])
  })

  it('apply to casinos that manage themselves, and not to the admin', async () => {
    const own = await service.factory.casino(['manage'])
    const manager = createOperator(service.client, own.apiKey)
    const statuses = await statusesOf(times(8, () => manager.get(`/${own.id}`)))
    expect([count(statuses, 200), count(statuses, 429)]).to.deep.equal([4, 4])
    expect((await manager.get('/unknown')).status).to.equal(429)
    const admin = createOperator(service.client, adminApiKey)
    expect(count(await statusesOf(times(20, () => admin.get(`/${own.id}`))), 200)).to.equal(20)
  })

  it('can be set for a casino by the admin, and apply within two seconds', async () => {
    const other = await service.factory.casino()
    const play = await service.factory.apiKey(other.id, ['play'])
    await statusesOf(times(6, () => open(service, play)))
    const path = `/${other.id}/settings/limits`
    const own = createOperator(service.client, other.apiKey)
    const admin = createOperator(service.client, adminApiKey)
    const wish = { box_open: { per_second: 1_000, burst: 2_000 }, reads: null }
    expect((await own.put(path, wish)).headers.get('X-Error-Code')).to.equal('api_key_scope_missing')
    expect((await admin.put(path, wish)).status).to.equal(200)
    const stored = { box_open: { per_second: 1_000, burst: 2_000 } }
    expect(at(await own.get(path), 'data.value')).to.deep.equal(stored)
    await eventually('the new limit holds', async () => (await open(service, play)).status === 404, 5_000)
    const policy = (await open(service, play)).headers.get('RateLimit-Policy')
    expect(policy).to.equal('"box_open";q=2000;w=2')
    expect((await service.client.post('/prize/order', play, {})).headers.get('RateLimit-Policy')).to.equal(
      '"prize_order";q=3;w=150',
    )
  })

  it('are refused when they are invalid', async () => {
    const admin = createOperator(service.client, adminApiKey)
    const wrong: object[] = [
      { box_open: 5 },
      { box_open: {} },
      { box_open: { per_second: 0, burst: 5 } },
      { box_open: { per_second: '5', burst: 5 } },
      { box_open: { per_second: 5, burst: 0 } },
      { box_open: { per_second: 5, burst: 1.5 } },
      { box_open: { per_second: 1e7, burst: 5 } },
      { box_open: [] },
      { reads: '{"per_second":5,"burst":5}' },
    ]
    for (const body of wrong) {
      const reply = await admin.put(`/${casino.id}/settings/limits`, body)
      expect(reply.status, JSON.stringify(body)).to.equal(400)
    }
  })

  it('fall back to the defaults when they cannot be read', async () => {
    const other = await service.factory.casino()
    const data = { casinoId: other.id, name: 'limits', value: { box_open: 'much' }, updatedAt: new Date() }
    await service.database.casinoSetting.create({ data })
    const reply = await open(service, other.apiKey)
    expect(reply.headers.get('RateLimit-Policy')).to.equal('"box_open";q=5;w=250')
  })
})

describe('the limit of each operation', () => {
  let service: TestService
  let routes: readonly Route[]
  const burst = 3

  const atEnd = atEndOfSuite()
  before(async () => {
    const limits = limitedOperations.map((operation) => `${operation}=0.02/${burst}`).join()
    service = await startService({ env: { RATE_LIMITS: limits } })
    atEnd(() => service.stop())
    routes = createRoutes(service.deps, () => false)
  })

  const limitOf = (route: Route): LimitedOperation | undefined => {
    switch (route.for) {
      case 'casinos':
        return route.errors === 'general' ? 'reads' : route.errors
      case 'operators':
        return 'management'
      case 'partners':
        return 'partners'
      case 'anybody':
        return undefined
    }
  }
  const ask = ({ method, path }: Route, { id, apiKey }: TestCasino) =>
    service.client.send(method, path.replace(':casino_id', id).replaceAll(/:\w+/g, 'any'), {
      headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
      ...(method === 'GET' ? {} : { body: '{}' }),
    })

  for (const operation of limitedOperations) {
    it(`refuses requests beyond it, on every route of ${operation} and on no other`, async () => {
      const casino = await service.factory.casino()
      const limited = routes.filter((route) => limitOf(route) === operation)
      const [first] = limited
      if (first === undefined) throw new Error('no route has it')
      for (let left = burst - 1; left >= 0; left--) {
        const reply = await ask(first, casino)
        expect(reply.status).not.to.equal(429)
        expect(reply.headers.get('RateLimit')).to.match(new RegExp(`^"${operation}";r=${left};`))
      }
      for (const route of limited) {
        const reply = await ask(route, casino)
        const name = `${route.method} ${route.path}`
        expect([reply.status, reply.headers.get('X-Error-Code')], name).to.deep.equal([429, 'rate_limited'])
        expect(reply.headers.get('RateLimit-Policy'), name).to.equal(`"${operation}";q=${burst};w=150`)
        expect(Number(reply.headers.get('Retry-After')), name).to.be.within(40, 50)
      }
      const others = new Map(routes.map((route) => [limitOf(route), route]))
      expect(others.size).to.equal(limitedOperations.length + 1)
      others.delete(operation)
      for (const route of others.values()) expect((await ask(route, casino)).status).not.to.equal(429)
      expect((await ask(first, await service.factory.casino())).status, 'another casino').not.to.equal(429)
    })
  }
})

if (queueBackends.includes('redis')) {
  describe('rate limits of several processes', function () {
    this.timeout(60_000)
    let env: Env
    const atTestEnd = atEndOfTest()
    const start = async (overrides: Env = {}) => {
      const service = await startService({ env: { ...env, ...overrides } })
      atTestEnd(() => service.stop())
      return service
    }

    before(async () => {
      env = await createTestEnv('redis', { RATE_LIMITS: 'box_open=0.02/20' })
    })

    it('are one limit, through Redis', async () => {
      const [one, two] = [await start(), await start()]
      const { apiKey } = await one.factory.casino()
      expect(count(await statusesOf(times(15, () => open(one, apiKey))), 404)).to.equal(15)
      await one.deps.rateLimiter.share()
      // The first of them makes the other process learn of the bucket; it may be a few more until it has.
      await open(two, apiKey)
      await two.deps.rateLimiter.share()
      const statuses = await statusesOf(times(20, () => open(two, apiKey)))
      expect(count(statuses, 404)).to.be.at.most(4)
      await two.deps.rateLimiter.share()
      await eventually('the first knows', async () => {
        await one.deps.rateLimiter.share()
        return (await open(one, apiKey)).status === 429
      })
    })

    it('apply in each process alone while Redis is away, without a request that fails or waits', async () => {
      const target = new URL(readRedisUrl(env))
      const proxy = await startTcpProxy({ host: target.hostname, port: Number(target.port) })
      target.port = String(proxy.port)
      atTestEnd(() => proxy.stop())
      const [one, two] = [await start({ REDIS_URL: target.href }), await start()]
      atTestEnd(() => {
        proxy.thaw()
      })
      const { apiKey } = await one.factory.casino()
      await open(one, apiKey)
      await one.deps.rateLimiter.share()
      for (const interruption of ['frozen', 'cut']) {
        if (interruption === 'frozen') proxy.freeze()
        else await proxy.cut()
        const startedMs = performance.now()
        const replies = await Promise.all(times(4, () => open(one, apiKey)))
        expect(replies.map(({ status }) => status)).to.deep.equal([404, 404, 404, 404])
        expect(performance.now() - startedMs, interruption).to.be.lessThan(1_000)
        proxy.thaw()
      }
      const alone = await statusesOf(times(30, () => open(one, apiKey)))
      expect(count(alone, 404) + count(alone, 429)).to.equal(30)
      expect(count(alone, 429)).to.be.greaterThan(10)
      // The other still has what the first could not tell.
      expect((await open(two, apiKey)).status).to.equal(404)
      await proxy.restore()
      const key = await one.factory.apiKey((await one.factory.casino()).id, ['play'])
      await eventually('they share again', async () => {
        if ((await open(two, key)).status === 404) await two.deps.rateLimiter.share()
        await one.deps.rateLimiter.share()
        return (await open(one, key)).status === 429
      })
    })
  })
}

function readRedisUrl(env: Env): string {
  const { queue } = readConfig(env)
  if (queue.backend !== 'redis') throw new Error('there is no Redis')
  return queue.redisUrl
}
