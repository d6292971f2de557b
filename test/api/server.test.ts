import { once } from 'node:events'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { expect } from 'chai'
import Koa from 'koa'
import { createApp } from '../../api/app.ts'
import { startServer } from '../../api/server.ts'
import type { RunningServer } from '../../api/server.ts'
import type { RouteState } from '../../api/route-state.ts'
import { readConfig } from '../../core/platform/config.ts'
import { atEndOfSuite, atEndOfTest } from '../support/at-end.ts'
import { createClient } from '../support/client.ts'
import { createTestEnv } from '../support/config.ts'
import { eventually } from '../support/eventually.ts'
import type { TestCasino } from '../support/factory.ts'
import { startProcess } from '../support/processes.ts'
import { startService } from '../support/service.ts'
import type { TestService } from '../support/service.ts'

/** A hundredth of the time limits in production. */
const timeouts = {
  headersMs: 200,
  requestMs: 400,
  checkEveryMs: 50,
  keepAliveMs: 600,
  halfMs: 60_000,
  idleMs: 100,
  stalledMs: 800,
}
/** The delay that a busy machine may add. */
const graceMs = 3_000

describe('the HTTP server', function () {
  this.timeout(30_000)
  let service: TestService
  let casino: TestCasino
  let server: RunningServer

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
    casino = await service.factory.casino()
    server = await startServer(createApp(service.deps), {
      host: '127.0.0.1',
      port: 0,
      timeouts,
    })
    atEnd(() => server.stop())
  })
  const atTestEnd = atEndOfTest()

  /** A connection, what came over it, and how long it lived. */
  async function open(
    url = server.url,
  ): Promise<{ socket: Socket; read: () => string; closedAfterMs: Promise<number> }> {
    const { hostname, port } = new URL(url)
    const socket = connect({ host: hostname, port: Number(port) })
    atTestEnd(() => socket.destroy())
    let text = ''
    socket.on('data', (data) => {
      text += data.toString('latin1')
    })
    socket.on('error', () => undefined)
    const startedMs = performance.now()
    const closedAfterMs = new Promise<number>((resolve) => {
      socket.on('close', () => {
        resolve(performance.now() - startedMs)
      })
    })
    await once(socket, 'connect')
    return { socket, read: () => text, closedAfterMs }
  }

  /** Sends single bytes at intervals until the connection is closed. */
  function trickle(socket: Socket, text: string): void {
    let at = 0
    const timer = setInterval(() => {
      if (socket.destroyed || at >= text.length) clearInterval(timer)
      else socket.write(text.charAt(at++))
    }, 20)
    socket.once('close', () => {
      clearInterval(timer)
    })
  }

  const head = () =>
    `POST /box/open HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${casino.apiKey}\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n`

  it('ends a request whose headers come byte by byte', async () => {
    const { socket, read, closedAfterMs } = await open()
    trickle(socket, head())
    expect(await closedAfterMs).to.be.within(timeouts.headersMs, timeouts.headersMs + graceMs)
    expect(read())
      .to.match(/^HTTP\/1\.1 408 /)
      .and.contain('request_timeout')
  })

  it('ends a request whose body comes byte by byte', async () => {
    const { socket, closedAfterMs } = await open()
    socket.write(head())
    trickle(socket, ' '.repeat(60_000))
    expect(await closedAfterMs).to.be.within(timeouts.requestMs, timeouts.requestMs + graceMs)
  })

  it('ends a connection over which no data arrives', async () => {
    const { closedAfterMs } = await open()
    expect(await closedAfterMs).to.be.lessThan(timeouts.stalledMs + graceMs)
  })

  it('ends a connection whose client sends requests and never reads the answers', async () => {
    const app = new Koa<RouteState>()
    const body = 'x'.repeat(1_000_000)
    const answersWanted = 50
    let asked: Socket | undefined
    app.use((ctx) => {
      ctx.body = body
      asked = ctx.req.socket
    })
    const generous = await startServer(app.callback(), { host: '127.0.0.1', port: 0, timeouts })
    try {
      const { socket, read, closedAfterMs } = await open(generous.url)
      socket.pause()
      // Whole requests, so that the server waits for none; and more answers than the buffers in between hold.
      socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(answersWanted))
      // Only the server knows: a client that reads nothing does not notice the end of the connection.
      await eventually('the server has ended the connection', () => asked?.destroyed)
      socket.resume()
      await closedAfterMs
      expect(read().length).to.be.within(1, body.length * answersWanted)
    } finally {
      await generous.stop()
    }
  })

  it('keeps a connection open for the next request for a limited time', async () => {
    const { socket, read, closedAfterMs } = await open()
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
    await eventually('an answer', () => read().includes('"ok"'))
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
    await eventually('a second answer', () => read().split('"ok"').length === 3)
    expect(await closedAfterMs).to.be.within(timeouts.keepAliveMs, timeouts.keepAliveMs + graceMs)
  })

  /** Time limits so long that connections are closed only to make room. */
  const patient = {
    ...timeouts,
    headersMs: 60_000,
    requestMs: 60_000,
    keepAliveMs: 60_000,
    stalledMs: 60_000,
  }
  const getsIn = (url: string) =>
    eventually('somebody else gets in', () =>
      createClient(url)
        .send('GET', '/healthz')
        .then(
          ({ status }) => status === 200,
          () => false,
        ),
    )

  it('serves others while slow clients stay connected, and refuses connections beyond its limit', async () => {
    let refused = 0
    const small = await startServer(createApp(service.deps), {
      host: '127.0.0.1',
      port: 0,
      connectionsMax: 20,
      timeouts: { ...patient, idleMs: 60_000 },
      onConnectionRefused: () => (refused += 1),
    })
    try {
      const slow = await Promise.all(Array.from({ length: 18 }, () => open(small.url)))
      for (const { socket } of slow) trickle(socket, head())
      expect((await createClient(small.url).send('GET', '/healthz')).status).to.equal(200)
      const more = await Promise.all(Array.from({ length: 10 }, () => open(small.url)))
      await eventually('the rest is refused', () => refused >= 8)
      for (const { socket } of [...slow, ...more]) socket.destroy()
      await getsIn(small.url)
    } finally {
      await small.stop()
    }
  })

  const healthz = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'

  it('closes connections with an incomplete request before idle ones when there is no room', async () => {
    const small = await startServer(createApp(service.deps), {
      host: '127.0.0.1',
      port: 0,
      connectionsMax: 6,
      timeouts: { ...patient, idleMs: 0, halfMs: -1 },
    })
    try {
      const held = await Promise.all(Array.from({ length: 6 }, () => open(small.url)))
      const whole = held.slice(0, 2)
      for (const { socket } of whole) socket.write(healthz)
      await eventually('they are answered', () => whole.every(({ read }) => read() !== ''))
      await getsIn(small.url)
      await Promise.all(held.slice(2).map(({ closedAfterMs }) => closedAfterMs))
      expect(whole.map(({ socket }) => socket.destroyed || socket.readableEnded)).to.deep.equal([
        false,
        false,
      ])
    } finally {
      await small.stop()
    }
  })

  it('closes incomplete requests to make room: within headers, within a body, and after a complete one', async () => {
    const small = await startServer(createApp(service.deps), {
      host: '127.0.0.1',
      port: 0,
      connectionsMax: 4,
      timeouts: { ...patient, halfMs: 20, idleMs: 60_000 },
    })
    try {
      const headers = await open(small.url)
      headers.socket.write('GET /healthz HTTP/1.1\r\nHost:')
      const body = await open(small.url)
      body.socket.write('POST /box/open HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n')
      body.socket.write(`Authorization: Bearer ${casino.apiKey}\r\nContent-Type: application/json\r\n\r\n{`)
      const second = await open(small.url)
      second.socket.write(healthz)
      await eventually('its first one is answered', () => second.read() !== '')
      second.socket.write('GET /healthz HTTP/1.1\r\n')
      let closed = 0
      for (const { closedAfterMs } of [headers, body, second]) void closedAfterMs.then(() => (closed += 1))
      await eventually('they make room for those who come', async () => {
        const { socket } = await open(small.url)
        socket.write(healthz)
        return closed === 3
      })
    } finally {
      await small.stop()
    }
  })

  it('closes idle connections when there is no other room', async () => {
    const small = await startServer(createApp(service.deps), {
      host: '127.0.0.1',
      port: 0,
      connectionsMax: 5,
      timeouts: patient,
    })
    try {
      const held = await Promise.all(Array.from({ length: 5 }, () => open(small.url)))
      for (const { socket } of held) socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
      await eventually('they are answered', () => held.every(({ read }) => read() !== ''))
      await getsIn(small.url)
      await Promise.all(held.map(({ closedAfterMs }) => closedAfterMs))
    } finally {
      await small.stop()
    }
  })

  it('accepts a limited number of connections from one address, and new ones when those are closed', async () => {
    let refusals = 0
    const small = await startServer(createApp(service.deps), {
      host: '127.0.0.1',
      port: 0,
      connectionsMax: 100,
      connectionsPerAddressMax: 3,
      timeouts: patient,
      onConnectionRefused: () => (refusals += 1),
    })
    try {
      const held = await Promise.all(Array.from({ length: 3 }, () => open(small.url)))
      await eventually('all are counted', async () => {
        const { closedAfterMs } = await open(small.url)
        return Promise.race([closedAfterMs.then(() => true), held[0]?.closedAfterMs.then(() => false)])
      })
      expect(refusals).to.be.greaterThan(0)
      expect(held.map(({ socket }) => socket.destroyed)).to.deep.equal([false, false, false])
      held[0]?.socket.destroy()
      await getsIn(small.url)
    } finally {
      await small.stop()
    }
  })

  it('answers requests that have arrived on paused connections before it stops, more than it reads in a turn otherwise', async () => {
    const app = new Koa<RouteState>()
    app.use((ctx) => {
      const { socket } = ctx.req
      ctx.body = ctx.url
      ctx.res.once('close', () => socket.pause())
    })
    const other = await startServer(app.callback(), { host: '127.0.0.1', port: 0, timeouts: patient })
    atTestEnd(() => other.stop())
    const held: Awaited<ReturnType<typeof open>>[] = []
    // More in parallel than the kernel's backlog for a listener would be tried again after a second.
    while (held.length < 1_600) {
      held.push(...(await Promise.all(Array.from({ length: 400 }, () => open(other.url)))))
    }
    for (const { socket } of held) socket.write('GET /first HTTP/1.1\r\nHost: x\r\n\r\n')
    await eventually('they are answered', () => held.every(({ read }) => read().endsWith('/first')))
    await Promise.all(
      held.map(
        ({ socket }) =>
          new Promise((resolve) => socket.write('GET /second HTTP/1.1\r\nHost: x\r\n\r\n', resolve)),
      ),
    )
    await other.stop()
    await Promise.all(held.map(({ closedAfterMs }) => closedAfterMs))
    for (const { read } of held) {
      expect(read()).to.match(
        /\r\n\r\n\/firstHTTP\/1.1 200 OK\r\n(.+\r\n)*Connection: close\r\n(.+\r\n)*\r\n\/second$/,
      )
    }
  })

  it('applies no limit per address behind a proxy, from which all connections come', () => {
    const env = { ...service.env, MAX_CONNECTIONS_PER_ADDRESS: '10' }
    expect(readConfig(env).connectionsPerAddressMax).to.equal(10)
    expect(readConfig({ ...env, TRUST_PROXY: 'true' }).connectionsPerAddressMax).to.equal(undefined)
  })
})

describe('a process that stops', function () {
  this.timeout(30_000)

  it('first tells load balancers and continues as before, then accepts no more', async () => {
    const api = await startProcess('api', await createTestEnv('postgres', { DRAIN_DELAY_SECONDS: '1.5' }))
    const client = createClient(api.url)
    const ready = async () => (await client.send('GET', '/readyz')).status
    expect(await ready()).to.equal(200)
    const startedMs = performance.now()
    const terminated = api.terminate()
    await eventually('it says so', async () => (await ready()) === 503, 1_400)
    const reply = await client.post('/box/open', undefined, {})
    expect([reply.status, reply.headers.get('connection')]).to.deep.equal([401, 'keep-alive'])
    expect(await terminated).to.equal(0)
    expect(performance.now() - startedMs).to.be.greaterThan(1_500)
    const gone = await ready().then(
      () => false,
      () => true,
    )
    expect(gone).to.equal(true)
  })
})
