import { expect } from 'chai'
import { createHeartbeats } from '../../worker/heartbeats.ts'
import { startHealthServer } from '../../worker/health-server.ts'
import type { HealthServer } from '../../worker/health-server.ts'
import { atEndOfSuite } from '../support/at-end.ts'
import { createClient } from '../support/client.ts'
import { createTestEnv } from '../support/config.ts'
import { eventually } from '../support/eventually.ts'
import { queuesOfProcesses, startProcess } from '../support/processes.ts'
import { startTestWorker } from '../support/service.ts'
import type { TestWorker } from '../support/service.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'
import type { TcpProxy } from '../support/tcp-proxy.ts'

const anyPort = { host: '127.0.0.1', port: 0 }

describe("a worker's health server", () => {
  let worker: TestWorker
  let server: HealthServer
  let proxy: TcpProxy
  let problems: string[] = []

  const atEnd = atEndOfSuite()
  before(async () => {
    const env = await createTestEnv('postgres')
    const target = new URL(env['DATABASE_URL'] ?? '')
    proxy = await startTcpProxy({ host: target.hostname, port: Number(target.port) })
    atEnd(() => proxy.stop())
    target.port = String(proxy.port)
    worker = startTestWorker({ ...env, DATABASE_URL: target.href })
    atEnd(() => worker.stop())
    server = await startHealthServer(worker.deps, anyPort, () => problems)
    atEnd(() => server.stop())
    atEnd(() => server.stop())
  })

  const get = (path: string, method = 'GET') =>
    createClient(server.url, { isDocumented: false }).send(method, path)

  it('answers /healthz by the state of the process itself', async () => {
    expect((await get('/healthz')).json).to.deep.equal({ status: 'ok' })
    expect((await get('/healthz', 'HEAD')).status).to.equal(200)
    problems = ['relay-outbox']
    const reply = await get('/healthz')
    expect(reply.status).to.equal(503)
    expect(reply.json).to.deep.equal({ status: 'error', stopped: ['relay-outbox'] })
    problems = []
  })

  it('gives its metrics to Prometheus', async () => {
    const reply = await get('/metrics')
    expect(reply.status).to.equal(200)
    expect(reply.headers.get('Content-Type')).to.contain('text/plain')
    expect(reply.text)
      .to.contain('rewards_job_duration_seconds')
      .and.to.contain('rewards_outbox_relayed_total')
  })

  it('answers 404 and 405 to other paths and methods', async () => {
    for (const path of ['/', '/other', '/healthz/', '/__proto__', '/constructor']) {
      const reply = await get(path)
      expect(reply.status, path).to.equal(404)
      expect(reply.json).to.deep.equal({
        status: 'error',
        message: 'A worker has no such path: use /healthz, /readyz or /metrics',
      })
    }
    const reply = await get('/healthz', 'POST')
    expect(reply.status).to.equal(405)
    expect(reply.headers.get('Allow')).to.equal('GET, HEAD')
  })

  it('answers /readyz by the state of the worker’s dependencies, soon, also when they do not answer', async () => {
    await eventually('ready', async () => (await get('/readyz')).status === 200)
    proxy.freeze()
    const startedMs = performance.now()
    const reply = await get('/readyz')
    expect(performance.now() - startedMs).to.be.lessThan(4_000)
    expect(reply.status).to.equal(503)
    expect(reply.json).to.deep.equal({
      status: 'error',
      database: 'unavailable',
      queue: 'unavailable',
      clock: 'ok',
    })
    expect((await get('/healthz')).status).to.equal(200)
    proxy.thaw()
    await eventually('ready again', async () => (await get('/readyz')).status === 200)
  })

  it('does not start on a port that is taken', async () => {
    const port = Number(new URL(server.url).port)
    let reason: unknown
    await startHealthServer(worker.deps, { host: '127.0.0.1', port }, () => []).catch((error: unknown) => {
      reason = error
    })
    expect(reason).to.have.property('code', 'EADDRINUSE')
  })
})

describe("a worker process's health server", () => {
  for (const backend of queuesOfProcesses) {
    it(`starts and stops with it, on ${backend}`, async () => {
      const port = await findFreePort()
      const worker = await startProcess('worker', await createTestEnv(backend, { WORKER_PORT: String(port) }))
      const client = createClient(`http://127.0.0.1:${port}`, { isDocumented: false })
      await eventually('ready', async () => (await client.send('GET', '/readyz')).status === 200)
      expect((await client.send('GET', '/healthz')).json).to.deep.equal({ status: 'ok' })
      expect(await worker.terminate()).to.equal(0)
      expect(
        await client.send('GET', '/healthz').then(
          () => 'answered',
          () => 'gone',
        ),
      ).to.equal('gone')
    })
  }
})

describe('the heartbeats of the loops', () => {
  it('name each loop that has not begun a round for a minute', async () => {
    const heartbeats = createHeartbeats()
    const never = heartbeats.watch('hanging', () => new Promise(() => undefined))
    const failing = heartbeats.watch('failing', () => Promise.reject(new Error('a failed turn')))
    void never()
    expect(heartbeats.findLate()).to.deep.equal([])
    const laterMs = performance.now() + 61_000
    expect(heartbeats.findLate(laterMs)).to.deep.equal(['hanging', 'failing'])
    await failing().catch(() => undefined)
    expect(heartbeats.findLate(performance.now() + 59_000)).to.deep.equal([])
  })
})

async function findFreePort(): Promise<number> {
  const proxy = await startTcpProxy({ host: '127.0.0.1', port: 1 })
  await proxy.stop()
  return proxy.port
}
