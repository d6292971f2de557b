import { expect } from 'chai'
import type { NoAnswerReason } from '../../../core/partner/http-client.ts'
import { untilTransactionsEnd } from '../../support/ended-transactions.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import { delivery } from '../../support/factory.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { fanOutEvents } from '../../../core/webhook/fan-out.ts'
import { at, createOperator, fieldOf, listAt } from '../../api/admin/operator.ts'

const causes: readonly NoAnswerReason[] = [
  'name_unknown',
  'connection_refused',
  'connection_lost',
  'tls_failed',
  'timeout',
]

describe('a partner that did not answer', () => {
  let service: TestService

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
  })

  for (const cause of causes)
    it(`looks the same to its casino with every cause (${cause})`, async () => {
      const { database, factory, client } = service
      const { id: casinoId, apiKey } = await factory.casino()
      const operator = createOperator(client, apiKey)
      const url = 'https://example.com'
      expect((await operator.put(`/${casinoId}/webhook-endpoints/main`, { url })).status).to.equal(201)
      for (const path of ['order', 'cashback']) {
        const { playerId, prizeId } = await factory.prize(casinoId)
        const address = path === 'order' ? delivery : {}
        const body = { player_id: playerId, prize_id: prizeId, ...address }
        expect((await client.post(`/prize/${path}`, apiKey, body)).status).to.equal(200)
      }
      const order = await database.prizeOrder.findFirstOrThrow({ where: { casinoId } })
      await database.prizeOrder.updateMany({ where: { casinoId }, data: { problem: cause } })
      await database.cashback.updateMany({ where: { casinoId }, data: { problem: cause } })
      await database.event.create({
        data: {
          casinoId,
          objectType: 'prize_order',
          objectId: order.id,
          sequence: 100,
          type: 'prize_order.submission_unknown',
          toState: 'confirmed',
          actor: 'worker',
          data: { attempt: 1, problem: cause },
          createdAt: new Date(),
        },
      })
      await untilTransactionsEnd(database)
      await fanOutEvents(service.deps)
      const failed = { lastProblem: cause, lastStatus: null }
      expect(
        (await database.webhookDelivery.updateMany({ where: { casinoId }, data: failed })).count,
      ).to.be.above(0)

      const told = async (path: string) => at(await operator.get(`/${casinoId}${path}`), 'data')
      const deliveries = await operator.get(`/${casinoId}/webhook-endpoints/main/deliveries`)
      expect(new Set(fieldOf(listAt(deliveries), 'last_problem'))).to.deep.equal(new Set(['no_answer']))
      for (const path of [
        '/orders',
        '/cashbacks',
        `/orders/${order.id}`,
        '/events?types=prize_order.submission_unknown',
      ]) {
        const text = JSON.stringify(await told(path))
        expect(text, path).to.include('"problem":"no_answer"').and.not.include(cause)
      }
    })
})
