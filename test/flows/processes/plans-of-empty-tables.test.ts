import { expect } from 'chai'
import pg from 'pg'
import { expirePrizes } from '../../../core/box/expire-prizes.ts'
import { createEraseWaitingPlayers } from '../../../core/privacy/erase-player.ts'
import { pruneWebhooks } from '../../../core/webhook/prune.ts'
import { createOperator, textAt } from '../../api/admin/operator.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import { createTestDatabase } from '../../support/environment.ts'
import { delivery } from '../../support/factory.ts'
import { startFakeReceiver } from '../../support/fake-receiver.ts'
import { isWholeRead, planForAnyValues } from '../../support/plans.ts'
import { plannerOptions } from '../../support/read-plans.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'

/** Fan-out goes through the endpoints on purpose: it looks for those that are behind. */
const readsWhole = ['webhook_endpoint']

/**
 * Plans are made once for each connection, on a new database before there is a row. Where reading all of a table looks as
 * good as a look-up then, the plan stays when the table has grown, and each batch reads every row.
 */
describe('statements that are planned before there is a row', () => {
  let service: TestService
  let client: pg.Client
  const texts = new Set<string>()

  const atEnd = atEndOfSuite()
  before(async () => {
    client = new pg.Client({
      connectionString: await createTestDatabase(),
      options: plannerOptions,
    })
    await client.connect()
    atEnd(() => client.end())

    const send: unknown = Reflect.get(pg.Client.prototype, 'query')
    if (typeof send !== 'function') throw new Error('a client that sends nothing')
    Reflect.set(pg.Client.prototype, 'query', function (this: unknown, ...args: unknown[]): unknown {
      const [config] = args
      if (typeof config === 'object' && config !== null && 'text' in config) texts.add(String(config.text))
      return Reflect.apply(send, this, args) as unknown
    })
    atEnd(() => Promise.resolve(Reflect.set(pg.Client.prototype, 'query', send)))
    service = await startService()
    atEnd(() => service.stop())
    await useEverything()
  })

  /** The three operations, and what the workers do after them. */
  async function useEverything(): Promise<void> {
    const casino = await service.factory.casino()
    const operator = createOperator(service.client, casino.apiKey)
    const receiver = await startFakeReceiver()
    atEnd(() => receiver.stop())
    expect((await operator.put(`/${casino.id}/webhook-endpoints/e`, { url: receiver.url })).status).to.equal(
      201,
    )
    service.startWorker()
    const mug = await service.factory.item(casino.id)
    const nothing = await service.factory.item(casino.id, { kind: 'none', cashback: null })
    const boxId = await service.factory.box(casino.id, {
      entries: [{ itemId: mug, weight: 1, stock: 2 }],
      fallbackItemId: nothing,
    })
    await service.factory.grant(casino.id, 'ann', boxId, 3)
    const post = async (path: string, body: object) => {
      const reply = await service.client.post(path, casino.apiKey, { player_id: 'ann', ...body })
      expect(reply.status, reply.text).to.equal(200)
      return reply
    }
    const first = textAt(await post('/box/open', { box_id: boxId }), 'prize.id')
    const second = textAt(await post('/box/open', { box_id: boxId }), 'prize.id')
    await post('/box/open', { box_id: boxId })
    await post('/prize/order', { prize_id: first, ...delivery })
    await post('/prize/cashback', { prize_id: second })
    await service.drain()
    const orderId = textAt(await operator.get(`/${casino.id}/prizes/${first}`), 'data.orders.0.order_id')
    expect((await operator.post(`/${casino.id}/orders/${orderId}/confirm`)).status).to.equal(200)
    expect((await operator.post(`/${casino.id}/orders/${orderId}/cancel`)).status).to.equal(200)
    await service.factory.prize(casino.id, { expiresAt: new Date(Date.now() - 1_000) })
    expect(await expirePrizes(service.deps)).to.equal(1)
    await service.drain()
    const erase = await operator.post(`/${casino.id}/players/ann/erase`, { reason: 'asked' })
    expect(erase.status, erase.text).to.equal(200)
    await service.database.player.create({
      data: { casinoId: casino.id, id: 'bob', eraseRequestedAt: new Date() },
    })
    expect(await createEraseWaitingPlayers(service.deps)()).to.be.at.least(1)
    expect(await pruneWebhooks(service.deps)).to.equal(0)
  }

  it('look each row up, without reading a whole table or index', async () => {
    const writing = [...texts].filter(
      (text) =>
        /\b(INSERT|UPDATE|DELETE)\b/.test(text) && text.includes('unnest(') && !text.includes('bullmq'),
    )
    expect(writing.length).to.be.at.least(8)
    const wrong: string[] = []
    for (const text of writing) {
      for (const step of await planForAnyValues(client, text)) {
        const name = step['Index Name'] ?? step['Relation Name'] ?? ''
        if (isWholeRead(step) && !readsWhole.includes(name))
          wrong.push(`${name}: ${text.trim().slice(0, 60)}`)
      }
    }
    expect(wrong).to.deep.equal([])
  })

  it('find old webhook deliveries by their end, without reading the others', async () => {
    const finding = [...texts].filter((text) => /FROM webhook_delivery\b[^]*ORDER BY updated_at/.test(text))
    expect(finding).to.have.length(1)
    const steps = (await planForAnyValues(client, String(finding[0]))).filter(
      (step) => step['Relation Name'] === 'webhook_delivery',
    )
    expect(steps.map((step) => step['Index Name'])).to.deep.equal(['webhook_delivery_over_idx'])
    expect(steps[0]?.['Index Cond']).to.include('updated_at <')
  })
})
