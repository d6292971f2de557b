import { expect } from 'chai'
import { pino } from 'pino'
import { atEndOfTest } from '../../support/at-end.ts'
import { eventually } from '../../support/eventually.ts'
import { startOtlpReceiver } from '../../support/otlp-receiver.ts'
import { startService } from '../../support/service.ts'

/** Far below the time-outs of exports, and of clients. */
const soonMs = 5_000

describe('A collector of traces', () => {
  const atEnd = atEndOfTest()

  async function start(env: Record<string, string>) {
    const receiver = await startOtlpReceiver()
    atEnd(() => receiver.stop())
    const lines: string[] = []
    const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
    const service = await startService({
      log,
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_BSP_SCHEDULE_DELAY: '10', ...env },
    })
    atEnd(() => service.stop())
    const casino = await service.factory.casino()
    const ask = () =>
      service.client.send('GET', '/boxes', { headers: { Authorization: `Bearer ${casino.apiKey}` } })
    const countOf = (text: string) => lines.filter((line) => line.includes(text)).length
    return { receiver, service, ask, countOf }
  }

  it('that never answers delays no request, keeps only a few spans in memory and lets the process stop', async () => {
    const { receiver, service, ask } = await start({ OTEL_BSP_MAX_QUEUE_SIZE: '10' })
    receiver.behave('hang')
    await ask()
    await eventually('an export hangs', () => receiver.requests.length > 0)
    const startedMs = performance.now()
    for (let round = 0; round < 100; round++) expect((await ask()).status).to.equal(200)
    expect(performance.now() - startedMs).to.be.lessThan(soonMs)
    expect(receiver.requests.length, 'one export at a time').to.equal(1)
    const stoppedMs = performance.now()
    await service.deps.tracer?.stop()
    expect(performance.now() - stoppedMs).to.be.lessThan(soonMs)
    // The queue is sent at the end; further spans were dropped.
    expect(receiver.requests.length).to.equal(2)
  })

  it('that fails is logged once, and its recovery is logged once', async () => {
    const { receiver, ask, countOf } = await start({})
    receiver.behave(400)
    for (let exports = 1; exports <= 3; exports++) {
      await ask()
      await eventually('it was refused', () => receiver.requests.length >= exports)
    }
    await eventually('the log says so', () => countOf('spans cannot be exported') > 0)
    receiver.behave(200)
    await ask()
    await receiver.find('a request', ({ kind }) => kind === 'server')
    await eventually('the log says so', () => countOf('spans are exported again') > 0)
    expect(countOf('spans cannot be exported')).to.equal(1)
    expect(countOf('spans are exported again')).to.equal(1)
  })
})
