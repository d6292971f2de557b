import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { Redis } from 'ioredis'
import { parseTraceparent } from '../../../core/trace/traceparent.ts'
import { createOperator } from '../../api/admin/operator.ts'
import { startRedis } from '../../../local/redis.ts'
import { atEndOfTest } from '../../support/at-end.ts'
import { adminApiKey } from '../../support/config.ts'
import { eventually } from '../../support/eventually.ts'
import { startFakeReceiver } from '../../support/fake-receiver.ts'
import { delivery } from '../../support/factory.ts'
import { startFakeWallet, useWallet } from '../../support/fake-wallet.ts'
import { itInLongForm } from '../../support/runs.ts'
import { startOtlpReceiver } from '../../support/otlp-receiver.ts'
import type { ReceivedSpan } from '../../support/otlp-receiver.ts'
import { needRedisServer } from '../../support/redis-servers.ts'
import { startService } from '../../support/service.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const callersSpan = '00f067aa0ba902b7'
const traceparent = `00-${traceId}-${callersSpan}-01`

describe('Traces of work', () => {
  const atEnd = atEndOfTest()

  async function start(backend: 'redis' | 'postgres' = 'postgres', env: Record<string, string> = {}) {
    const receiver = await startOtlpReceiver()
    atEnd(() => receiver.stop())
    const wallet = await startFakeWallet()
    atEnd(() => wallet.stop())
    const service = await startService({
      backend,
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_BSP_SCHEDULE_DELAY: '10', ...env },
    })
    atEnd(() => service.stop())
    const casino = await service.factory.casino()
    await useWallet(service.database, service.deps.config, casino.id, wallet)
    const prize = await service.factory.prize(casino.id)
    const body = { player_id: prize.playerId, prize_id: prize.prizeId }
    const takeCashback = () => service.client.post('/prize/cashback', casino.apiKey, body, { traceparent })
    return { receiver, wallet, service, casino, prize, takeCashback }
  }

  it('connect the request, its job and the call to the wallet, which can continue the trace', async () => {
    const { receiver, wallet, service, takeCashback } = await start()
    service.startWorker()
    expect((await takeCashback()).status).to.equal(200)
    await service.drain()
    const inTrace = (name: string) =>
      receiver.find(name, (span) => span.name === name && span.traceId === traceId)
    const request = await inTrace('POST /prize/cashback')
    expect((await inTrace('hand over')).links.map(({ spanId }) => spanId)).to.deep.equal([request.spanId])
    const job = await inTrace('job credit-cashback')
    expect(job).to.include({ kind: 'consumer', parentId: request.spanId })
    expect(job.attributes).to.include({ 'rewards.job': 'credit-cashback', 'rewards.outcome': 'credited' })
    for (const name of ['batch begin wallet', 'batch record wallet']) {
      expect(await inTrace(name)).to.include({ parentId: job.spanId })
    }
    const call = await inTrace('call wallet')
    expect(call).to.include({ kind: 'client', parentId: job.spanId, hasFailed: false })
    expect(call.attributes).to.include({ 'http.response.status_code': 200 })
    const sent = parseTraceparent(String(wallet.calls[0]?.headers['traceparent']))
    expect(sent).to.deep.equal({ traceId, spanId: call.spanId, isSampled: true })
  })

  it('mark a call that fails, with its reason, and continue with the next attempt', async () => {
    const { receiver, wallet, service, takeCashback } = await start()
    wallet.behave({ status: 503, body: 'canary of the wallet' }, 'honest')
    service.startWorker()
    await takeCashback()
    const failed = await receiver.find('the failed call', ({ name }) => name === 'call wallet')
    expect(failed).to.include({ traceId, hasFailed: true })
    expect(failed.attributes).to.include({ 'error.type': '503', 'http.response.status_code': 503 })
    await eventually('the next attempt is snoozed, and woken', async () => {
      const { count } = await service.database.outbox.updateMany({
        where: { snoozedUntil: { not: null } },
        data: { snoozedUntil: null, dueAt: new Date(0) },
      })
      return count > 0
    })
    const calls = () => receiver.spans.filter(({ name }) => name === 'call wallet')
    await eventually('the second call is exported', () => calls().length === 2)
    expect(calls()[1]).to.include({ traceId, hasFailed: false })
  })

  it('connect the webhooks of a request, and of the jobs that it caused', async () => {
    const { receiver, service, casino, takeCashback } = await start()
    const webhooks = await startFakeReceiver()
    atEnd(() => webhooks.stop())
    const reply = await createOperator(service.client, casino.apiKey).put(
      `/${casino.id}/webhook-endpoints/main`,
      { url: webhooks.url },
    )
    expect(reply.status, reply.text).to.equal(201)
    service.startWorker()
    await takeCashback()
    const toldSoFar = () => webhooks.received.filter(({ event }) => event.type !== 'prize.won')
    await eventually(
      'the request and the credit are told, of the prize and of the cashback',
      () => toldSoFar().length === 5,
    )
    const told = toldSoFar()
    for (const name of ['call receiver', 'job deliver-webhook']) {
      const isOne = (span: ReceivedSpan) => span.name === name && span.traceId === traceId
      await eventually(`each ${name} is exported`, () => receiver.spans.filter(isOne).length >= told.length)
    }
    const spans = [...receiver.spans]
    const parentOf = ({ parentId }: ReceivedSpan) => spans.find(({ spanId }) => spanId === parentId)
    for (const { headers, event } of told) {
      const sent = parseTraceparent(String(headers['traceparent']))
      expect(sent, event.type).to.include({ traceId, isSampled: true })
      const call = spans.find(({ spanId }) => spanId === sent?.spanId)
      const job = call && parentOf(call)
      expect([job?.name, job && parentOf(job)?.name], event.type).to.deep.equal([
        'job deliver-webhook',
        'POST /prize/cashback',
      ])
    }
    expect(told.map(({ event }) => event.type)).to.have.members([
      'prize.cashback_pending',
      'prize.cashed_back',
      'cashback.requested',
      'cashback.processing',
      'cashback.credited',
    ])
  })

  it('leave webhooks out as well where the caller has excluded its trace', async () => {
    const { receiver, service, casino, prize } = await start()
    const webhooks = await startFakeReceiver()
    atEnd(() => webhooks.stop())
    const operator = createOperator(service.client, casino.apiKey)
    const endpoint = { url: webhooks.url, event_types: ['cashback.*'] }
    expect((await operator.put(`/${casino.id}/webhook-endpoints/main`, endpoint)).status).to.equal(201)
    service.startWorker()
    const body = { player_id: prize.playerId, prize_id: prize.prizeId }
    const excluded = { traceparent: traceparent.replace(/01$/, '00') }
    expect((await service.client.post('/prize/cashback', casino.apiKey, body, excluded)).status).to.equal(200)
    await eventually('the credit is told', () =>
      webhooks.received.some(({ event }) => event.type === 'cashback.credited'),
    )
    for (const { headers } of webhooks.received) {
      expect(parseTraceparent(String(headers['traceparent']))).to.include({ traceId, isSampled: false })
    }
    await service.deps.tracer?.stop()
    expect(receiver.spans.map(({ name }) => name)).to.not.include('call receiver')
  })

  itInLongForm('connect a webhook that waited for its endpoint to be enabled', async () => {
    const { receiver, service, casino, takeCashback } = await start()
    const webhooks = await startFakeReceiver()
    atEnd(() => webhooks.stop())
    webhooks.treat(() => 503)
    const operator = createOperator(service.client, casino.apiKey)
    const path = `/${casino.id}/webhook-endpoints/main`
    const reply = await operator.put(path, { url: webhooks.url, event_types: ['cashback.*'] })
    expect(reply.status, reply.text).to.equal(201)
    service.startWorker()
    await takeCashback()
    await eventually('a call has failed', () => webhooks.received.length > 0)
    const disabled = await operator.post(`${path}/disable`)
    expect(disabled.status, disabled.text).to.equal(200)
    await eventually('the delivery is parked', async () => {
      const parked = { state: 'pending', outboxId: null } as const
      return (await service.database.webhookDelivery.count({ where: parked })) > 0
    })
    webhooks.treat(() => 204)
    const failed = webhooks.received.length
    const enabled = await operator.post(`${path}/enable`)
    expect(enabled.status, enabled.text).to.equal(200)
    await eventually('it is called', () => webhooks.received.length > failed)
    const sent = parseTraceparent(String(webhooks.received[failed]?.headers['traceparent']))
    const call = await receiver.find('the call', ({ spanId }) => spanId === sent?.spanId)
    expect(call).to.include({ name: 'call receiver', traceId })
  })

  it('continue after Redis has lost the job and the relay brings it back an hour later', async function () {
    const binary = needRedisServer(this)
    const folder = mkdtempSync(join(tmpdir(), 'rewards-traces-'))
    atEnd(() => {
      rmSync(folder, { recursive: true, force: true })
    })
    const redis = await startRedis({ binary, dataDir: folder })
    atEnd(redis.stop)
    const { receiver, wallet, service, takeCashback } = await start('redis', {
      REDIS_URL: redis.url,
      RESCUE_AFTER_SECONDS: '3600',
    })
    await takeCashback()
    const client = new Redis(redis.url, { protocol: 2 })
    atEnd(() => {
      client.disconnect()
    })
    await eventually('the job is in Redis', async () => (await client.dbsize()) > 0)
    const relayedLater = {
      createdAt: new Date(Date.now() - 3_600_000),
      dueAt: new Date(Date.now() - 1_000),
    }
    await eventually('the rescue is an hour away', async () => {
      const [work] = await service.database.outbox.findMany()
      return work !== undefined && work.dueAt.getTime() > Date.now() + 3_000_000
    })
    await client.flushall()
    await service.database.outbox.updateMany({ data: relayedLater })
    service.startWorker()
    await service.drain()
    const request = await receiver.find('the request', ({ kind }) => kind === 'server')
    const job = await receiver.find('its job', ({ name }) => name === 'job credit-cashback')
    expect(job).to.include({ traceId, parentId: request.spanId })
    expect(String(wallet.calls[0]?.headers['traceparent'])).to.match(new RegExp(`^00-${traceId}-`))
  })

  it('contain no personal data, no text from others and no error messages', async () => {
    const { receiver, wallet, service, casino, prize, takeCashback } = await start()
    wallet.behave({ status: 400, body: { status: 'declined', code: 'canary-code' } })
    service.startWorker()
    await takeCashback()
    const other = await service.factory.prize(casino.id, { playerId: 'player-canary' })
    const order = { player_id: other.playerId, prize_id: other.prizeId, ...delivery }
    expect((await service.client.post('/prize/order', casino.apiKey, order)).status).to.equal(200)
    await service.drain()
    const { id } = await service.database.prizeOrder.findFirstOrThrow()
    const path = `/admin/casinos/${casino.id}/orders/${id}/reject`
    const headers = { 'X-Reason': 'canary-reason' }
    await service.client.post(path, adminApiKey, { reason: 'canary-reason' }, headers)
    const refused = { player_id: 'canary@example.com', prize_id: 'canary@example.com' }
    await service.client.post('/prize/cashback', casino.apiKey, refused)
    await service.client.send('GET', `/boxes?player_id=player-canary`, {
      headers: { Authorization: `Bearer ${casino.apiKey}` },
    })
    await service.drain()
    await service.deps.tracer?.stop()
    const names = receiver.spans.map(({ name }) => name)
    expect(names).to.include.members(['POST /prize/order', 'job fulfil-prize-order', 'call wallet'])
    const exported = receiver.requests.map(({ body }) => body.toString('latin1')).join('\n')
    expect(exported).to.include(other.prizeId)
    for (const secret of [prize.playerId, casino.apiKey, adminApiKey, ...Object.values(delivery)]) {
      if (secret.length > 3) expect(exported, secret).not.to.include(secret)
    }
    expect(exported).not.to.match(/canary/i)
    for (const span of receiver.spans) {
      expect([span.name, span.statusMessage, span.events]).to.deep.equal([span.name, '', 0])
    }
  })
})
