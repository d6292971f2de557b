import { expect } from 'chai'
import { atEndOfSuite } from '../../support/at-end.ts'
import { delivery } from '../../support/factory.ts'
import { openPlans } from '../../support/read-plans.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { createOperator, textAt } from '../../api/admin/operator.ts'

describe('the statements of a timeline', () => {
  let service: TestService

  const atEnd = atEndOfSuite()
  before(async () => {
    // Without a worker: its statements are not those of the timeline.
    service = await startService()
    atEnd(() => service.stop())
  })

  it('read few rows, however many others there are', async function () {
    this.timeout(120_000)
    const casino = await service.factory.casino()
    const operator = createOperator(service.client, casino.apiKey)
    const { prizeId, playerId } = await service.factory.prize(casino.id)
    const body = { player_id: playerId, prize_id: prizeId, ...delivery }
    expect((await service.client.post('/prize/order', casino.apiKey, body)).status).to.equal(200)
    const shown = await operator.get(`/${casino.id}/prizes/${prizeId}`)
    const orderId = textAt(shown, 'data.orders.0.order_id')
    await operator.put(`/${casino.id}/webhook-endpoints/crm`, { url: 'https://crm.example.com/' })
    await operator.post(`/${casino.id}/webhook-endpoints/crm/disable`)
    await operator.post(`/${casino.id}/orders/${orderId}/confirm`)
    await service.database.$executeRaw`
      INSERT INTO event (casino_id, object_type, object_id, sequence, type, to_state, actor, created_at)
      SELECT ${casino.id}::text, 'prize', 'other-' || n, 1, 'prize.won', 'won', 'test', now()
        FROM generate_series(1, 20000) AS n`
    await service.database.$executeRaw`
      INSERT INTO webhook_delivery (id, casino_id, endpoint_id, event_id, object_type, object_id, sequence, state,
                                    created_at, updated_at)
      SELECT 'dlv_' || id, casino_id, 'crm', id, object_type, object_id, sequence, 'delivered', now(), now()
        FROM event WHERE casino_id = ${casino.id}::text`
    await service.database.$executeRaw`
      INSERT INTO audit_entry (id, casino_id, at, actor, action, params, request_id, outcome)
      SELECT 'aud_' || n, ${casino.id}::text, now(), 'test', 'POST /admin/casinos/:casino_id/orders/:order_id/confirm',
             json_build_object('casino_id', ${casino.id}::text, 'order_id', 'other-' || n)::text, 'req_' || n, '200'
        FROM generate_series(1, 20000) AS n`
    await service.database.$executeRaw`
      INSERT INTO prize_note (id, casino_id, prize_id, player_id, text_ciphertext, actor, request_id, created_at)
      SELECT 'nte_' || n, ${casino.id}::text, 'other-' || n, 'ann', '', 'test', 'req_' || n, now()
        FROM generate_series(1, 20000) AS n`
    await operator.post(`/${casino.id}/prizes/${prizeId}/notes`, { text: 'a note' })
    const path = `/admin/casinos/${casino.id}/prizes/${prizeId}/timeline`
    const plans = await openPlans(service)
    try {
      await plans.expectFewRowsRead(path, 100)
    } finally {
      await plans.close()
    }
    const { json } = await service.client.send('GET', path, {
      headers: { Authorization: `Bearer ${casino.apiKey}` },
    })
    expect(JSON.stringify(json))
      .to.contain('prize_order.confirmed')
      .and.to.contain('"kind":"delivery"')
      .and.to.contain('a note')
  })
})
