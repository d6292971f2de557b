import { expect } from 'chai'
import { pino } from 'pino'
import { readConfig } from '../../../core/platform/config.ts'
import { tracedLog } from '../../../core/trace/log-fields.ts'
import { atEndOfTest } from '../../support/at-end.ts'
import { createTestEnv } from '../../support/config.ts'
import { delivery } from '../../support/factory.ts'
import { startOtlpReceiver } from '../../support/otlp-receiver.ts'
import type { OtlpReceiver } from '../../support/otlp-receiver.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const callersSpan = '00f067aa0ba902b7'

describe('Traces of requests', () => {
  const atEnd = atEndOfTest()

  async function start(
    env: Record<string, string> = {},
  ): Promise<{ service: TestService; receiver: OtlpReceiver }> {
    const receiver = await startOtlpReceiver()
    atEnd(() => receiver.stop())
    const service = await startService({
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_BSP_SCHEDULE_DELAY: '10', ...env },
    })
    atEnd(() => service.stop())
    return { service, receiver }
  }

  async function order(service: TestService, headers: Record<string, string>) {
    const casino = await service.factory.casino()
    const { playerId, prizeId } = await service.factory.prize(casino.id)
    const body = { player_id: playerId, prize_id: prizeId, ...delivery }
    return service.client.post('/prize/order', casino.apiKey, body, headers)
  }

  it('continue the trace of the caller, and show the statement that stored the request', async () => {
    const { service, receiver } = await start()
    const reply = await order(service, { traceparent: `00-${traceId}-${callersSpan}-01` })
    expect(reply.status).to.equal(200)
    const server = await receiver.find('the request', ({ kind }) => kind === 'server')
    expect(server).to.include({ traceId, parentId: callersSpan, name: 'POST /prize/order', hasFailed: false })
    expect(server.attributes).to.include({
      'http.request.method': 'POST',
      'http.route': '/prize/order',
      'http.response.status_code': 200,
    })
    expect(server.resource).to.include({ 'service.name': 'rewards-api' })
    const batch = await receiver.find('its batch', ({ name }) => name === 'batch prize_order')
    expect(batch).to.include({ traceId, parentId: server.spanId, kind: 'internal' })
    expect(batch.attributes).to.deep.equal({ 'rewards.batch.size': 1 })
    expect(batch.links).to.deep.equal([{ traceId, spanId: server.spanId }])
  })

  it('link a batch to all of its requests', async () => {
    const { service, receiver } = await start()
    const casino = await service.factory.casino()
    const prizes = await Promise.all(Array.from({ length: 20 }, () => service.factory.prize(casino.id)))
    await Promise.all(
      prizes.map(({ playerId, prizeId }) =>
        service.client.post('/prize/cashback', casino.apiKey, { player_id: playerId, prize_id: prizeId }),
      ),
    )
    await service.deps.tracer?.stop()
    const requests = receiver.spans.filter(({ kind }) => kind === 'server')
    const batches = receiver.spans.filter(({ name }) => name === 'batch prize_cashback')
    const linked = batches.flatMap(({ links }) => links.map(({ spanId }) => spanId))
    expect(linked).to.have.members(requests.map(({ spanId }) => spanId))
    expect(new Set(requests.map((request) => request.traceId)).size).to.equal(20)
    for (const { attributes, links } of batches) {
      expect(attributes['rewards.batch.size']).to.equal(links.length)
    }
  })

  it('begin with the request where the caller sends no valid one, and say why a request was refused', async () => {
    const { service, receiver } = await start()
    const casino = await service.factory.casino()
    const body = { player_id: 'p', prize_id: 'no such prize' }
    const headers = { traceparent: `00-${'0'.repeat(32)}-${callersSpan}-01` }
    await service.client.post('/prize/cashback', casino.apiKey, body, headers)
    const server = await receiver.find('the request', ({ kind }) => kind === 'server')
    expect(server.parentId).to.equal('')
    expect(server.attributes).to.include({ 'error.type': 'prize_unknown' })
    expect(server.hasFailed, 'a refusal is no failure').to.equal(false)
  })

  it('are not exported when the caller or the sampler decides against it', async () => {
    const { service, receiver } = await start({ OTEL_TRACES_SAMPLER: 'parentbased_always_off' })
    await order(service, { traceparent: `00-${'a'.repeat(32)}-${callersSpan}-00` })
    await order(service, {})
    await order(service, { traceparent: `00-${traceId}-${callersSpan}-01` })
    await service.deps.tracer?.stop()
    expect(receiver.spans.map((span) => span.traceId)).to.include(traceId)
    expect(new Set(receiver.spans.map((span) => span.traceId)).size).to.equal(1)
  })

  it('are sent to the address, with the headers and under the name that the variables set', async () => {
    const { service, receiver } = await start({
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc',
      OTEL_SERVICE_NAME: 'prizes',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    })
    await order(service, {})
    const { resource } = await receiver.find('the request', ({ kind }) => kind === 'server')
    expect(resource).to.include({ 'service.name': 'prizes', 'deployment.environment.name': 'test' })
    expect(receiver.requests[0]).to.deep.include({ path: '/v1/traces' })
    expect(receiver.requests[0]?.headers).to.include({ authorization: 'Bearer abc' })
  })

  it('have ids that appear in the log lines of their requests', async () => {
    const receiver = await startOtlpReceiver()
    atEnd(() => receiver.stop())
    const env = await createTestEnv('postgres', { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url })
    const lines: string[] = []
    const log = pino(tracedLog(readConfig(env)), { write: (line: string) => void lines.push(line) })
    const service = await startService({ env, log })
    atEnd(() => service.stop())
    await order(service, { traceparent: `00-${traceId}-${callersSpan}-01` })
    await service.deps.tracer?.stop()
    const server = receiver.spans.find(({ kind }) => kind === 'server')
    const line = lines.find((each) => each.includes('"msg":"request"')) ?? '{}'
    expect(JSON.parse(line)).to.include({ trace_id: traceId, span_id: server?.spanId })
  })
})
