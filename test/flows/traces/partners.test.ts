import { expect } from 'chai'
import { newSigningSecret } from '../../../core/partner/signature.ts'
import { parseTraceparent } from '../../../core/trace/traceparent.ts'
import { createOperator } from '../../api/admin/operator.ts'
import { atEndOfTest } from '../../support/at-end.ts'
import { eventually } from '../../support/eventually.ts'
import { delivery } from '../../support/factory.ts'
import { startFakeProvider } from '../../support/fake-provider.ts'
import { startFakeReceiver } from '../../support/fake-receiver.ts'
import { startOtlpReceiver } from '../../support/otlp-receiver.ts'
import { startService } from '../../support/service.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`

describe('Traces of orders, and of failures elsewhere', () => {
  const atEnd = atEndOfTest()

  async function start() {
    const receiver = await startOtlpReceiver()
    atEnd(() => receiver.stop())
    const secret = newSigningSecret()
    const provider = await startFakeProvider(secret)
    atEnd(() => provider.stop())
    const service = await startService({
      backend: 'postgres',
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_BSP_SCHEDULE_DELAY: '10' },
    })
    atEnd(() => service.stop())
    const casino = await service.factory.casino()
    const operator = createOperator(service.client, casino.apiKey)
    const fulfilment = { kind: 'http', url: provider.url, secret, timeout_ms: 5_000, poll_minutes: 60 }
    expect((await operator.put(`/${casino.id}/settings/fulfilment`, fulfilment)).status).to.equal(200)
    const post = (path: string, body: object) =>
      service.client.post(path, casino.apiKey, body, { traceparent })
    const orderAndConfirm = async () => {
      const { playerId, prizeId } = await service.factory.prize(casino.id)
      const placed = await post('/prize/order', { player_id: playerId, prize_id: prizeId, ...delivery })
      expect(placed.status, placed.text).to.equal(200)
      const { id } = await service.database.prizeOrder.findFirstOrThrow({ where: { prizeId } })
      const confirmed = await post(`/admin/casinos/${casino.id}/orders/${id}/confirm`, {})
      expect(confirmed.status, confirmed.text).to.equal(200)
    }
    return { receiver, provider, service, casino, operator, post, orderAndConfirm }
  }

  it('connect the confirmation of an order and the call of the provider, which can continue the trace', async () => {
    const { receiver, provider, service, orderAndConfirm } = await start()
    service.startWorker()
    await orderAndConfirm()
    await eventually('the provider is called', () => provider.calls.length > 0)
    const call = await receiver.find('the call', ({ name }) => name === 'call provider')
    expect(call).to.include({ kind: 'client', traceId, hasFailed: false })
    expect(call.attributes).to.include({ 'http.response.status_code': 200 })
    const sent = parseTraceparent(String(provider.headers[0]?.['traceparent']))
    expect(sent).to.deep.equal({ traceId, spanId: call.spanId, isSampled: true })
    const job = await receiver.find('its job', ({ spanId }) => spanId === call.parentId)
    expect(job).to.include({ name: 'job fulfil-prize-order', kind: 'consumer', traceId })
  })

  it('contain nothing that a provider, a webhook endpoint or the database has said', async () => {
    const { receiver, provider, service, casino, operator, post, orderAndConfirm } = await start()
    const webhooks = await startFakeReceiver()
    atEnd(() => webhooks.stop())
    webhooks.treat(() => ({ status: 400, headers: { 'X-Note': 'canary-header' }, body: 'canary-answer' }))
    const endpoint = { url: `${webhooks.url}/canary-path` }
    expect((await operator.put(`/${casino.id}/webhook-endpoints/main`, endpoint)).status).to.equal(201)
    const rejected = { status: 'rejected', code: 'canary_code', message: 'canary-message' }
    provider.react(() =>
      provider.calls.length === 1 ? { status: 503, text: 'canary-text' } : { status: 200, body: rejected },
    )
    service.startWorker()
    for (const calls of [1, 2]) {
      await orderAndConfirm()
      await eventually('the provider is called', () => provider.calls.length >= calls)
    }
    await eventually('the endpoint is called', () => webhooks.received.length > 0)

    await service.database.$executeRaw`
      CREATE FUNCTION say_canary() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'canary-database' USING DETAIL = 'canary-detail'; END $$`
    await service.database.$executeRaw`
      CREATE TRIGGER refuse_credit BEFORE UPDATE ON cashback FOR EACH ROW EXECUTE FUNCTION say_canary()`
    const taken = await service.factory.prize(casino.id)
    const takeCashback = ({ playerId, prizeId }: typeof taken) =>
      post('/prize/cashback', { player_id: playerId, prize_id: prizeId })
    expect((await takeCashback(taken)).status).to.equal(200)
    await receiver.find(
      'a job that fails',
      ({ name, hasFailed }) => name === 'job credit-cashback' && hasFailed,
    )
    await service.database.$executeRaw`
      CREATE TRIGGER refuse_cashback BEFORE INSERT ON cashback FOR EACH ROW EXECUTE FUNCTION say_canary()`
    expect((await takeCashback(await service.factory.prize(casino.id))).status).to.equal(500)
    await receiver.find('a request that fails', ({ kind, hasFailed }) => kind === 'server' && hasFailed)
    await receiver.find('a call of the endpoint', ({ name }) => name === 'call receiver')
    const calls = () => receiver.spans.filter(({ name }) => name === 'call provider')
    await eventually('both calls of the provider are exported', () => calls().length >= 2)

    await service.deps.tracer?.stop()
    const exported = receiver.requests.map(({ body }) => body.toString('latin1')).join('\n')
    expect(exported).to.include(taken.prizeId)
    expect(exported).not.to.match(/canary/i)
    for (const span of receiver.spans) {
      expect([span.name, span.statusMessage, span.events]).to.deep.equal([span.name, '', 0])
    }
  })
})
