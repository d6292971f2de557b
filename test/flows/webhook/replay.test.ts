import { expect } from 'chai'
import { pruneWebhooks } from '../../../core/webhook/prune.ts'
import { at, fieldOf, listAt, readAll, textAt } from '../../api/admin/operator.ts'
import { atEndOfTest } from '../../support/at-end.ts'
import { eventually } from '../../support/eventually.ts'
import { startFakeReceiver } from '../../support/fake-receiver.ts'
import type { FakeReceiver } from '../../support/fake-receiver.ts'
import { startWebhookWorld } from '../../support/webhook-world.ts'
import type { WebhookWorld } from '../../support/webhook-world.ts'
import { wakeSnoozed } from '../../support/work.ts'

describe('sending events again', () => {
  let world: WebhookWorld
  let receiver: FakeReceiver
  let endpoint: string
  let now: Date

  const atTestEnd = atEndOfTest()
  beforeEach(async () => {
    now = new Date()
    world = await startWebhookWorld({ clock: { now: () => now } })
    atTestEnd(() => world.stop())
    receiver = await startFakeReceiver()
    atTestEnd(() => receiver.stop())
    endpoint = `/${world.casino.id}/webhook-endpoints/main`
    await world.putEndpoint('main', receiver)
    world.service.startWorker()
  })

  const passSeconds = (seconds: number) => {
    now = new Date(now.getTime() + seconds * 1_000)
  }
  const sent = () => receiver.received.map(({ event }) => `${event.object.id}${event.sequence}`)
  const quiet = () => eventually('all is delivered', () => world.isQuiet())
  const log = async (query = '') => listAt(await world.operator.get(`${endpoint}/deliveries${query}`))
  const firstEventId = async () => textAt(await world.operator.get(`/${world.casino.id}/events`), 'data.0.id')

  it('sends one event again under the same id, to one endpoint or to all that subscribe to it', async () => {
    const other = await startFakeReceiver()
    try {
      await world.putEndpoint('other', other, { event_types: ['cashback.*'] })
      await world.writeEvents('a', 2)
      await quiet()
      const path = `/${world.casino.id}/events/${await firstEventId()}`
      passSeconds(1)
      const reply = await world.operator.post(`${path}/replay`, {})
      expect(fieldOf(listAt(reply, 'data.replayed'), 'endpoint_id')).to.deep.equal(['main'])
      await quiet()
      expect(sent()).to.deep.equal(['a1', 'a2', 'a1'])
      const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
      expect(ids[2]).to.equal(ids[0])
      expect(receiver.received[2]?.body).to.equal(receiver.received[0]?.body)

      passSeconds(1)
      // By its name an endpoint gets also what it does not ask for.
      await world.operator.post(`${path}/replay`, { endpoint_id: 'other' })
      await quiet()
      expect(other.received.map(({ event }) => event.type)).to.deep.equal(['prize.changed'])
      const deliveries = listAt(await world.operator.get(`${path}/deliveries`))
      expect(fieldOf(deliveries, 'endpoint_id')).to.deep.equal(['other', 'main', 'main'])
      expect(fieldOf(deliveries, 'replay_number')).to.deep.equal([1, 1, 0])
      const unknown = await world.operator.post(`${path}/replay`, { endpoint_id: 'nobody' })
      expect(unknown.headers.get('X-Error-Code')).to.equal('webhook_endpoint_unknown')
      const none = await world.operator.post(`/${world.casino.id}/events/evt_999999/replay`, {})
      expect(none.headers.get('X-Error-Code')).to.equal('event_unknown')
    } finally {
      await other.stop()
    }
  })

  it('does not duplicate a pending delivery, however often a replay is requested', async () => {
    await world.writeEvents('a', 1)
    await quiet()
    await world.operator.post(`${endpoint}/disable`, {})
    const path = `/${world.casino.id}/events/${await firstEventId()}`
    const replay = () => world.operator.post(`${path}/replay`, { endpoint_id: 'main' })
    const replies = await Promise.all([replay(), replay(), replay()])
    expect(replies.map(({ status }) => status)).to.deep.equal([200, 200, 200])
    expect(replies.flatMap((reply) => listAt(reply, 'data.replayed')).length).to.equal(1)
    expect(sent()).to.deep.equal(['a1'])
  })

  it('does not send an event again before its first delivery, which would overtake earlier events', async () => {
    await world.writeEvents('a', 1)
    await quiet()
    await world.operator.post(`${endpoint}/disable`, {})
    await world.writeEvents('a', 2, 2)
    const events = listAt(await world.operator.get(`/${world.casino.id}/events?types=prize.*`))
    const last = fieldOf(events, 'id').at(-1)
    for (const body of [{}, { endpoint_id: 'main' }]) {
      const reply = await world.operator.post(`/${world.casino.id}/events/${String(last)}/replay`, body)
      expect([reply.status, listAt(reply, 'data.replayed')]).to.deep.equal([200, []])
    }
    passSeconds(60) // more than it took to get here, for events have the machine's time
    const range = await world.operator.post(`${endpoint}/replay`, { from: '2020-01-01' })
    expect(at(range, 'data.replayed_count')).to.equal(1)
    await world.operator.post(`${endpoint}/enable`, {})
    await quiet()
    expect(sent().filter((name) => name.startsWith('a'))).to.deep.equal(['a1', 'a1', 'a2', 'a3'])
  })

  it('sends the events of a period again, including those from before the endpoint was created', async () => {
    const begin = new Date(Date.now() - 10 * 86_400_000)
    const rows = Array.from({ length: 1_205 }, (_, index) => ({
      casinoId: world.casino.id,
      objectType: 'prize',
      objectId: `p${index}`,
      sequence: 1,
      type: index % 2 === 0 ? 'prize.won' : 'prize.ordered',
      toState: 'won',
      actor: 'test',
      createdAt: new Date(begin.getTime() + index * 60_000),
      // Of transactions that have long ended, a few events each.
      txid: BigInt(1 + Math.floor(index / 4)),
    }))
    await world.operator.post(`${endpoint}/disable`, {})
    await world.service.database.event.createMany({ data: rows })
    const range = {
      from: new Date(begin.getTime() + 50 * 60_000).toISOString(),
      until: new Date(begin.getTime() + 1_200 * 60_000).toISOString(),
    }
    const first = await world.operator.post(`${endpoint}/replay`, range)
    expect(at(first, 'data.replayed_count')).to.equal(1_000)
    const rest = { ...range, cursor: textAt(first, 'next_cursor') }
    const second = await world.operator.post(`${endpoint}/replay`, rest)
    expect([at(second, 'data.replayed_count'), at(second, 'next_cursor')]).to.deep.equal([150, undefined])
    expect(at(await world.operator.post(`${endpoint}/replay`, rest), 'data.replayed_count')).to.equal(0)
    const deliveries = await world.service.database.webhookDelivery.findMany({ select: { objectId: true } })
    const expected = rows.slice(50, 1_200).map(({ objectId }) => objectId)
    expect(deliveries.map(({ objectId }) => objectId)).to.have.members(expected)
    const empty = await world.operator.post(`${endpoint}/replay`, { from: new Date().toISOString() })
    expect(at(empty, 'data.replayed_count')).to.equal(0)

    // The rest only costs time.
    await world.service.database.webhookDelivery.deleteMany({
      where: { objectId: { notIn: ['p60', 'p61'] } },
    })
    await world.service.database.$executeRaw`UPDATE webhook_endpoint SET cursor_txid = 1000000000`
    await world.operator.post(`${endpoint}/enable`, {})
    await eventually('both are sent', () => receiver.received.length === 2)
    expect(sent()).to.have.members(['p601', 'p611'])
  })

  it('skips events of a range that the endpoint does not subscribe to', async () => {
    await world.putEndpoint('main', receiver, { event_types: ['prize_order.*'] })
    await world.writeEvents('a', 2)
    const reply = await world.operator.post(`${endpoint}/replay`, { from: '2020-01-01' })
    expect(at(reply, 'data.replayed_count')).to.equal(0)
  })

  it('sends permanently failed events again, once', async () => {
    await world.writeEvents('a', 3)
    await quiet()
    const { database } = world.service
    await database.webhookDelivery.updateMany({ where: { sequence: { lt: 3 } }, data: { state: 'failed' } })
    expect((await log('?state=failed')).length).to.equal(2)
    passSeconds(60)
    const replay = () => world.operator.post(`${endpoint}/replay`, { only_failed: true })
    expect(at(await replay(), 'data.replayed_count')).to.equal(2)
    expect(at(await replay(), 'data.replayed_count')).to.equal(0)
    await quiet()
    expect(sent()).to.deep.equal(['a1', 'a2', 'a3', 'a1', 'a2'])
    expect(at(await replay(), 'data.replayed_count')).to.equal(0)
    const none = await world.operator.post(`${endpoint}/replay`, { only_failed: true, until: '2020-01-01' })
    expect(at(none, 'data.replayed_count')).to.equal(0)
  })

  it('lists deliveries, the newest first, by state and page by page', async () => {
    receiver.treat(({ event }) => (event.object.id === 'bad' ? 500 : 204))
    await world.writeEvents('good', 3)
    await quiet()
    // Alone, so that its second attempt, five seconds later, does not come before it is looked at.
    await world.writeEvents('bad', 1)
    await eventually('one has failed', async () => {
      const { delivered, pending } = await world.states()
      return delivered === 3 && pending === 1 && receiver.received.length === 4
    })
    await eventually(
      'it is known why',
      async () => fieldOf(await log('?state=pending'), 'last_status')[0] === 500,
    )
    const [bad] = await log('?state=pending')
    expect(bad).to.deep.include({
      endpoint_id: 'main',
      event_type: 'prize.changed',
      object: { type: 'prize', id: 'bad' },
      sequence: 1,
      replay_number: 0,
      state: 'pending',
      attempts: 1,
      last_status: 500,
      last_problem: 'refused',
    })
    const all = await readAll(world.operator, `${endpoint}/deliveries`, 3, 'delivery_id')
    expect(all.length).to.equal(4)
    expect(all).to.deep.equal([...all].sort().reverse())
    expect(fieldOf(await log('?state=delivered'), 'state')).to.deep.equal([
      'delivered',
      'delivered',
      'delivered',
    ])
  })

  it('ends all work of an endpoint that is deleted, and one of the same id starts from the beginning', async () => {
    receiver.treat(() => 500)
    await world.writeEvents('a', 3)
    await eventually('one was tried', () => receiver.received.length === 1)
    expect((await world.operator.delete(endpoint)).status).to.equal(200)
    expect(await world.states()).to.deep.equal({})
    await wakeSnoozed(world.service.database)
    await world.service.drain()
    expect(await world.service.database.outbox.count()).to.equal(0)

    receiver.treat(() => 204)
    await world.putEndpoint('main', receiver)
    await world.writeEvents('b', 1)
    await quiet()
    expect(sent()).to.deep.equal(['a1', 'b1'])
  })

  it('removes deliveries of last month, and failed ones of last quarter, but no event', async () => {
    await world.writeEvents('a', 4)
    await quiet()
    const { database } = world.service
    const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000)
    for (const [sequence, state, days] of [
      [1, 'delivered', 31],
      [2, 'delivered', 29],
      [3, 'failed', 91],
      [4, 'failed', 89],
    ] as const)
      await database.webhookDelivery.updateMany({
        where: { sequence },
        data: { state, updatedAt: daysAgo(days) },
      })
    await world.operator.post(`${endpoint}/rotate-secret`, { overlap_seconds: 0 })
    now = new Date(now.getTime() + 1)
    expect(await pruneWebhooks(world.service.deps)).to.equal(3)
    expect(await pruneWebhooks(world.service.deps)).to.equal(0)
    const left = await database.webhookDelivery.findMany({ orderBy: { sequence: 'asc' } })
    expect(left.map(({ sequence }) => sequence)).to.deep.equal([2, 4])
    expect(await database.webhookSecret.count()).to.equal(1)
    expect(await database.event.count()).to.equal(4)
  })
})
