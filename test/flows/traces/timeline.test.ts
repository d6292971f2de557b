import { expect } from 'chai'
import { createOperator, fieldOf, listAt, textAt, at } from '../../api/admin/operator.ts'
import { atEndOfTest } from '../../support/at-end.ts'
import { delivery } from '../../support/factory.ts'
import { startFakeWallet, useWallet } from '../../support/fake-wallet.ts'
import { adminApiKey } from '../../support/config.ts'
import { startOtlpReceiver } from '../../support/otlp-receiver.ts'
import { itInLongForm } from '../../support/runs.ts'
import { startService } from '../../support/service.ts'

interface Entry {
  what: string
  kind: string
  trace_id: string | null
}

const callersSpan = '00f067aa0ba902b7'
const traceOf = (number: number) => String(number).padStart(32, 'a')
const sentBy = (number: number, flags = '01') => ({
  traceparent: `00-${traceOf(number)}-${callersSpan}-${flags}`,
})

describe('The timeline of a prize with traces', () => {
  const atEnd = atEndOfTest()

  async function start(env: Record<string, string> = {}) {
    const receiver = await startOtlpReceiver()
    atEnd(() => receiver.stop())
    const service = await startService({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, ...env } })
    atEnd(() => service.stop())
    service.startWorker()
    const casino = await service.factory.casino()
    const operator = createOperator(service.client, casino.apiKey)
    const read = (prizeId: string) => operator.get(`/${casino.id}/prizes/${prizeId}/timeline`)
    return {
      service,
      casino,
      operator,
      read,
      /** Each entry's type and trace, without the prize's beginning, which the test itself has written. */
      tracesOf: async (prizeId: string) => {
        const entries = listAt(await read(prizeId), 'data.entries') as Entry[]
        return entries.map(({ what, trace_id }) => [what, trace_id]).filter(([what]) => what !== 'prize.won')
      },
    }
  }

  it('has the trace of the request that caused each event, also where a batch served several', async () => {
    const { service, casino, tracesOf } = await start()
    const prizes = await Promise.all(Array.from({ length: 8 }, () => service.factory.prize(casino.id)))
    await Promise.all(
      prizes.map(({ playerId, prizeId }, number) => {
        const body = { player_id: playerId, prize_id: prizeId }
        const isOrder = number % 2 === 0
        const path = isOrder ? '/prize/order' : '/prize/cashback'
        return service.client.post(
          path,
          casino.apiKey,
          isOrder ? { ...body, ...delivery } : body,
          sentBy(number, number < 6 ? '01' : '00'),
        )
      }),
    )
    await service.drain()
    for (const [number, { prizeId }] of prizes.entries()) {
      const trace = number < 6 ? traceOf(number) : null
      const events =
        number % 2 === 0
          ? ['prize.ordered', 'prize_order.placed', 'prize_order.confirmation_requested']
          : ['prize.cashback_pending', 'cashback.requested', 'cashback.credited', 'prize.cashed_back']
      expect(await tracesOf(prizeId)).to.have.deep.members(events.map((what) => [what, trace]))
    }
  })

  it('has the traces of openings, one for each', async () => {
    const { service, casino, read } = await start()
    const itemId = await service.factory.item(casino.id)
    const boxId = await service.factory.box(casino.id, {
      limit: { count: 10, period: 'lifetime' },
      entries: [{ itemId, weight: 1 }],
    })
    const opened = await Promise.all(
      Array.from({ length: 4 }, (_, number) =>
        service.client.post(
          '/box/open',
          casino.apiKey,
          { player_id: `player-${number}`, box_id: boxId },
          sentBy(number),
        ),
      ),
    )
    for (const [number, reply] of opened.entries()) {
      expect(reply.status, reply.text).to.equal(200)
      const entries = listAt(await read(textAt(reply, 'prize.id')), 'data.entries')
      expect(fieldOf(entries, 'trace_id')).to.deep.equal([traceOf(number)])
    }
  })

  it('has the trace of the job beside the calls of a wallet, and of an operator’s request', async () => {
    const { service, casino, operator, tracesOf } = await start()
    const wallet = await startFakeWallet()
    atEnd(() => wallet.stop())
    await useWallet(service.database, service.deps.config, casino.id, wallet)
    const { prizeId, playerId } = await service.factory.prize(casino.id)
    const body = { player_id: playerId, prize_id: prizeId }
    await service.client.post('/prize/cashback', casino.apiKey, body, sentBy(1))
    await service.drain()
    expect(await tracesOf(prizeId)).to.have.deep.members([
      ['prize.cashback_pending', traceOf(1)],
      ['cashback.requested', traceOf(1)],
      ['cashback.processing', traceOf(1)],
      ['wallet.credit', null],
      ['cashback.credited', traceOf(1)],
      ['prize.cashed_back', traceOf(1)],
    ])
    const other = await service.factory.prize(casino.id)
    const voided = await service.client.send(
      'POST',
      `/admin/casinos/${casino.id}/prizes/${other.prizeId}/void`,
      {
        headers: {
          Authorization: `Bearer ${casino.apiKey}`,
          'Content-Type': 'application/json',
          ...sentBy(2),
        },
        body: '{}',
      },
    )
    expect(voided.status, voided.text).to.equal(200)
    expect(await tracesOf(other.prizeId)).to.deep.equal([['prize.voided', traceOf(2)]])
    expect((await operator.get(`/${casino.id}/prizes/${other.prizeId}`)).status).to.equal(200)
  })

  itInLongForm(
    'tells operators, but not keys of casinos, where to look at a trace, if TRACE_URL says so',
    async () => {
      const traceUrl = 'https://jaeger.example/trace/{trace_id}'
      const { service, casino, read, tracesOf } = await start({
        TRACE_URL: traceUrl,
        OTEL_EXPORTER_OTLP_ENDPOINT: '',
      })
      const { prizeId, playerId } = await service.factory.prize(casino.id)
      const body = { player_id: playerId, prize_id: prizeId }
      await service.client.post('/prize/cashback', casino.apiKey, body, sentBy(1))
      const path = `/${casino.id}/prizes/${prizeId}/timeline`
      const asAdmin = await createOperator(service.client, adminApiKey).get(path)
      expect(at(asAdmin, 'data.trace_url')).to.equal(traceUrl)
      expect(at(await read(prizeId), 'data.trace_url')).to.equal(null)
      for (const [what, trace] of await tracesOf(prizeId)) expect(trace, String(what)).to.equal(null)
      const without = await start()
      const other = await without.service.factory.prize(without.casino.id)
      const otherPath = `/${without.casino.id}/prizes/${other.prizeId}/timeline`
      const otherAsAdmin = await createOperator(without.service.client, adminApiKey).get(otherPath)
      expect(at(otherAsAdmin, 'data.trace_url')).to.equal(null)
    },
  )
})
