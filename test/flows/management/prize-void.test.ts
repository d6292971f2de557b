import { expect } from 'chai'
import type { PrizeState } from '../../../core/prize/state.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import { adminApiKey } from '../../support/config.ts'
import { eventually } from '../../support/eventually.ts'
import { delivery } from '../../support/factory.ts'
import type { TestCasino } from '../../support/factory.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { at, complaintsOf, createOperator, fieldOf, listAt, textAt } from '../../api/admin/operator.ts'
import type { TestOperator } from '../../api/admin/operator.ts'

describe('voiding a prize', () => {
  let service: TestService
  let casino: TestCasino
  let operator: TestOperator
  let prizes: string

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
    casino = await service.factory.casino()
    operator = createOperator(service.client, casino.apiKey)
    prizes = `/${casino.id}/prizes`
  })

  interface Won {
    prizeId: string
    playerId: string
  }
  const newPrize = (state?: PrizeState): Promise<Won> =>
    service.factory.prize(casino.id, state === undefined ? {} : { state })
  const order = ({ prizeId, playerId }: Won) =>
    service.client.post('/prize/order', casino.apiKey, {
      player_id: playerId,
      prize_id: prizeId,
      ...delivery,
    })
  const cashBack = ({ prizeId, playerId }: Won) =>
    service.client.post('/prize/cashback', casino.apiKey, { player_id: playerId, prize_id: prizeId })
  const countVoided = (prizeId: string) =>
    service.database.event.count({ where: { objectId: prizeId, type: 'prize.voided' } })

  it('takes it from the player permanently, and records the operator and the reason', async () => {
    const prize = await newPrize()
    const reply = await operator.post(`${prizes}/${prize.prizeId}/void`, { reason: 'won by two accounts' })
    expect(reply.status, reply.text).to.equal(200)
    expect(at(reply, 'data')).to.include({ prize_id: prize.prizeId, state: 'voided' })
    const read = await operator.get(`${prizes}/${prize.prizeId}`)
    expect(at(read, 'data')).to.include({ state: 'voided', updated_at: at(reply, 'data.updated_at') })
    expect(at(read, 'data.history.1')).to.deep.equal({
      type: 'prize.voided',
      object_type: 'prize',
      object_id: prize.prizeId,
      sequence: 2,
      from: 'won',
      to: 'voided',
      actor: `key:${casino.apiKey.split('_')[2] ?? ''}`,
      reason: 'won by two accounts',
      request_id: reply.headers.get('X-Request-Id'),
      at: at(reply, 'data.updated_at'),
    })
    expect([(await order(prize)).status, (await cashBack(prize)).status]).to.deep.equal([404, 404])
    const feed = await eventually('the feed shows the event', async () => {
      const reply = await operator.get(`/${casino.id}/events?types=prize.voided`)
      return listAt(reply).length > 0 && reply
    })
    expect(fieldOf(listAt(feed), 'object')).to.deep.include({ type: 'prize', id: prize.prizeId })
    expect(feed.text, 'a reason is for nobody else').to.not.contain('two accounts')
  })

  it('needs no body, and happens once, however many requests come', async () => {
    const { prizeId } = await newPrize()
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => operator.post(`${prizes}/${prizeId}/void`)),
    )
    expect(fieldOf(replies, 'status').sort()).to.deep.equal([200, ...Array.from({ length: 19 }, () => 409)])
    const again = await operator.post(`${prizes}/${prizeId}/void`, {})
    expect(again.headers.get('X-Error-Code')).to.equal('transition_illegal')
    expect(again.text).to.contain('voided already')
    expect(await countVoided(prizeId)).to.equal(1)
  })

  it('does not change a prize that is no longer won, and says what to do instead', async () => {
    for (const [state, hint] of [
      ['ordered', 'cancel its order'],
      ['fulfilled', 'was delivered'],
      ['cashback_pending', 'under way'],
      ['cashed_back', 'reverse its cashback'],
      ['expired', 'expired already'],
      ['voided', 'voided already'],
    ] as const) {
      const { prizeId } = await newPrize(state)
      const reply = await operator.post(`${prizes}/${prizeId}/void`, { reason: 'x' })
      const code = reply.headers.get('X-Error-Code')
      expect([reply.status, code], state).to.deep.equal([409, 'transition_illegal'])
      expect(textAt(reply, 'message'), state).to.contain(hint)
      expect(at(await operator.get(`${prizes}/${prizeId}`), 'data.state')).to.equal(state)
      expect(await countVoided(prizeId)).to.equal(0)
    }
  })

  it('excludes an order or cashback of the same prize at the same moment: exactly one of them happens', async function () {
    this.timeout(60_000)
    for (let round = 0; round < 30; round++) {
      const prize = await newPrize()
      const [ordered, cashedBack, voided] = await Promise.all([
        order(prize),
        cashBack(prize),
        operator.post(`${prizes}/${prize.prizeId}/void`, {}),
      ])
      const statuses = [ordered.status, cashedBack.status, voided.status]
      const won = {
        ordered: statuses[0] === 200,
        cashback_pending: statuses[1] === 200,
        voided: statuses[2] === 200,
      }
      const fates = Object.entries(won).flatMap(([fate, isWon]) => (isWon ? [fate] : []))
      expect(fates.length, statuses.join()).to.equal(1)
      expect([200, 404]).to.include.members([ordered.status, cashedBack.status])
      expect([200, 409]).to.include(voided.status)
      const read = await operator.get(`${prizes}/${prize.prizeId}`)
      expect(at(read, 'data.state')).to.equal(fates[0])
      expect(listAt(read, 'data.orders').length).to.equal(won.ordered ? 1 : 0)
      expect(listAt(read, 'data.cashbacks').length).to.equal(won.cashback_pending ? 1 : 0)
      const steps = await service.database.event.findMany({
        where: { objectType: 'prize', objectId: prize.prizeId },
        orderBy: { sequence: 'asc' },
      })
      expect(fieldOf(steps, 'toState')).to.deep.equal(['won', fates[0]])
    }
  })

  it('returns nothing to a limited stock', async () => {
    const itemId = await service.factory.item(casino.id)
    const boxId = await service.factory.box(casino.id, {
      limit: { count: 5, period: 'day' },
      entries: [{ itemId, weight: 1, stock: 1 }],
    })
    const open = () => service.client.post('/box/open', casino.apiKey, { player_id: 'lucky', box_id: boxId })
    const opened = await open()
    expect(opened.status, opened.text).to.equal(200)
    const prizeId = textAt(await operator.get(`/${casino.id}/players/lucky/prizes`), 'data.0.prize_id')
    expect((await operator.post(`${prizes}/${prizeId}/void`)).status).to.equal(200)
    expect((await open()).headers.get('X-Error-Code')).to.equal('box_sold_out')
  })

  it('works on prizes of its own casino only, and refuses invalid parameters', async () => {
    const { prizeId } = await newPrize()
    const other = await service.factory.casino()
    const stranger = createOperator(service.client, other.apiKey)
    const foreign = await stranger.post(`/${other.id}/prizes/${prizeId}/void`, {})
    expect([foreign.status, foreign.headers.get('X-Error-Code')]).to.deep.equal([404, 'prize_unknown'])
    expect((await operator.post(`${prizes}/nobody/void`, {})).status).to.equal(404)
    expect((await operator.post(`${prizes}/a%00b/void`, {})).status).to.equal(400)
    for (const reason of ['\u0000', '\ud800', 7, 'x'.repeat(501), ['x']]) {
      const reply = await operator.post(`${prizes}/${prizeId}/void`, { reason })
      expect([reply.status, complaintsOf(reply)], JSON.stringify(reason)).to.deep.equal([400, ['reason']])
    }
    expect(at(await operator.get(`${prizes}/${prizeId}`), 'data.state')).to.equal('won')
    const admin = createOperator(service.client, adminApiKey)
    expect((await admin.post(`${prizes}/${prizeId}/void`, { reason: null })).status).to.equal(200)
    expect(at(await admin.get(`${prizes}/${prizeId}`), 'data.history.1.actor')).to.equal('admin')
  })
})
