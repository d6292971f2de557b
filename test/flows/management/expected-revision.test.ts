import { expect } from 'chai'
import { atEndOfSuite } from '../../support/at-end.ts'
import type { Reply } from '../../support/client.ts'
import { delivery } from '../../support/factory.ts'
import type { TestCasino } from '../../support/factory.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { at, createOperator, fieldOf, listAt, textAt } from '../../api/admin/operator.ts'
import type { TestOperator } from '../../api/admin/operator.ts'

describe('the revision that an operator expects', () => {
  let service: TestService
  let casino: TestCasino
  let operator: TestOperator
  let path: string

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
    casino = await service.factory.casino()
    operator = createOperator(service.client, casino.apiKey)
    path = `/${casino.id}`
  })

  const order = async () => {
    const { prizeId, playerId } = await service.factory.prize(casino.id)
    const body = { player_id: playerId, prize_id: prizeId, ...delivery }
    expect((await service.client.post('/prize/order', casino.apiKey, body)).status).to.equal(200)
    return textAt(await operator.get(`${path}/prizes/${prizeId}`), 'data.orders.0.order_id')
  }
  const creditedCashback = async () => {
    const { prizeId, playerId } = await service.factory.prize(casino.id, { cashback: 500 })
    const body = { player_id: playerId, prize_id: prizeId }
    expect((await service.client.post('/prize/cashback', casino.apiKey, body)).status).to.equal(200)
    const worker = service.startWorker()
    await service.drain()
    await worker.stop()
    return textAt(await operator.get(`${path}/prizes/${prizeId}`), 'data.cashbacks.0.cashback_id')
  }
  const revisionOf = async (what: string) =>
    Number(at(await operator.get(`${path}/${what}`), 'data.revision'))
  const expectChanged = (reply: Reply, message: string) => {
    expect(reply.status, reply.text).to.equal(409)
    expect(reply.headers.get('X-Error-Code')).to.equal('revision_changed')
    expect(reply.json).to.deep.equal({ status: 'error', message })
  }

  it('allows a transition at the revision of the order, and refuses one at an older revision', async () => {
    const orderId = await order()
    const seen = await revisionOf(`orders/${orderId}`)
    const held = await operator.post(`${path}/orders/${orderId}/hold`, {
      hold_reason: 'kyc_pending',
      expected_revision: seen,
    })
    expect(held.status, held.text).to.equal(200)
    expect(at(held, 'data.revision')).to.equal(seen + 1)
    const late = await operator.post(`${path}/orders/${orderId}/confirm`, { expected_revision: seen })
    expectChanged(
      late,
      `The object has changed since revision ${seen}: it is now pending confirmation, at revision ${seen + 1}`,
    )
    const correction = await operator.put(`${path}/orders/${orderId}/delivery`, {
      ...delivery,
      expected_revision: seen,
    })
    expectChanged(correction, (late.json as { message: string }).message)
    expect(await revisionOf(`orders/${orderId}`)).to.equal(seen + 1)
    const corrected = await operator.put(`${path}/orders/${orderId}/delivery`, {
      ...delivery,
      expected_revision: seen + 1,
    })
    expect(at(corrected, 'data.revision')).to.equal(seen + 2)
  })

  it('allows one of many concurrent transitions at the same revision', async () => {
    const orderId = await order()
    const seen = await revisionOf(`orders/${orderId}`)
    // Each of them would be allowed after any other.
    const reasons = [
      'incorrect_address',
      'fraud_risk',
      'kyc_pending',
      'player_restricted',
      'out_of_stock',
      'customs',
    ]
    const replies = await Promise.all(
      reasons.map((reason) =>
        operator.post(`${path}/orders/${orderId}/hold`, { hold_reason: reason, expected_revision: seen }),
      ),
    )
    expect(replies.filter(({ status }) => status === 200)).to.have.length(1)
    const refused = replies.filter(({ status }) => status !== 200)
    expect(refused.map(({ headers }) => headers.get('X-Error-Code'))).to.deep.equal(
      refused.map(() => 'revision_changed'),
    )
    const read = await operator.get(`${path}/orders/${orderId}`)
    expect(at(read, 'data.holds')).to.have.length(1)
    expect(at(read, 'data.revision')).to.equal(seen + 1)
  })

  it('guards a cashback and the voiding of a prize', async () => {
    const cashbackId = await creditedCashback()
    const seen = await revisionOf(`cashbacks/${cashbackId}`)
    const body = { prize: 'return', reason: 'by mistake' }
    expectChanged(
      await operator.post(`${path}/cashbacks/${cashbackId}/reverse`, {
        ...body,
        expected_revision: seen - 1,
      }),
      `The object has changed since revision ${seen - 1}: it is now credited, at revision ${seen}`,
    )
    const reversed = await operator.post(`${path}/cashbacks/${cashbackId}/reverse`, {
      ...body,
      expected_revision: seen,
    })
    expect(at(reversed, 'data')).to.include({ state: 'reversed', revision: seen + 1 })
    for (const move of ['retry', 'release-wallet', 'resolve']) {
      const reply = await operator.post(`${path}/cashbacks/${cashbackId}/${move}`, {
        reason: 'late',
        ...(move === 'resolve' ? { outcome: 'credited' } : {}),
        expected_revision: seen,
      })
      expectChanged(
        reply,
        `The object has changed since revision ${seen}: it is now reversed, at revision ${seen + 1}`,
      )
    }

    const prizeId = textAt(reversed, 'data.prize_id')
    const prizeSeen = await revisionOf(`prizes/${prizeId}`)
    expectChanged(
      await operator.post(`${path}/prizes/${prizeId}/void`, { expected_revision: prizeSeen + 1 }),
      `The object has changed since revision ${prizeSeen + 1}: it is now won, at revision ${prizeSeen}`,
    )
    const voided = await operator.post(`${path}/prizes/${prizeId}/void`, { expected_revision: prizeSeen })
    expect(at(voided, 'data')).to.include({ state: 'voided', revision: prizeSeen + 1 })
    expect(await revisionOf(`prizes/${prizeId}`)).to.equal(prizeSeen + 1)
  })

  it('is in lists, and begins with 1', async () => {
    await operator.put(`${path}/items/cup`, { name: 'Cup', kind: 'physical' })
    const given = await operator.post(`${path}/prizes`, { player_id: 'list-player', item_id: 'cup' })
    expect(at(given, 'data.revision')).to.equal(1)
    const listed = await operator.get(`${path}/players/list-player/prizes`)
    expect(fieldOf(listAt(listed), 'revision')).to.deep.equal([1])
  })

  it('must be a whole number from 1', async () => {
    const orderId = await order()
    for (const wrong of [0, -1, 1.5, '1', null, 2 ** 31]) {
      const reply = await operator.post(`${path}/orders/${orderId}/confirm`, { expected_revision: wrong })
      expect(reply.status, `${wrong}: ${reply.text}`).to.equal(400)
    }
  })
})
