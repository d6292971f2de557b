import { expect } from 'chai'
import {
  asAdmin,
  placeOrders,
  preview,
  resultsOf,
  setUpActs,
  signIn,
  stateOf,
  untilEnded,
  winPrizes,
} from '../../support/acts.ts'
import type { SignedIn } from '../../support/acts.ts'
import { eventually } from '../../support/eventually.ts'
import type { TestCasino } from '../../support/factory.ts'
import type { TestService } from '../../support/service.ts'
import { at, complaintsOf, createOperator, fieldOf, listAt, readAll, textAt } from './operator.ts'
import type { TestOperator } from './operator.ts'

describe('acts of operators', () => {
  let service: TestService
  let casino: TestCasino
  let key: TestOperator

  setUpActs((world) => {
    ;({ service, casino, key } = world)
  })

  const acts = () => `/${casino.id}/acts`
  const move = (who: TestOperator, actId: string, what: string) =>
    who.post(`${acts()}/${actId}/${what}`, { reason: 'a test' })
  const limit = (amount: number) =>
    key.put(`/${casino.id}/settings/approvals`, { limits: [{ amount_minor: amount, currency: 'EUR' }] })
  const statesOf = async (prizeIds: readonly string[]) => {
    const prizes = await service.database.prize.findMany({
      where: { casinoId: casino.id, id: { in: [...prizeIds] } },
    })
    return prizes.map(({ state }) => state)
  }

  describe('in preview', () => {
    it('show the effect on each object, and change none', async () => {
      const [open = '', confirmed = ''] = await placeOrders(service, casino, 2)
      await key.post(`/${casino.id}/orders/${confirmed}/confirm`)
      const reply = await key.post(acts(), {
        action: 'order.confirm',
        object_ids: [open, confirmed, 'ord_missing'],
      })
      expect(reply.status, reply.text).to.equal(201)
      expect(at(reply, 'data.state')).to.equal('previewed')
      expect(at(reply, 'data.preview.allowed')).to.equal(1)
      const [first, second] = listAt(reply, 'data.preview.refused')
      expect(first).to.include({ object_id: confirmed, code: 'transition_illegal' })
      expect(second).to.include({ object_id: 'ord_missing', code: 'order_unknown' })
      expect(textAt(reply, 'data.preview.refused.0.message')).to.match(/^(The|An) order /)
      expect(at(reply, 'data.preview.needs_approval')).to.equal(false)
      const order = await key.get(`/${casino.id}/orders/${open}`)
      expect(at(order, 'data.state')).to.equal('pending_confirmation')
    })

    it('sum the money that the action decides about, over the objects that it is allowed for', async () => {
      const [first = '', second = '', gone = ''] = await winPrizes(service, casino, 3)
      await key.post(`/${casino.id}/prizes/${gone}/void`)
      const reply = await key.post(acts(), { action: 'prize.void', object_ids: [first, second, gone] })
      expect(listAt(reply, 'data.preview.amounts')).to.deep.equal([{ amount_minor: 1000, currency: 'EUR' }])
      expect(at(reply, 'data.preview.cannot_undo')).to.equal(true)
    })

    it('refuse parameters that are missing or belong to another action', async () => {
      const send = (body: object) => key.post(acts(), { action: 'order.hold', object_ids: ['a'], ...body })
      expect(complaintsOf(await send({}))).to.deep.equal(['params.hold_reason'])
      expect(
        complaintsOf(await send({ params: { hold_reason: 'kyc_pending', outcome: 'credited' } })),
      ).to.deep.equal(['params.outcome'])
      const params = { hold_reason: 'kyc_pending' }
      expect(complaintsOf(await send({ params, object_ids: ['a', 'a'] }))).to.deep.equal(['object_ids'])
      expect(complaintsOf(await send({ params, object_ids: [] }))).to.deep.equal(['object_ids'])
      const tooMany = Array.from({ length: 1001 }, (_, index) => `o${String(index)}`)
      expect(complaintsOf(await send({ params, object_ids: tooMany }))).to.deep.equal(['object_ids'])
      expect(complaintsOf(await key.post(acts(), { action: 'order.eat', object_ids: ['a'] }))).to.deep.equal([
        'action',
      ])
    })

    it('refuse to give a prize of an item that does not exist', async () => {
      const body = { action: 'player.give-prize', object_ids: ['p-1'] }
      const reply = await key.post(acts(), { ...body, params: { item_id: 'missing' } })
      expect(at(reply, 'data.preview.refused.0.code')).to.equal('item_unknown')
      expect(complaintsOf(await key.post(acts(), body))).to.deep.equal(['params.item_id'])
    })

    it('are refused to operators without the right of the action', async () => {
      const finance = await signIn(service, 'finance')
      const support = await signIn(service, 'support')
      const [prizeId = ''] = await winPrizes(service, casino, 1)
      const voiding = { action: 'prize.void', object_ids: [prizeId] }
      expect(stateOf(await support.post(acts(), voiding))).to.equal('right_missing')
      expect(stateOf(await finance.post(acts(), voiding))).to.equal('previewed')
      const confirming = { action: 'order.confirm', object_ids: ['ord_1'] }
      expect(stateOf(await finance.post(acts(), confirming))).to.equal('right_missing')
      expect(stateOf(await (await signIn(service, 'viewer')).post(acts(), confirming))).to.equal(
        'right_missing',
      )
    })
  })

  it('run with the reason in the history of each object, and show the result of each', async () => {
    const support = await signIn(service, 'support', [casino.id])
    const orderIds = await placeOrders(service, casino, 5)
    // The worker asks for the confirmations first.
    await service.drain()
    const actId = await preview(support, casino, 'order.confirm', [...orderIds, 'ord_missing'])
    expect(stateOf(await move(support, actId, 'start'))).to.equal('running')
    await untilEnded(key, casino, actId)
    expect(await resultsOf(service, actId)).to.deep.equal({ done: 5, order_unknown: 1 })
    const order = await key.get(`/${casino.id}/orders/${orderIds[0] ?? ''}`)
    const confirmed = listAt(order, 'data.history').find(
      (entry) => (entry as { type: string }).type === 'prize_order.confirmed',
    ) as { actor: string; reason: string }
    expect(confirmed.actor).to.equal(`operator:${support.username}`)
    expect(confirmed.reason).to.equal('a test')
    const objects = `${acts()}/${actId}/objects`
    expect(await readAll(key, objects, 2, 'object_id')).to.deep.equal([...orderIds, 'ord_missing'].sort())
    expect(fieldOf(listAt(await key.get(`${objects}?state=refused`)), 'code')).to.deep.equal([
      'order_unknown',
    ])
    expect(fieldOf(listAt(await key.get(`${acts()}?state=done`)), 'act_id')).to.deep.equal([actId])
    expect(listAt(await key.get(`${acts()}?state=running`))).to.deep.equal([])
  })

  it('belong to their casino: another casino does not find them', async () => {
    const other = await service.factory.casino()
    const [prizeId = ''] = await winPrizes(service, casino, 1)
    const actId = await preview(key, casino, 'prize.void', [prizeId])
    const foreign = createOperator(service.client, other.apiKey)
    const path = `/${other.id}/acts/${actId}`
    expect(stateOf(await foreign.get(path))).to.equal('act_unknown')
    expect(stateOf(await foreign.get(`${path}/objects`))).to.equal('act_unknown')
    for (const what of ['start', 'stop', 'approve', 'decline']) {
      expect(stateOf(await foreign.post(`${path}/${what}`, { reason: 'a test' }))).to.equal('act_unknown')
    }
    const elsewhere = await signIn(service, 'admin', [other.id])
    expect(stateOf(await move(elsewhere, actId, 'start'))).to.equal('casino_unknown')
    // Objects of another casino are unknown to it.
    const reply = await foreign.post(`/${other.id}/acts`, { action: 'prize.void', object_ids: [prizeId] })
    expect(at(reply, 'data.preview.allowed')).to.equal(0)
    expect(await statesOf([prizeId])).to.deep.equal(['won'])
  })

  it('expire when no operator starts them in time', async () => {
    const [prizeId = ''] = await winPrizes(service, casino, 1)
    const actId = await preview(key, casino, 'prize.void', [prizeId])
    await service.database.act.update({
      where: { id: actId },
      data: { expiresAt: new Date(Date.now() - 60_000) },
    })
    for (const what of ['start', 'stop']) {
      expect(stateOf(await move(key, actId, what))).to.equal('act_expired')
    }
    expect(await statesOf([prizeId])).to.deep.equal(['won'])
  })

  it('can be started only by the operator who made them, who must still have the right', async () => {
    const finance = await signIn(service, 'finance')
    const [prizeId = ''] = await winPrizes(service, casino, 1)
    const actId = await preview(finance, casino, 'prize.void', [prizeId])
    expect(stateOf(await move(key, actId, 'start'))).to.equal('act_not_yours')
    expect(stateOf(await move(await signIn(service, 'finance'), actId, 'start'))).to.equal('act_not_yours')
    await service.database.operator.update({ where: { id: finance.id }, data: { role: 'support' } })
    expect(stateOf(await move(finance, actId, 'start'))).to.equal('right_missing')
    await service.database.operator.update({ where: { id: finance.id }, data: { disabledAt: new Date() } })
    expect((await move(finance, actId, 'start')).status).to.equal(401)
    expect(await statesOf([prizeId])).to.deep.equal(['won'])
  })

  it('need a reason to start', async () => {
    const [prizeId = ''] = await winPrizes(service, casino, 1)
    const actId = await preview(key, casino, 'prize.void', [prizeId])
    expect(complaintsOf(await key.post(`${acts()}/${actId}/start`, {}))).to.deep.equal(['reason'])
  })

  describe('above the limit', () => {
    let maker: SignedIn
    let other: SignedIn
    beforeEach(async () => {
      expect((await limit(900)).status).to.equal(200)
      maker = await signIn(service, 'finance', [casino.id])
      other = await signIn(service, 'finance', [casino.id])
    })
    const pending = async () => {
      const prizeIds = await winPrizes(service, casino, 2)
      const actId = await preview(maker, casino, 'prize.void', prizeIds)
      expect(stateOf(await move(maker, actId, 'start'))).to.equal('pending_approval')
      return { actId, prizeIds }
    }

    it('wait for another operator, whose approval starts them', async () => {
      const { actId, prizeIds } = await pending()
      expect(await statesOf(prizeIds)).to.deep.equal(['won', 'won'])
      const reply = await move(other, actId, 'approve')
      expect(stateOf(reply)).to.equal('running')
      expect(at(reply, 'data.decided_by')).to.equal(`operator:${other.username}`)
      await untilEnded(key, casino, actId)
      expect(await statesOf(prizeIds)).to.deep.equal(['voided', 'voided'])
      expect(stateOf(await move(other, actId, 'approve'))).to.equal('transition_illegal')
    })

    it('are approved once under an Idempotency-Key, which gets the same answer again', async () => {
      const { actId } = await pending()
      const approve = () =>
        service.client.send('POST', `/admin/casinos${acts()}/${actId}/approve`, {
          headers: { ...other.cookie, 'Content-Type': 'application/json', 'Idempotency-Key': 'approval' },
          body: JSON.stringify({ reason: 'a test' }),
        })
      const first = await approve()
      expect(stateOf(first)).to.equal('running')
      const again = await approve()
      expect(again.text).to.equal(first.text)
      expect(again.headers.get('Idempotency-Replayed')).to.equal('true')
    })

    it('cannot be approved by their maker in another session, by API keys, or without the right', async () => {
      const { actId, prizeIds } = await pending()
      expect(stateOf(await move(maker, actId, 'approve'))).to.equal('approval_by_maker')
      expect(stateOf(await move(await maker.again(), actId, 'approve'))).to.equal('approval_by_maker')
      for (const what of ['approve', 'decline']) {
        expect(stateOf(await move(key, actId, what))).to.equal('session_required')
        expect(stateOf(await move(asAdmin(service), actId, what))).to.equal('session_required')
        expect(stateOf(await move(await signIn(service, 'support'), actId, what))).to.equal('right_missing')
      }
      expect(await statesOf(prizeIds)).to.deep.equal(['won', 'won'])
    })

    it('change nothing when they are declined', async () => {
      const { actId, prizeIds } = await pending()
      expect(stateOf(await move(other, actId, 'decline'))).to.equal('declined')
      expect(await resultsOf(service, actId)).to.deep.equal({ skipped: 2 })
      expect(stateOf(await move(other, actId, 'approve'))).to.equal('transition_illegal')
      expect(await statesOf(prizeIds)).to.deep.equal(['won', 'won'])
    })

    it('are approved or declined once when both happen at the same time', async () => {
      const { actId } = await pending()
      const third = await signIn(service, 'finance')
      const replies = await Promise.all([move(other, actId, 'approve'), move(third, actId, 'decline')])
      expect(replies.map(({ status }) => status).sort()).to.deep.equal([200, 409])
    })

    it('cannot be approved after their maker is disabled or has lost the right', async () => {
      const { actId } = await pending()
      const { id } = maker
      await service.database.operator.update({ where: { id }, data: { role: 'support' } })
      expect(stateOf(await move(other, actId, 'approve'))).to.equal('act_maker_unable')
      await service.database.operator.update({
        where: { id },
        data: { role: 'finance', disabledAt: new Date() },
      })
      expect(stateOf(await move(other, actId, 'approve'))).to.equal('act_maker_unable')
      expect(stateOf(await move(other, actId, 'decline'))).to.equal('declined')
    })

    it('are held to the limit at the moment of the start, not at that of the preview', async () => {
      await limit(1_000)
      const actId = await preview(maker, casino, 'prize.void', await winPrizes(service, casino, 2))
      await limit(999)
      expect(stateOf(await move(maker, actId, 'start'))).to.equal('pending_approval')
    })

    it('need no second operator when an API key makes them', async () => {
      const actId = await preview(key, casino, 'prize.void', await winPrizes(service, casino, 2))
      expect(stateOf(await move(key, actId, 'start'))).to.equal('running')
    })

    it('stop an operator from acting alone on a single object', async () => {
      await limit(499)
      const [prizeId = ''] = await winPrizes(service, casino, 1)
      const path = `/${casino.id}/prizes/${prizeId}/void`
      expect(stateOf(await maker.post(path, { reason: 'a test' }))).to.equal('approval_required')
      expect(await statesOf([prizeId])).to.deep.equal(['won'])
      await limit(500)
      expect(stateOf(await maker.post(path, { reason: 'a test' }))).to.equal('voided')
    })

    it('stop an operator from giving a prize alone, and give each player one prize after the approval', async () => {
      await limit(499)
      const itemId = await service.factory.item(casino.id, { cashback: 250 })
      const players = ['new-player-1', 'new-player-2']
      const give = (who: TestOperator, item: string) =>
        who.post(`/${casino.id}/prizes`, { player_id: players[0], item_id: item })
      const expensive = await service.factory.item(casino.id, { cashback: 500 })
      expect(stateOf(await give(maker, expensive))).to.equal('approval_required')
      expect(stateOf(await give(maker, itemId))).to.equal('won')
      expect(stateOf(await give(key, expensive))).to.equal('won')
      const actId = await preview(maker, casino, 'player.give-prize', players, { item_id: itemId })
      expect(stateOf(await move(maker, actId, 'start'))).to.equal('pending_approval')
      expect(stateOf(await move(other, actId, 'approve'))).to.equal('running')
      await untilEnded(key, casino, actId)
      expect(await resultsOf(service, actId)).to.deep.equal({ done: 2 })
      const given = await service.database.prize.groupBy({
        by: ['playerId'],
        where: { casinoId: casino.id, itemId },
        _count: true,
        orderBy: { playerId: 'asc' },
      })
      expect(given.map(({ _count: count }) => count)).to.deep.equal([2, 1])
    })

    it('do not give a prize whose value has changed since the preview', async () => {
      await limit(499)
      const itemId = await service.factory.item(casino.id, { cashback: 100 })
      const actId = await preview(maker, casino, 'player.give-prize', ['p-1', 'p-2'], { item_id: itemId })
      await service.database.item.update({
        where: { casinoId_id: { casinoId: casino.id, id: itemId } },
        data: { cashbackAmountMinor: 10_000 },
      })
      expect(stateOf(await move(maker, actId, 'start'))).to.equal('running')
      await untilEnded(key, casino, actId)
      expect(await resultsOf(service, actId)).to.deep.equal({ revision_changed: 2 })
      expect(await service.database.prize.count({ where: { casinoId: casino.id, itemId } })).to.equal(0)
    })

    it('stop an operator from reversing a cashback alone, but not an API key', async () => {
      await limit(499)
      const { prizeId, playerId } = await service.factory.prize(casino.id)
      const body = { player_id: playerId, prize_id: prizeId }
      expect((await service.client.post('/prize/cashback', casino.apiKey, body)).status).to.equal(200)
      await eventually('the cashback is credited', async () => {
        const row = await service.database.cashback.findFirst({ where: { casinoId: casino.id, prizeId } })
        return row?.state === 'credited'
      })
      const { id } = await service.database.cashback.findFirstOrThrow({
        where: { casinoId: casino.id, prizeId },
      })
      const reverse = (who: TestOperator) =>
        who.post(`/${casino.id}/cashbacks/${id}/reverse`, { prize: 'return', reason: 'a test' })
      expect(stateOf(await reverse(maker))).to.equal('approval_required')
      expect(stateOf(await reverse(key))).to.equal('reversed')
    })
  })
})
