import { expect } from 'chai'
import { atEndOfSuite } from '../../support/at-end.ts'
import { adminApiKey } from '../../support/config.ts'
import { queueBackends, redisUrl } from '../../support/environment.ts'
import { eventually } from '../../support/eventually.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { startTcpProxy } from '../../support/tcp-proxy.ts'
import type { TcpProxy } from '../../support/tcp-proxy.ts'
import { describeInLongForm } from '../../support/runs.ts'

const bearer = { Authorization: `Bearer ${adminApiKey}` }
/** The ping's two seconds and the answer's five; usually it is the first two. */
const boundMs = 7_500

if (queueBackends.includes('redis')) {
  describe('the queue dashboard without Redis', () => {
    let proxy: TcpProxy
    let service: TestService

    const atEnd = atEndOfSuite()
    before(async () => {
      const target = new URL(redisUrl())
      proxy = await startTcpProxy({ host: target.hostname, port: Number(target.port) })
      atEnd(() => proxy.stop())
      await proxy.cut()
      target.port = String(proxy.port)
      service = await startService({ backend: 'redis', env: { REDIS_URL: target.href } })
      atEnd(() => service.stop())
    })

    const expectAway = async () => {
      const startedMs = performance.now()
      const [page, data, login, metrics, ready] = await Promise.all([
        service.client.send('GET', '/ops/queues', { headers: bearer }),
        service.client.send('GET', '/ops/queues/api/queues', { headers: bearer }),
        service.client.send('GET', '/ops/login'),
        service.client.send('GET', '/metrics'),
        service.client.send('GET', '/readyz'),
      ])
      expect(performance.now() - startedMs).to.be.lessThan(boundMs)
      expect(page.status).to.equal(503)
      expect(page.headers.get('Content-Type')).to.equal('text/html; charset=utf-8')
      expect(page.text).to.contain('The queues cannot be reached')
      expect(page.headers.get('Retry-After')).to.equal('5')
      expect(data.status).to.equal(503)
      expect(data.json).to.deep.equal({
        status: 'error',
        message: 'The queues cannot be reached: try again later',
      })
      expect(data.headers.get('X-Error-Code')).to.equal('queue_unavailable')
      expect(login.status).to.equal(200)
      expect(metrics.status).to.equal(200)
      expect(metrics.text)
        .to.match(/^rewards_queue_up 0$/m)
        .and.to.match(/^rewards_database_up 1$/m)
      expect(metrics.text).not.to.match(/^rewards_queue_jobs\{/m)
      expect(ready.status).to.equal(200)
      expect(ready.json).to.deep.equal({ status: 'ok', database: 'ok', queue: 'unavailable', clock: 'ok' })
    }
    const expectBack = () =>
      eventually('the board shows queues', async () => {
        const reply = await service.client.send('GET', '/ops/queues/api/queues', { headers: bearer })
        return reply.status === 200
      })

    it('answers within seconds that the queues are unreachable (down at start, down later, hung), and recovers each time', async () => {
      await eventually('the database has answered', async () => {
        const { text } = await service.client.send('GET', '/metrics')
        return text.includes('\nrewards_database_up 1\n')
      })
      await expectAway()
      await proxy.restore()
      await expectBack()
      const metrics = await service.client.send('GET', '/metrics')
      expect(metrics.text).to.match(/^rewards_queue_up 1$/m)
      expect(metrics.text).to.match(/^rewards_queue_jobs\{queue="credit-cashback",state="waiting"\} 0$/m)

      await proxy.cut()
      await expectAway()
      await proxy.restore()
      await expectBack()

      proxy.freeze()
      await expectAway()
      proxy.thaw()
      await expectBack()
    })
  })
}

describeInLongForm('the probes and metrics without PostgreSQL', () => {
  let proxy: TcpProxy
  let service: TestService

  const atEnd = atEndOfSuite()
  before(async () => {
    const direct = await startService()
    const target = new URL(direct.env['DATABASE_URL'] ?? '')
    await direct.stop()
    proxy = await startTcpProxy({ host: target.hostname, port: Number(target.port) })
    atEnd(() => proxy.cut())
    target.port = String(proxy.port)
    service = await startService({ backend: 'postgres', env: { DATABASE_URL: target.href } })
    atEnd(() => service.stop())
  })

  const expectAway = async () => {
    const startedMs = performance.now()
    const [health, ready, metrics, page, data] = await Promise.all([
      service.client.send('GET', '/healthz'),
      service.client.send('GET', '/readyz'),
      service.client.send('GET', '/metrics'),
      service.client.send('GET', '/ops/queues', { headers: bearer }),
      service.client.send('GET', '/ops/queues/api/queues', { headers: bearer }),
    ])
    expect(performance.now() - startedMs).to.be.lessThan(boundMs)
    expect(health.status).to.equal(200)
    expect(ready.status).to.equal(503)
    // The service knows the database's time from before, and the machine's clock was not set since.
    expect(ready.json).to.deep.equal({
      status: 'error',
      database: 'unavailable',
      queue: 'unavailable',
      clock: 'ok',
    })
    expect(metrics.status).to.equal(200)
    expect(metrics.text)
      .to.match(/^rewards_database_up 0$/m)
      .and.to.match(/^rewards_queue_up 0$/m)
    expect(metrics.text).not.to.match(/^rewards_outbox_(depth|oldest_age_seconds) /m)
    expect(page.status).to.equal(503)
    expect(data.status).to.equal(503)
  }
  const expectBack = () =>
    eventually('all of it works again', async () => {
      const ready = await service.client.send('GET', '/readyz')
      const data = await service.client.send('GET', '/ops/queues/api/queues', { headers: bearer })
      return ready.status === 200 && data.status === 200
    })

  it('name each server that is away, soon, and say when it is back', async () => {
    await expectBack()
    const metrics = await service.client.send('GET', '/metrics')
    expect(metrics.text)
      .to.match(/^rewards_database_up 1$/m)
      .and.to.match(/^rewards_outbox_depth 0$/m)
    expect(metrics.text).to.match(/^rewards_outbox_oldest_age_seconds 0$/m)

    await proxy.cut()
    await expectAway()
    await proxy.restore()
    await expectBack()

    proxy.freeze()
    await expectAway()
    proxy.thaw()
    await expectBack()
  })
})
