import { expect } from 'chai'
import { Webhook } from 'standardwebhooks'
import { at, complaintsOf, createOperator, fieldOf, listAt, textAt } from '../../api/admin/operator.ts'
import type { TestOperator } from '../../api/admin/operator.ts'
import { atEndOfSuite, atEndOfTest } from '../../support/at-end.ts'
import { eventually } from '../../support/eventually.ts'
import { startFakeProvider } from '../../support/fake-provider.ts'
import type { FakeProvider, ProviderCall, ProviderReaction } from '../../support/fake-provider.ts'
import { delivery } from '../../support/factory.ts'
import type { TestCasino } from '../../support/factory.ts'
import { casesOf } from '../../support/runs.ts'
import { startService } from '../../support/service.ts'
import type { TestService, TestWorker } from '../../support/service.ts'
import { wakeSnoozed } from '../../support/work.ts'

const secret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`

describe('orders of a casino with a fulfilment provider', () => {
  let service: TestService
  let worker: TestWorker
  let provider: FakeProvider
  let casino: TestCasino
  let operator: TestOperator
  /** How far the services' clock is ahead. */
  let aheadMs = 0
  const nowMs = () => Date.now() + aheadMs
  /** When the test began; the times of shipment updates count from it. */
  let begunMs = 0

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService({ clock: { now: () => new Date(nowMs()) } })
    atEnd(() => service.stop())
    worker = service.startWorker()
  })
  const atTestEnd = atEndOfTest()
  beforeEach(async () => {
    begunMs = nowMs()
    provider = await startFakeProvider(secret)
    atTestEnd(() => provider.stop())
    casino = await service.factory.casino()
    operator = createOperator(service.client, casino.apiKey)
    await setTimeoutMs(500)
  })

  /** Sets the time that the provider has for an answer. */
  const setTimeoutMs = async (ms: number) => {
    const setting = { kind: 'http', url: provider.url, secret, timeout_ms: ms, poll_minutes: 60 }
    expect((await operator.put(`/${casino.id}/settings/fulfilment`, setting)).status).to.equal(200)
  }

  const orderPath = (orderId: string) => `/${casino.id}/orders/${orderId}`
  const read = (orderId: string) => operator.get(orderPath(orderId))
  const stateOf = async (orderId: string) => at(await read(orderId), 'data.state')
  const move = (orderId: string, name: string, body?: object) =>
    operator.post(`${orderPath(orderId)}/${name}`, body)
  const eventsOf = async (orderId: string) =>
    fieldOf(listAt(await read(orderId), 'data.history'), 'type').map((type) =>
      String(type).replace('prize_order.', ''),
    )
  const prizeState = async (prizeId: string) =>
    at(await operator.get(`/${casino.id}/prizes/${prizeId}`), 'data.state')

  const confirmedOrder = async () => {
    const { prizeId } = await service.factory.prize(casino.id, { playerId: 'ann' })
    await service.client.post('/prize/order', casino.apiKey, {
      player_id: 'ann',
      prize_id: prizeId,
      ...delivery,
    })
    const prize = await operator.get(`/${casino.id}/prizes/${prizeId}`)
    const orderId = textAt(prize, 'data.orders.0.order_id')
    await service.drain()
    expect((await move(orderId, 'confirm')).status).to.equal(200)
    return { prizeId, orderId }
  }
  /** An order whose submission is answered after `answer`, which is told the order's id. */
  const confirmedOrderWhile = async (answer: (orderId: string) => Promise<ProviderReaction>) => {
    await setTimeoutMs(10_000)
    provider.react(({ type, order_id }) =>
      type === 'order.submit' ? answer(order_id) : { status: 200, body: { status: 'accepted' } },
    )
    return confirmedOrder()
  }
  const metrics = async () => (await service.client.send('GET', '/metrics')).text
  const problemBecomes = (orderId: string, problem: string | null) =>
    eventually(`the problem is ${String(problem)}`, async () => {
      return at(await read(orderId), 'data.problem') === problem
    })
  const submittedOrder = async () => {
    const order = await confirmedOrder()
    await eventually('the order is submitted', async () => (await stateOf(order.orderId)) === 'submitted')
    return order
  }
  /** Waits until no work is left and no call is in progress. */
  const settle = async () => {
    await service.drain()
    await eventually(
      'all calls are over',
      async () => (await service.database.prizeOrder.count({ where: { attemptUntil: { not: null } } })) === 0,
    )
  }
  /** Lets time pass, for the clock and for snoozed work in the outbox. */
  const wait = async (ms: number) => {
    aheadMs += ms
    await settle()
    await wakeSnoozed(service.database)
    await settle()
  }
  let told = 0
  const tell = (
    update: object,
    { id = `update-${++told}`, signedWith = secret, sentAt = new Date(nowMs()) } = {},
  ) => {
    const body = JSON.stringify(update)
    return service.client.send('POST', `/partners/fulfilment/${casino.id}`, {
      headers: {
        'Content-Type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
        'webhook-signature': new Webhook(signedWith).sign(id, sentAt, body),
      },
      body,
    })
  }
  const updateOf = (orderId: string, status: string, afterMs: number, more: object = {}) => ({
    order_id: orderId,
    shipment_number: 1,
    status,
    occurred_at: new Date(begunMs + afterMs).toISOString(),
    ...more,
  })

  it('are submitted once after their confirmation, with the address, and followed to the player', async () => {
    const { prizeId, orderId } = await submittedOrder()
    expect([...provider.parcels]).to.deep.equal([`${orderId}-1`])
    expect(provider.calls[0]).to.deep.include({ type: 'order.submit', shipment_number: 1, delivery })
    for (const [status, afterMs, more] of [
      ['processing', 1, {}],
      ['shipped', 2, { carrier: 'Post', tracking_number: 'T-9' }],
      ['delivered', 3, {}],
    ] as const) {
      expect((await tell(updateOf(orderId, status, afterMs, more))).status).to.equal(200)
    }
    await eventually('the order is delivered', async () => (await stateOf(orderId)) === 'delivered')
    expect(at(await read(orderId), 'data')).to.include({
      provider: 'http',
      carrier: 'Post',
      tracking_number: 'T-9',
    })
    expect(await prizeState(prizeId)).to.equal('fulfilled')
  })

  it('are tried again with the same key when the answer is lost, and become one parcel', async () => {
    provider.react(() => 'acts_and_dies')
    const { orderId } = await confirmedOrder()
    await eventually('it was tried', () => Promise.resolve(provider.calls.length === 1))
    await settle()
    expect(await stateOf(orderId)).to.equal('confirmed')
    provider.react(() => ({ status: 503, text: 'busy' }))
    await wait(40_000)
    provider.react(() => ({ status: 200, text: '<html>garbage' }))
    await wait(200_000)
    provider.react(() => 'hangs')
    await wait(800_000)
    provider.react(() => ({ status: 200, body: { status: 'accepted', reference: null } }))
    await wait(5_000_000)
    expect(await stateOf(orderId)).to.equal('submitted')
    expect(provider.calls.map((call) => call.submission_id)).to.deep.equal(
      Array.from({ length: 5 }, () => `${orderId}-1`),
    )
    expect([...provider.parcels]).to.deep.equal([`${orderId}-1`])
    expect(await eventsOf(orderId)).to.include.members(['submission_attempted', 'submission_unknown'])
  })

  it('are held for operators when the provider does not answer', async () => {
    provider.react(() => ({ status: 500, text: 'down' }))
    const { orderId } = await confirmedOrder()
    await eventually('it was tried', () => Promise.resolve(provider.calls.length === 1))
    await settle()
    for (let tries = 1; tries <= 6; tries++) await wait(30 * 3_600_000)
    expect(at(await read(orderId), 'data')).to.deep.include({
      state: 'confirmed',
      holds: ['other'],
      problem: 'status_500',
      ended_at: null,
    })
    expect((await service.client.send('GET', '/metrics')).text).to.match(
      /^rewards_orders_open\{state="held"\} [1-9]/m,
    )
    expect(provider.calls).to.have.length(7)
    provider.react(() => ({ status: 200, body: { status: 'accepted' } }))
    await move(orderId, 'release')
    await eventually('it is submitted', async () => (await stateOf(orderId)) === 'submitted')
  })

  it('become an exception after a refusal, from which the prize can be given back', async () => {
    provider.react(() => ({ status: 422, body: { status: 'rejected', code: 'destination_unsupported' } }))
    const { prizeId, orderId } = await confirmedOrder()
    await eventually('it is refused', async () => (await stateOf(orderId)) === 'exception')
    expect(at(await read(orderId), 'data.exception_reason')).to.equal('address_invalid')
    await move(orderId, 'cancel')
    expect(await prizeState(prizeId)).to.equal('won')
  })

  it('do not treat an unlisted refusal as a refusal', async () => {
    provider.react(() => ({ status: 422, body: { status: 'rejected', code: 'mercury_retrograde' } }))
    const { orderId } = await confirmedOrder()
    await eventually('it was tried', () => Promise.resolve(provider.calls.length === 1))
    await settle()
    expect(await stateOf(orderId)).to.equal('confirmed')
  })

  it('are not sent to a provider that does not know the service, until an operator has looked', async () => {
    provider.react(() => ({ status: 403, text: 'who are you' }))
    const { orderId } = await confirmedOrder()
    await eventually('it was tried', () => Promise.resolve(provider.calls.length === 1))
    await settle()
    const setting = await operator.get(`/${casino.id}/settings/fulfilment`)
    expect(at(setting, 'data.paused_at')).to.be.a('string')
    await eventually('the worker knows of it, and calls no more', async () => {
      const before = provider.calls.length
      await wait(400_000)
      return provider.calls.length === before
    })
    provider.react(() => ({ status: 200, body: { status: 'accepted' } }))
    const called = provider.calls.length
    await wait(400_000)
    expect(provider.calls).to.have.length(called)
    expect((await operator.post(`/${casino.id}/settings/fulfilment/resume`)).status).to.equal(200)
    await eventually('the worker knows of it, and submits', async () => {
      await wait(400_000)
      return (await stateOf(orderId)) === 'submitted'
    })
    expect([...provider.parcels]).to.deep.equal([`${orderId}-1`])
  })

  for (const [answer, state, prize] of [
    ['cancelled', 'cancelled', 'voided'],
    ['refused', 'submitted', 'ordered'],
    ['pending', 'cancel_requested', 'ordered'],
  ] as const) {
    it(`are cancelled after their submission by asking the provider: ${answer} makes them ${state}`, async () => {
      const { prizeId, orderId } = await submittedOrder()
      provider.react(() => ({ status: 200, body: { status: answer } }))
      await move(orderId, 'cancel', { return_prize: false })
      await eventually('it was asked', () =>
        Promise.resolve(provider.calls.some(({ type }) => type === 'order.cancel')),
      )
      await settle()
      expect(await stateOf(orderId)).to.equal(state)
      expect(await prizeState(prizeId)).to.equal(prize)
    })
  }

  it('leave the decision to the provider when the same cancellation is sent many times at the same time', async () => {
    const { prizeId, orderId } = await submittedOrder()
    provider.react(() => ({ status: 200, body: { status: 'refused' } }))
    await worker.stop()
    const replies = await Promise.all(Array.from({ length: 6 }, () => move(orderId, 'cancel')))
    expect(replies.map(({ status }) => status).sort()).to.deep.equal([200, 409, 409, 409, 409, 409])
    worker = service.startWorker()
    await eventually('the provider refuses', async () => (await eventsOf(orderId)).includes('cancel_refused'))
    expect([await stateOf(orderId), await prizeState(prizeId)]).to.deep.equal(['submitted', 'ordered'])
  })

  it('request the cancellation of a submission whose answer was lost, instead of cancelling immediately', async () => {
    provider.react(() => 'acts_and_dies')
    const { orderId } = await confirmedOrder()
    await eventually('it was tried', () => Promise.resolve(provider.calls.length === 1))
    await settle()
    provider.react(() => ({ status: 200, body: { status: 'cancelled' } }))
    expect(at(await move(orderId, 'cancel'), 'data.state')).to.equal('cancel_requested')
    await eventually('it is cancelled', async () => (await stateOf(orderId)) === 'cancelled')
  })

  it('keep shipment updates that are late, repeated or illegal, and apply only newer legal ones', async () => {
    const { orderId } = await submittedOrder()
    const shipped = updateOf(orderId, 'shipped', 10, { carrier: 'Post' })
    expect((await tell(shipped, { id: 'n-1' })).status).to.equal(200)
    expect((await tell(shipped, { id: 'n-1' })).status).to.equal(200)
    await settle()
    await tell(updateOf(orderId, 'processing', 5), { id: 'n-2' })
    await settle()
    await tell(updateOf(orderId, 'cancel_refused', 20), { id: 'n-3' })
    await tell({ ...updateOf(orderId, 'delivered', 30), shipment_number: 2 }, { id: 'n-4' })
    await settle()
    expect(await stateOf(orderId)).to.equal('shipped')
    const kept = await service.database.partnerEvent.findMany({
      where: { casinoId: casino.id },
      orderBy: { id: 'asc' },
      select: { id: true, outcome: true },
    })
    expect(kept).to.deep.equal([
      { id: 'n-1', outcome: 'applied' },
      { id: 'n-2', outcome: 'not_newer' },
      { id: 'n-3', outcome: 'illegal' },
      { id: 'n-4', outcome: 'other_shipment' },
    ])
    expect((await eventsOf(orderId)).filter((type) => type === 'shipped')).to.have.length(1)
  })

  /** The entries in its history and in the feed about updates that changed nothing. */
  const notedOf = async (orderId: string) => {
    const isNoted = (entry: unknown) => fieldOf([entry], 'type')[0] === 'prize_order.news_ignored'
    const feed = listAt(await operator.get(`/${casino.id}/events`)).filter(isNoted)
    return {
      reasons: fieldOf(listAt(await read(orderId), 'data.history').filter(isNoted), 'reason'),
      told: fieldOf(fieldOf(feed, 'data'), 'status'),
    }
  }

  it('record the delivery of a parcel whose order was cancelled', async () => {
    const { prizeId, orderId } = await submittedOrder()
    await tell(updateOf(orderId, 'exception', 10))
    await settle()
    await move(orderId, 'cancel')
    await settle()
    expect(await prizeState(prizeId)).to.equal('won')
    const endedAt = textAt(await read(orderId), 'data.ended_at')
    aheadMs += 60_000
    const delivered = updateOf(orderId, 'delivered', 20)
    await tell(delivered, { id: 'late' })
    await settle()
    // The same under another id, and what had happened before.
    await tell(delivered, { id: 'late-again' })
    await tell(updateOf(orderId, 'shipped', 15), { id: 'later-still' })
    await settle()
    expect(await notedOf(orderId)).to.deep.equal({
      reasons: ['The provider reported parcel 1: delivered'],
      told: ['delivered'],
    })
    expect(at(await read(orderId), 'data')).to.include({ state: 'cancelled', ended_at: endedAt })
    expect(await prizeState(prizeId)).to.equal('won')
    const kept = await service.database.partnerEvent.findMany({
      where: { casinoId: casino.id, id: { startsWith: 'late' } },
      orderBy: { id: 'asc' },
    })
    expect(kept.map(({ outcome }) => outcome)).to.deep.equal(['noted', 'not_newer', 'not_newer'])
  })

  it('record the delivery of a parcel that another one has replaced', async () => {
    const { orderId } = await submittedOrder()
    await tell(updateOf(orderId, 'exception', 10, { reason: 'lost' }))
    await settle()
    await move(orderId, 'reship')
    await eventually('it is submitted again', async () => (await stateOf(orderId)) === 'submitted')
    await tell(updateOf(orderId, 'shipped', 5), { id: 'of-before-the-loss' })
    await tell(updateOf(orderId, 'delivered', 20), { id: 'of-the-first' })
    await settle()
    await tell({ ...updateOf(orderId, 'shipped', 30), shipment_number: 2 })
    await settle()
    expect(await notedOf(orderId)).to.deep.equal({
      reasons: ['The provider reported parcel 1: delivered'],
      told: ['delivered'],
    })
    expect(await stateOf(orderId)).to.equal('shipped')
  })

  it('record the provider’s cancellation of a parcel that its update has made an exception meanwhile', async () => {
    await setTimeoutMs(10_000)
    const { orderId } = await submittedOrder()
    let answer: (reaction: ProviderReaction) => void = () => undefined
    const cancellation = new Promise<ProviderReaction>((resolve) => (answer = resolve))
    provider.react(() => cancellation)
    await move(orderId, 'cancel')
    await eventually('it is asked', () => Promise.resolve(provider.calls.at(-1)?.type === 'order.cancel'))
    await tell(updateOf(orderId, 'exception', 5))
    await eventually('it is an exception', async () => (await stateOf(orderId)) === 'exception')
    answer({ status: 200, body: { status: 'cancelled' } })
    await eventually('it is counted', async () =>
      (
        await worker.deps.metrics.registry.getSingleMetricAsString('rewards_shipment_updates_ignored_total')
      ).includes('rewards_shipment_updates_ignored_total{status="cancelled"} 1'),
    )
    expect((await notedOf(orderId)).told).to.deep.equal(['cancelled'])
    expect(await eventsOf(orderId)).to.include('news_ignored')
    expect(await stateOf(orderId)).to.equal('exception')
  })

  it('record that the provider refuses a cancellation that an operator has decided meanwhile', async () => {
    await setTimeoutMs(10_000)
    const { prizeId, orderId } = await submittedOrder()
    let refuse: (reaction: ProviderReaction) => void = () => undefined
    const refusal = new Promise<ProviderReaction>((resolve) => (refuse = resolve))
    provider.react(() => refusal)
    await move(orderId, 'cancel')
    await eventually('it is asked', () => Promise.resolve(provider.calls.at(-1)?.type === 'order.cancel'))
    expect(at(await move(orderId, 'cancel', { final: true }), 'data.state')).to.equal('cancelled')
    refuse({ status: 200, body: { status: 'refused' } })
    await eventually('it is in the history', async () => (await eventsOf(orderId)).includes('news_ignored'))
    expect((await notedOf(orderId)).told).to.deep.equal(['cancel_refused'])
    expect(
      await worker.deps.metrics.registry.getSingleMetricAsString('rewards_shipment_updates_ignored_total'),
    ).to.contain('rewards_shipment_updates_ignored_total{status="cancel_refused"} 1')
    expect([await stateOf(orderId), await prizeState(prizeId)]).to.deep.equal(['cancelled', 'won'])
  })

  for (const [what, change] of [
    ['was cancelled', { state: 'cancelled', endedAt: new Date() }],
    ['has another parcel', { shipmentNumber: 2, state: 'exception', exceptionReason: 'lost' }],
  ] as const) {
    it(`record that the provider accepts a parcel whose order ${what} meanwhile`, async () => {
      const { orderId } = await confirmedOrderWhile(async (id) => {
        await service.database.prizeOrder.update({
          where: { id },
          data: { ...change, revision: { increment: 1 }, attempts: 0, attemptUntil: null },
        })
        return { status: 200, body: { status: 'accepted' } }
      })
      await eventually('it is noted', async () => (await eventsOf(orderId)).includes('news_ignored'))
      const updates = await service.database.partnerEvent.findMany({ where: { orderId } })
      expect(updates.map(({ status, outcome }) => [status, outcome])).to.deep.equal([['processing', 'noted']])
      await eventually('the gauge shows it', async () =>
        /^rewards_orders_open\{state="contradicted"\} [1-9]/m.test(await metrics()),
      )
    })
  }

  it('ask the provider to cancel an undelivered parcel, and give the prize back when it agrees', async () => {
    const { orderId, prizeId } = await submittedOrder()
    await tell(updateOf(orderId, 'exception', 1_000, { reason: 'returned' }))
    await settle()
    provider.react(() => ({ status: 200, body: { status: 'refused' } }))
    expect(at(await move(orderId, 'cancel'), 'data.state')).to.equal('cancel_requested')
    await settle()
    expect(await stateOf(orderId)).to.equal('exception')
    expect(await prizeState(prizeId)).to.equal('ordered')
    provider.react(({ type }) => ({
      status: 200,
      body: { status: type === 'order.cancel' ? 'cancelled' : 'accepted' },
    }))
    await move(orderId, 'cancel')
    await settle()
    expect(at(await read(orderId), 'data')).to.include({ state: 'cancelled', exception_reason: 'returned' })
    expect(await prizeState(prizeId)).to.equal('won')
    expect(provider.calls.filter(({ type }) => type === 'order.cancel')).to.have.length(2)
  })

  it('keep a late tracking number with the time of the earlier update', async () => {
    const { orderId } = await submittedOrder()
    await tell(updateOf(orderId, 'shipped', 1_000, { carrier: 'Post' }))
    await settle()
    await tell(updateOf(orderId, 'shipped', 1_000, { carrier: 'Post', tracking_number: 'T-1' }))
    await settle()
    expect(at(await read(orderId), 'data')).to.include({ carrier: 'Post', tracking_number: 'T-1' })
    await tell(updateOf(orderId, 'shipped', 1_000, { carrier: 'Post', tracking_number: 'T-1' }))
    await settle()
    expect((await eventsOf(orderId)).filter((event) => event === 'shipment_updated')).to.have.length(1)
  })

  it('keep a late tracking number from a poll with the time of the earlier answer', async () => {
    const { orderId } = await submittedOrder()
    const occurred_at = new Date(nowMs() + 1_000).toISOString()
    const answer = (more: object) => {
      provider.react(() => ({ status: 200, body: { status: 'shipped', occurred_at, ...more } }))
      return wait(61 * 60_000)
    }
    const polls = () => provider.calls.filter(({ type }) => type === 'order.status').length
    await answer({})
    await eventually('it is shipped', async () => (await stateOf(orderId)) === 'shipped')
    await answer({ tracking_number: 'T-2' })
    await eventually(
      'it has the number',
      async () => at(await read(orderId), 'data.tracking_number') === 'T-2',
    )
    const before = polls()
    await answer({ tracking_number: 'T-2' })
    await eventually('it was asked once more', () => Promise.resolve(polls() > before))
    await settle()
    expect(await service.database.partnerEvent.count({ where: { orderId } })).to.equal(2)
  })

  it('are listed while their provider does not know them', async () => {
    const { orderId } = await submittedOrder()
    provider.react(() => ({ status: 404, body: {} }))
    await wait(61 * 60_000)
    await problemBecomes(orderId, 'parcel_unknown')
    const listed = listAt(await operator.get(`/${casino.id}/orders`))
    expect(fieldOf(listed, 'problem')).to.deep.equal(['parcel_unknown'])
    expect(await metrics()).to.match(/^rewards_orders_open\{state="parcel_unknown"\} [1-9]/m)
    provider.react(() => ({ status: 200, body: { status: 'accepted' } }))
    await wait(61 * 60_000)
    await problemBecomes(orderId, null)
  })

  it('are listed while their provider has reported nothing about them for days', async () => {
    const { orderId } = await submittedOrder()
    await wait(71 * 3_600_000)
    await eventually('it is asked', () => Promise.resolve(provider.calls.at(-1)?.type === 'order.status'))
    expect(at(await read(orderId), 'data.problem')).to.equal(null)
    provider.react(() => ({ status: 503, body: {} }))
    await wait(2 * 3_600_000)
    await problemBecomes(orderId, 'provider_silent')
    expect(await metrics()).to.match(/^rewards_orders_open\{state="provider_silent"\} [1-9]/m)
    await tell(updateOf(orderId, 'shipped', 73 * 3_600_000))
    await settle()
    expect(at(await read(orderId), 'data')).to.include({ state: 'shipped', problem: null })
  })

  it('accept a tracking number and a reason that arrive later', async () => {
    const { orderId } = await submittedOrder()
    await tell(updateOf(orderId, 'shipped', 10))
    await tell(updateOf(orderId, 'shipped', 20, { carrier: 'Post', tracking_number: 'T-1' }))
    await settle()
    expect(at(await read(orderId), 'data')).to.include({
      state: 'shipped',
      carrier: 'Post',
      tracking_number: 'T-1',
    })
    await tell(updateOf(orderId, 'exception', 30, { reason: 'delivery_failed' }))
    await settle()
    await tell(updateOf(orderId, 'exception', 40, { reason: 'returned' }))
    await settle()
    expect(at(await read(orderId), 'data.exception_reason')).to.equal('returned')
    expect((await eventsOf(orderId)).slice(-4)).to.deep.equal([
      'shipped',
      'shipment_updated',
      'exception',
      'shipment_updated',
    ])
    await tell(updateOf(orderId, 'delivered', 50))
    await settle()
    expect(at(await read(orderId), 'data')).to.include({ state: 'delivered', exception_reason: null })
  })

  it('apply another update of the same moment once, when it differs', async () => {
    const { orderId } = await submittedOrder()
    await tell(updateOf(orderId, 'exception', 10, { reason: 'lost' }), { id: 'e-1' })
    await tell(updateOf(orderId, 'shipped', 10), { id: 'e-2' })
    await settle()
    expect(await stateOf(orderId)).to.equal('shipped')
    // A repetition under a new id, as polling brings it, must not undo the later update.
    await tell(updateOf(orderId, 'exception', 10), { id: 'e-3' })
    await settle()
    expect(await stateOf(orderId)).to.equal('shipped')
    const kept = await service.database.partnerEvent.findMany({
      where: { casinoId: casino.id },
      orderBy: { id: 'asc' },
    })
    expect(kept.map(({ outcome }) => outcome)).to.deep.equal(['applied', 'applied', 'not_newer'])
  })

  it('are also followed by polling, no more than once per period', async () => {
    const { orderId } = await submittedOrder()
    const occurredAt = new Date(nowMs() + 1_000).toISOString()
    provider.react((call: ProviderCall) =>
      call.type === 'order.status'
        ? { status: 200, body: { status: 'shipped', occurred_at: occurredAt, tracking_number: 'T-1' } }
        : { status: 500, text: '' },
    )
    await wait(3_700_000)
    await eventually('it is shipped', async () => (await stateOf(orderId)) === 'shipped')
    const polls = () => provider.calls.filter(({ type }) => type === 'order.status').length
    await wait(3_700_000)
    await eventually('it was asked again', () => Promise.resolve(polls() > 1))
    await settle()
    expect(polls()).to.equal(2)
    expect((await eventsOf(orderId)).filter((type) => type === 'shipped')).to.have.length(1)
  })

  it('are still polled after the provider does not know one of them', async () => {
    const { orderId } = await submittedOrder()
    provider.react(() => ({ status: 404, text: 'no such parcel' }))
    await wait(3_700_000)
    await eventually('it was asked', () => Promise.resolve(provider.calls.at(-1)?.type === 'order.status'))
    await settle()
    expect(at(await operator.get(`/${casino.id}/settings/fulfilment`), 'data.paused_at')).to.equal(null)
    const occurredAt = new Date(nowMs()).toISOString()
    provider.react(() => ({ status: 200, body: { status: 'shipped', occurred_at: occurredAt } }))
    await wait(3_700_000)
    await eventually('it is shipped', async () => (await stateOf(orderId)) === 'shipped')
  })

  describe('that is replaced by another', () => {
    let next: FakeProvider

    const atTestEnd = atEndOfTest()
    beforeEach(async () => {
      next = await startFakeProvider(secret)
      atTestEnd(() => next.stop())
    })

    /** From now on the casino's setting is another one; a worker knows settings for two seconds, so a new one is started. */
    const exchange = async (setting: object) => {
      expect((await operator.put(`/${casino.id}/settings/fulfilment`, setting)).status).to.equal(200)
      await worker.stop()
      worker = service.startWorker()
    }
    const toNext = () => ({ kind: 'http', url: next.url, secret, timeout_ms: 500, poll_minutes: 60 })
    for (const kind of casesOf<'http' | 'manual'>(['http'], ['manual'])) {
      it(`are held if the old provider may have the parcel, until an operator releases them (new provider: ${kind})`, async () => {
        provider.react(() => 'acts_and_dies')
        const { orderId } = await confirmedOrder()
        await eventually('it was tried', () => Promise.resolve(provider.parcels.size === 1))
        await settle()
        await exchange(kind === 'http' ? toNext() : { kind })
        await wait(40_000)
        const order = await read(orderId)
        expect(at(order, 'data')).to.deep.include({
          state: 'confirmed',
          holds: ['other'],
          problem: 'provider_changed',
        })
        expect(textAt(order, `data.history.${listAt(order, 'data.history').length - 1}.reason`)).to.contain(
          'Another provider may have the parcel',
        )
        await wait(100_000_000)
        expect([next.calls, await stateOf(orderId)]).to.deep.equal([[], 'confirmed'])
        await move(orderId, 'release')
        await eventually('it is submitted', async () => (await stateOf(orderId)) === 'submitted')
        expect(at(await read(orderId), 'data.provider')).to.equal(kind)
        expect([...next.parcels]).to.deep.equal(kind === 'http' ? [`${orderId}-1`] : [])
      })
    }

    it('are not looked up at the new provider if the old one has the parcel, and remind operators of cancellations', async () => {
      const { orderId, prizeId } = await submittedOrder()
      await wait(3_700_000)
      const asked = provider.calls.length
      await exchange(toNext())
      await wait(3_700_000)
      await wait(25 * 3_600_000)
      expect(provider.calls).to.have.length(asked)
      expect(next.calls).to.deep.equal([])
      expect((await tell(updateOf(orderId, 'processing', 5))).status).to.equal(200)
      await eventually('it is packed', async () => (await stateOf(orderId)) === 'processing')
      await move(orderId, 'cancel')
      const reminders = async () =>
        (await eventsOf(orderId)).filter((type) => type === 'cancellation_reminder').length
      await eventually('people are told', async () => (await reminders()) === 1)
      await wait(25 * 3_600_000)
      expect(await reminders()).to.equal(2)
      expect([next.calls, await stateOf(orderId)]).to.deep.equal([[], 'cancel_requested'])
      await move(orderId, 'cancel', { final: true })
      expect([await stateOf(orderId), await prizeState(prizeId)]).to.deep.equal(['cancelled', 'won'])
      expect(textAt(await read(orderId), 'data.ended_at')).to.match(/^\d{4}-/)
    })

    it('are submitted to the new provider if the old one never received them', async () => {
      await provider.stop()
      const { orderId } = await confirmedOrder()
      await eventually('it was tried', async () => (await eventsOf(orderId)).includes('submission_unknown'))
      await exchange(toNext())
      await wait(40_000)
      await eventually('it is submitted', async () => (await stateOf(orderId)) === 'submitted')
      expect([...next.parcels]).to.deep.equal([`${orderId}-1`])
      provider = await startFakeProvider(secret)
    })
  })

  it('treat a call whose result was lost as one of unknown outcome', async () => {
    const { orderId } = await confirmedOrder()
    await eventually('it is submitted', async () => (await stateOf(orderId)) === 'submitted')
    // The state that a process leaves which died in its seventh call.
    await service.database.prizeOrder.update({
      where: { id: orderId },
      data: { state: 'confirmed', attempts: 7, attemptUntil: new Date(nowMs() + 1_000) },
    })
    const called = provider.calls.length
    aheadMs += 2_000
    await wakeSnoozed(service.database)
    await eventually('people are told', async () => (await read(orderId)).text.includes('"holds":["other"]'))
    expect(provider.calls).to.have.length(called)
  })

  it('refuse updates that are unsigned, signed with another secret, or old, and do not reveal which casinos exist', async () => {
    const { orderId } = await submittedOrder()
    const update = updateOf(orderId, 'shipped', 1)
    const refused = [
      await tell(update, { signedWith: `whsec_${Buffer.alloc(32, 6).toString('base64')}` }),
      await tell(update, { sentAt: new Date(nowMs() - 6 * 60_000) }),
      await service.client.post(`/partners/fulfilment/${casino.id}`, undefined, update),
      await service.client.post('/partners/fulfilment/nobody', undefined, update),
      await service.client.post('/partners/fulfilment/%00', undefined, update),
    ]
    for (const reply of refused) {
      expect(reply.status).to.equal(401)
      expect(reply.headers.get('X-Error-Code')).to.equal('signature_invalid')
    }
    expect(new Set(refused.map(({ text }) => text)).size).to.equal(1)
    expect(await service.database.partnerEvent.count({ where: { casinoId: casino.id } })).to.equal(0)
    expect((await tell({ ...update, status: 'lost in space' })).status).to.equal(400)
    for (const when of [
      '2026-11-20',
      '2026-11-20T09:30Z',
      '2026-11-20T09:30:00',
      '2026-02-30T09:30:00Z',
      5,
    ]) {
      expect(complaintsOf(await tell({ ...update, occurred_at: when }))).to.deep.equal(['occurred_at'])
    }
    const complaints: [object, string, string, string][] = [
      ...['ord_x', `ord_${'A'.repeat(32)}`, 'ö', '\0'].map((order_id): [object, string, string, string] => [
        { order_id },
        'order_id',
        'invalid',
        'order_id must be the id of an order: ord_ and 32 hexadecimal digits',
      ]),
      [
        { carrier: 'x'.repeat(300) },
        'carrier',
        'max',
        'carrier length must be less than or equal to 200 characters long',
      ],
      [
        { tracking_number: 'a\u0000b' },
        'tracking_number',
        'characters',
        'tracking_number contains characters that cannot be stored',
      ],
    ]
    for (const [wrong, name, error, message] of complaints) {
      const reply = await tell({ ...update, ...wrong })
      expect([reply.status, at(reply, 'errors')]).to.deep.equal([400, { [name]: [{ error, message }] }])
    }
    expect((await tell({ ...update, carrier: '🚚'.repeat(200) })).status).to.equal(200)
    const foreign = await tell({ ...update, order_id: `ord_${'0'.repeat(32)}` })
    expect(foreign.headers.get('X-Error-Code')).to.equal('order_unknown')
  })

  it('refuse updates from the future, which would block all later ones', async () => {
    const { orderId } = await submittedOrder()
    expect((await tell(updateOf(orderId, 'processing', 2 * 86_400_000))).status).to.equal(400)
    const told = { status: 'processing', occurred_at: '9999-01-01T00:00:00Z' }
    provider.react(() => ({ status: 200, body: told }))
    await wait(3_700_000)
    expect((await tell(updateOf(orderId, 'shipped', 1))).status).to.equal(200)
    await eventually('it is shipped', async () => (await stateOf(orderId)) === 'shipped')
  })

  it('record a failed attempt, without a call, when the address cannot be decrypted', async () => {
    const { prizeId } = await service.factory.prize(casino.id, { playerId: 'ann' })
    const body = { player_id: 'ann', prize_id: prizeId, ...delivery }
    await service.client.post('/prize/order', casino.apiKey, body)
    const prize = await operator.get(`/${casino.id}/prizes/${prizeId}`)
    const orderId = textAt(prize, 'data.orders.0.order_id')
    await service.database.prizeOrder.update({ where: { id: orderId }, data: { deliveryKeyId: 'lost' } })
    await settle()
    await move(orderId, 'confirm')
    await eventually(
      'it was tried',
      async () =>
        (await service.database.event.count({
          where: { objectId: orderId, type: 'prize_order.submission_unknown' },
        })) === 1,
    )
    expect(provider.calls).to.have.length(0)
  })

  it('send a returned parcel again, under the next number', async () => {
    const { orderId } = await submittedOrder()
    await tell(updateOf(orderId, 'exception', 1, { reason: 'returned' }))
    await eventually('it came back', async () => (await stateOf(orderId)) === 'exception')
    expect(at(await read(orderId), 'data.exception_reason')).to.equal('returned')
    await move(orderId, 'reship')
    await eventually('it is submitted again', async () => (await stateOf(orderId)) === 'submitted')
    expect([...provider.parcels]).to.deep.equal([`${orderId}-1`, `${orderId}-2`])
  })
})
