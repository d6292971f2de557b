import { expect } from 'chai'
import pg from 'pg'
import { createApp } from '../../../api/app.ts'
import type { RouteSurface } from '../../../api/route.ts'
import { createRoutes } from '../../../api/routes.ts'
import { startServer } from '../../../api/server.ts'
import { createFairSlots } from '../../../core/limit/fair-slots.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import { createClient } from '../../support/client.ts'
import { adminApiKey, createTestEnv } from '../../support/config.ts'
import { eventually } from '../../support/eventually.ts'
import type { TestCasino } from '../../support/factory.ts'
import { openRaw } from '../../support/raw-http.ts'
import { startProcess } from '../../support/processes.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { isLongForm } from '../../support/runs.ts'

const opsPaths = ['/ops', '/ops/login', '/ops/queues']

describe('a process that serves one surface', () => {
  let service: TestService
  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
  })

  const serve = async (surface: RouteSurface) => {
    const app = createApp(service.deps, () => false, new Set([surface]))
    const server = await startServer(app, { host: '127.0.0.1', port: 0 })
    atEnd(() => server.stop())
    return createClient(server.url, { isDocumented: false })
  }

  for (const surface of ['play', 'manage', 'metrics'] as const) {
    it(`has the routes of ${surface}, and answers 404 for all others`, async () => {
      const client = await serve(surface)
      const routes = createRoutes(service.deps, () => false)
      expect(routes.length).to.be.greaterThan(50)
      const asked = [
        ...routes.map(({ method, path, surfaces }) => ({ method, path, has: surfaces.includes(surface) })),
        ...opsPaths.map((path) => ({ method: 'GET', path, has: surface === 'manage' })),
      ]
      for (const { method, path, has } of asked) {
        const reply = await client.send(method, path.replaceAll(/:\w+/g, 'x'))
        const isUnknown = reply.headers.get('X-Error-Code') === 'route_unknown'
        expect(!isUnknown, `${method} ${path}: ${reply.status}`).to.equal(has)
        if (!has) expect(reply.status).to.equal(404)
      }
    })
  }

  it('has the three operations, the catalogue and the evidence of draws if it serves players, and all other routes if it serves management', () => {
    const routes = createRoutes(service.deps, () => false)
    const pathsOf = (surface: RouteSurface) =>
      new Set(
        routes.filter(({ surfaces }) => surfaces.includes(surface)).map(({ path }) => path.split('/')[1]),
      )
    expect([...pathsOf('play')]).to.have.members([
      'box',
      'prize',
      'boxes',
      'fairness',
      'verify',
      'healthz',
      'readyz',
    ])
    expect([...pathsOf('manage')]).to.have.members([
      'admin',
      'partners',
      'healthz',
      'readyz',
      'metrics',
      '.well-known',
      'openapi.json',
      '',
      'docs',
    ])
    expect([...pathsOf('metrics')]).to.have.members(['healthz', 'readyz', 'metrics'])
  })
})

describe('the programs of the API', function () {
  this.timeout(120_000)
  const atEnd = atEndOfSuite()

  const statusesOf = async (url: string) => {
    const client = createClient(url, { isDocumented: false })
    const asked = ['/boxes', '/verify', '/admin/casinos', '/metrics', '/docs', '/healthz', '/readyz']
    return Promise.all(asked.map(async (path) => (await client.send('GET', path)).status))
  }

  it('serve players and management separately, each with its own metrics', async () => {
    const env = await createTestEnv('postgres', { SURFACES: 'play', METRICS_PORT: '0', ADMIN_PORT: '0' })
    const play = await startProcess('api', env)
    atEnd(() => play.kill())
    const manage = await startProcess('manage', env)
    atEnd(() => manage.kill())
    const line = play.lines.find((text) => text.includes('"msg":"API listens"')) ?? ''
    const { metricsUrl } = JSON.parse(line) as { metricsUrl: string }
    expect(await statusesOf(play.url)).to.deep.equal([401, 200, 404, 404, 404, 200, 200])
    expect(await statusesOf(manage.url)).to.deep.equal([404, 404, 401, 200, 200, 200, 200])
    expect(await statusesOf(metricsUrl)).to.deep.equal([404, 404, 404, 200, 404, 200, 200])
    const scrape = async (url: string) => (await (await fetch(new URL('/metrics', url))).text()).split('\n')
    const own = await scrape(metricsUrl)
    expect(own).to.include('rewards_http_requests_total{method="POST",route="/box/open",status="500"} 0')
    expect(
      own.filter((text) => /^(rewards_database_up|rewards_outbox_depth|rewards_orders_open)/.test(text)),
    ).to.deep.equal([])
    expect(await scrape(manage.url)).to.include('rewards_database_up 1')
  })

  it('serve management on a port of its own if it has one, also from the process that serves players', async () => {
    const both = await startProcess('api', await createTestEnv('postgres', { ADMIN_PORT: '0' }))
    atEnd(() => both.kill())
    const line = both.lines.find((text) => text.includes('"msg":"API listens"')) ?? ''
    const { adminUrl } = JSON.parse(line) as { adminUrl: string }
    expect(await statusesOf(both.url)).to.deep.equal([401, 200, 404, 404, 404, 200, 200])
    expect(await statusesOf(adminUrl)).to.deep.equal([404, 404, 401, 200, 200, 200, 200])
    expect(await both.terminate(), 'both servers stop').to.equal(0)
  })
})

describe('management of one casino that waits for locks', () => {
  let service: TestService
  let casino: TestCasino
  let other: TestCasino
  let boxId: string
  let holder: pg.Client
  /** Looks on, by a connection of its own. */
  let watcher: pg.Client

  const atEnd = atEndOfSuite()
  before(async () => {
    // Two management requests run at the same time, one of each casino.
    service = await startService({ env: { DATABASE_POOL_MAX: '6' } })
    atEnd(() => service.stop())
    const { factory } = service
    casino = await factory.casino()
    other = await factory.casino()
    boxId = await factory.box(other.id, { entries: [{ itemId: await factory.item(other.id), weight: 1 }] })
    await factory.grant(other.id, 'ann', boxId, 10)
    holder = await connect()
    watcher = await connect()
  })

  const connect = async () => {
    const client = new pg.Client({ connectionString: service.env['DATABASE_URL'] })
    await client.connect()
    atEnd(() => client.end())
    return client
  }
  const countWaiting = async () => {
    const { rows } = await watcher.query<{ count: number }>(`
      SELECT count(*)::int AS count FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`)
    return rows[0]?.count ?? 0
  }

  it('holds one connection, and delays neither players nor other casinos nor probes nor scrapes', async () => {
    const { client } = service
    await holder.query('BEGIN')
    await holder.query('SELECT id FROM casino WHERE id = $1 FOR NO KEY UPDATE', [casino.id])
    const changes = Array.from({ length: 15 }, (_, index) =>
      client.send('PUT', `/admin/casinos/${casino.id}/webhook-endpoints/e${index}`, {
        headers: { Authorization: `Bearer ${casino.apiKey}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ url: 'http://127.0.0.1:9/' }),
      }),
    )
    await eventually('one waits for the casino', async () => (await countWaiting()) > 0)
    const read = (path: string, key?: string) =>
      client.send('GET', path, { headers: key === undefined ? {} : { Authorization: `Bearer ${key}` } })
    const [opened, read1, read2, ready, health, scraped] = await Promise.all([
      Promise.all(
        Array.from({ length: 10 }, () =>
          client.post('/box/open', other.apiKey, { player_id: 'ann', box_id: boxId }),
        ),
      ),
      read(`/admin/casinos/${other.id}/boxes`, other.apiKey),
      read(`/admin/casinos/${other.id}/items`, adminApiKey),
      read('/readyz'),
      read('/healthz'),
      read('/metrics'),
    ])
    expect(opened.map(({ status }) => status)).to.deep.equal(Array(10).fill(200))
    expect([read1, read2, ready, health, scraped].map(({ status }) => status)).to.deep.equal(
      Array(5).fill(200),
    )
    expect(scraped.text).to.match(/^rewards_database_up 1$/m)
    expect(await countWaiting()).to.be.at.most(1)
    await holder.query('ROLLBACK')
    const replies = await Promise.all(changes)
    for (const reply of replies) {
      expect(reply.status, reply.text).to.be.oneOf([201, 503])
      if (reply.status === 503) expect(reply.headers.get('Retry-After')).to.equal('1')
    }
    expect(replies.some(({ status }) => status === 201)).to.equal(true)
  })

  it('keeps database connections free for players when a casino reads its catalogue from many connections', async () => {
    const { client } = service
    await service.factory.grant(other.id, 'bob', boxId, 2)
    const open = () => client.post('/box/open', other.apiKey, { player_id: 'bob', box_id: boxId })
    expect((await open()).status).to.equal(200)
    await holder.query('BEGIN')
    await holder.query('LOCK TABLE box_entry IN ACCESS EXCLUSIVE MODE')
    const headers = { Authorization: `Bearer ${casino.apiKey}` }
    let isReading = true
    const reads = Promise.all(
      Array.from({ length: isLongForm ? 20 : 6 }, () => client.send('GET', '/boxes', { headers })),
    ).finally(() => (isReading = false))
    const waiting: number[] = []
    await eventually('nobody waits any more', async () => {
      waiting.push(await countWaiting())
      return !isReading
    })
    expect((await open()).status).to.equal(200)
    await holder.query('ROLLBACK')
    await reads
    expect(Math.max(...waiting)).to.equal(1)
  })

  it('is refused beyond a line of its own, which does not delay others', async () => {
    const manageSlots = createFairSlots({
      slots: 2,
      slotsPerGroup: 1,
      linePerGroup: 3,
      lineMax: 100,
      waitMs: 60_000,
    })
    const server = await startServer(createApp({ ...service.deps, manageSlots }), {
      host: '127.0.0.1',
      port: 0,
    })
    atEnd(() => server.stop())
    const client = createClient(server.url)
    await holder.query('BEGIN')
    await holder.query('SELECT id FROM casino WHERE id = $1 FOR NO KEY UPDATE', [casino.id])
    const settled: number[] = []
    const changes = Array.from({ length: 9 }, async (_, index) => {
      const reply = await client.send('PUT', `/admin/casinos/${casino.id}/webhook-endpoints/f${index}`, {
        headers: { Authorization: `Bearer ${casino.apiKey}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ url: 'http://127.0.0.1:9/' }),
      })
      settled.push(reply.status)
      return reply
    })
    await eventually('those for whom there is no place are refused', () => settled.length >= 6)
    expect(settled.slice(0, 6)).to.deep.equal(Array(6).fill(503))
    const headers = { Authorization: `Bearer ${other.apiKey}` }
    expect((await client.send('GET', `/admin/casinos/${other.id}/boxes`, { headers })).status).to.equal(200)
    await holder.query('ROLLBACK')
    for (const reply of await Promise.all(changes)) {
      expect(reply.status, reply.text).to.be.oneOf([201, 503])
      if (reply.status === 503) expect(reply.headers.get('X-Error-Code')).to.equal('overloaded')
    }
  })
})

describe('notifications of partners', () => {
  const atEnd = atEndOfSuite()

  it('take a place in the line only when they have arrived completely, and never a place of management, because they are not authenticated', async () => {
    const service = await startService()
    atEnd(() => service.stop())
    const narrow = { slots: 1, slotsPerGroup: 1, linePerGroup: 1, lineMax: 1, waitMs: 60_000 }
    const [manageSlots, partnerSlots] = [createFairSlots(narrow), createFairSlots(narrow)]
    const app = createApp({ ...service.deps, manageSlots, partnerSlots })
    const server = await startServer(app, { host: '127.0.0.1', port: 0 })
    atEnd(() => server.stop())
    const path = '/partners/fulfilment/nobody'
    const begun = Array.from({ length: 5 }, () => openRaw(server.url))
    for (const socket of begun) {
      atEnd(() => {
        socket.destroy()
        return Promise.resolve()
      })
      const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n`
      await new Promise((resolve) => socket.write(`${head}{`, resolve))
    }
    const client = createClient(server.url)
    const casino = await service.factory.casino()
    const whole = await client.post(path, undefined, {})
    expect([whole.status, whole.headers.get('X-Error-Code')]).to.deep.equal([401, 'signature_invalid'])
    const place = partnerSlots.enter('partners that take every place')
    const headers = { Authorization: `Bearer ${casino.apiKey}` }
    const list = await client.send('GET', `/admin/casinos/${casino.id}/boxes`, { headers })
    expect(list.status).to.equal(200)
    place.leave()
  })
})
