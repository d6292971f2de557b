import { expect } from 'chai'
import pg from 'pg'
import { at, textAt } from '../../api/admin/operator.ts'
import { atEndOfTest } from '../../support/at-end.ts'
import { eventually } from '../../support/eventually.ts'
import { startFakeReceiver } from '../../support/fake-receiver.ts'
import type { FakeReceiver } from '../../support/fake-receiver.ts'
import { countLockWaits } from '../../support/lock-waits.ts'
import { startWebhookWorld } from '../../support/webhook-world.ts'
import type { WebhookWorld } from '../../support/webhook-world.ts'
import { wakeSnoozed } from '../../support/work.ts'

/** The clock of these tests stands still, ten minutes ahead, so that no pause ends by itself on a slow machine. */
const aheadMs = 600_000

describe('webhooks to receivers that fail', () => {
  let world: WebhookWorld
  let receiver: FakeReceiver
  let now: Date

  const atTestEnd = atEndOfTest()
  beforeEach(async () => {
    now = new Date(Date.now() + aheadMs)
    world = await startWebhookWorld({ clock: { now: () => now } })
    atTestEnd(() => world.stop())
    receiver = await startFakeReceiver()
    atTestEnd(() => receiver.stop())
  })

  const passSeconds = (seconds: number) => {
    now = new Date(now.getTime() + seconds * 1_000)
  }
  const readDeliveries = () =>
    world.service.database.webhookDelivery.findMany({
      orderBy: [{ objectId: 'asc' }, { sequence: 'asc' }, { replayNumber: 'asc' }],
    })
  const endpointGauges = async () => {
    const metric = world.service.deps.metrics.registry.getSingleMetric('rewards_webhook_endpoints')
    const values = (await metric?.get())?.values ?? []
    return Object.fromEntries(values.map(({ labels, value }) => [String(labels['state']), value])) as Record<
      string,
      number
    >
  }
  const endpointNamed = (id: string) =>
    world.service.database.webhookEndpoint.findFirstOrThrow({ where: { id } })
  const sent = () => receiver.received.map(({ event }) => `${event.object.id}${event.sequence}`)
  /** Waits until this many attempts have been stored, and no call is in progress. */
  const attemptsMade = (count: number) =>
    eventually(`${count} attempts`, async () => {
      const deliveries = await readDeliveries()
      const made = deliveries.reduce((sum, { attempts }) => sum + attempts, 0)
      return (
        made === count && deliveries.every(({ attemptUntil, state }) => state !== 'pending' || !attemptUntil)
      )
    })
  const quiet = () => eventually('all is delivered', () => world.isQuiet())

  it('are recorded with the lock of the endpoint first, as everything that changes both takes it', async () => {
    await world.putEndpoint('main', receiver)
    let answer: (status: number) => void = () => undefined
    const answered = new Promise<number>((resolve) => {
      answer = resolve
    })
    receiver.treat(() => answered)
    world.service.startWorker()
    await world.writeEvents('a', 1)
    await eventually('the call is under way', () => receiver.received.length === 1)
    const session = new pg.Client({ connectionString: world.service.env['DATABASE_URL'] })
    await session.connect()
    try {
      await session.query('BEGIN')
      await session.query('SELECT FROM webhook_endpoint FOR UPDATE')
      answer(410)
      await eventually(
        'the result waits',
        async () => (await countLockWaits(world.service.database, 'endpoint_locked')) > 0,
      )
      // Refused if the result has the lock of the delivery, and waits for the endpoint with it.
      await session.query('SELECT FROM webhook_delivery FOR UPDATE NOWAIT')
    } finally {
      await session.end()
    }
    await eventually('it is recorded', async () => (await endpointNamed('main')).disabledReason === 'gone')
  })

  it('are measured from the event to its delivery, including the retries', async () => {
    await world.putEndpoint('main', receiver)
    receiver.treat(() => 500)
    const worker = world.service.startWorker()
    await world.writeEvents('a', 1)
    await attemptsMade(1)
    const lines = async () =>
      (
        await worker.deps.metrics.registry.getSingleMetricAsString(
          'rewards_webhook_event_to_delivery_seconds',
        )
      )
        .split('\n')
        .map((line) => line.replace('rewards_webhook_event_to_delivery_seconds', ''))
    expect(await lines()).to.include('_count 0')
    receiver.treat(() => 204)
    passSeconds(1_000)
    await wakeSnoozed(world.service.database)
    await quiet()
    expect(await lines())
      .to.include('_bucket{le="300"} 0')
      .and.to.include('_bucket{le="3600"} 1')
  })

  it('are tried again later, with the same id and body, and each result is logged', async () => {
    await world.putEndpoint('main', receiver)
    receiver.treat(() => 500)
    world.service.startWorker()
    await world.writeEvents('a', 1)
    await attemptsMade(1)
    const [failed] = await readDeliveries()
    expect(failed).to.include({ state: 'pending', attempts: 1, lastStatus: 500, lastProblem: 'refused' })
    const firstAt = now
    const pauseMs = (failed?.nextAttemptAt?.getTime() ?? 0) - now.getTime()
    expect(pauseMs).to.be.within(4_000, 6_000)
    expect(await endpointGauges()).to.deep.equal({ working: 0, failing: 1, disabled: 0, full: 0, ahead: 0 })
    const [resting] = await world.service.database.outbox.findMany()
    expect(resting?.snoozedUntil).to.deep.equal(failed?.nextAttemptAt)

    receiver.treat(() => 204)
    passSeconds(6)
    await wakeSnoozed(world.service.database)
    await quiet()
    const [first, second] = receiver.received
    expect(second?.headers['webhook-id']).to.equal(first?.headers['webhook-id'])
    expect(second?.body).to.equal(first?.body)
    const [delivered] = await readDeliveries()
    expect(delivered).to.include({ state: 'delivered', attempts: 2, lastStatus: 204, lastProblem: null })
    const { operator, casino } = world
    const listed = await operator.get(`/${casino.id}/webhook-endpoints/main/deliveries`)
    expect(at(listed, 'data.0.recent_attempts')).to.deep.equal([
      { attempt: 1, at: firstAt.toISOString(), status: 500, problem: 'refused' },
      { attempt: 2, at: now.toISOString(), status: 204, problem: null },
    ])
    expect(await world.service.database.outbox.count()).to.equal(0)
    const endpoint = await world.service.database.webhookEndpoint.findFirst()
    expect(endpoint?.failingSince).to.equal(null)
    expect(await endpointGauges()).to.deep.equal({ working: 1, failing: 0, disabled: 0, full: 0, ahead: 0 })
  })

  it('keep their last twenty attempts', async () => {
    await world.putEndpoint('main', receiver)
    receiver.treat(() => 500)
    world.service.startWorker()
    await world.writeEvents('a', 1)
    await attemptsMade(1)
    // As if it had been off and on again for weeks.
    const log = Array.from({ length: 20 }, (_, index) => ({
      attempt: index + 1,
      at: now.toISOString(),
      status: null,
      problem: 'timeout',
    }))
    await world.service.database.webhookDelivery.updateMany({ data: { attemptLog: log } })
    passSeconds(60)
    await wakeSnoozed(world.service.database)
    await attemptsMade(2)
    const [failed] = await readDeliveries()
    expect(failed?.attemptLog).to.have.lengthOf(20)
    const { operator, casino } = world
    const listed = await operator.get(`/${casino.id}/webhook-endpoints/main/deliveries`)
    expect(at(listed, 'data.0.recent_attempts.0')).to.include({ attempt: 2, problem: 'no_answer' })
    expect(at(listed, 'data.0.recent_attempts.19')).to.include({ attempt: 2, problem: 'refused' })
  })

  it('hold back later events of an object that cannot be delivered, and no others', async () => {
    await world.putEndpoint('main', receiver)
    const refused = new Set(['a'])
    receiver.treat(({ event }) => (refused.has(event.object.id) ? 503 : 204))
    world.service.startWorker()
    await world.writeEvents('a', 3)
    await world.writeEvents('b', 3)
    await eventually('b is delivered', async () => (await world.states())['delivered'] === 3)
    expect(sent().filter((name) => name.startsWith('b'))).to.deep.equal(['b1', 'b2', 'b3'])
    expect(sent().filter((name) => name.startsWith('a'))).to.deep.equal(['a1'])

    // However often the others look whether it is their turn, they are not sent and count no attempt.
    for (let look = 0; look < 3; look++) {
      await world.service.database.$executeRaw`
        UPDATE outbox SET due_at = now(), snoozed_until = now()
          FROM webhook_delivery WHERE outbox_id = outbox.id AND sequence > 1`
      await eventually('all rest again', async () => {
        const resting = await world.service.database.outbox.count({ where: { dueAt: { gt: now } } })
        return resting === 3
      })
    }
    expect(sent().filter((name) => name.startsWith('a'))).to.deep.equal(['a1'])

    refused.clear()
    passSeconds(10)
    await wakeSnoozed(world.service.database)
    await quiet()
    expect(sent().filter((name) => name.startsWith('a'))).to.deep.equal(['a1', 'a1', 'a2', 'a3'])
  })

  it('continue with the next event of an object when one has failed permanently', async () => {
    await world.putEndpoint('main', receiver)
    receiver.treat(({ event }) => (event.object.id === 'a' && event.sequence === 1 ? 400 : 204))
    world.service.startWorker()
    await world.writeEvents('a', 2)
    await attemptsMade(1)
    await world.service.database.webhookDelivery.updateMany({
      where: { sequence: 1 },
      data: { attempts: 12 },
    })
    passSeconds(10)
    await wakeSnoozed(world.service.database)
    await quiet()
    expect(sent()).to.deep.equal(['a1', 'a1', 'a2'])
    expect(await world.states()).to.deep.equal({ failed: 1, delivered: 1 })
    expect((await readDeliveries())[0]).to.include({ state: 'failed', attempts: 13, lastStatus: 400 })
  })

  it('pause for a busy receiver for as long as it asks, and for no other', async () => {
    const other = await startFakeReceiver()
    try {
      await world.putEndpoint('main', receiver)
      await world.putEndpoint('other', other)
      receiver.treat(() => ({ status: 429, headers: { 'Retry-After': '7200' } }))
      world.service.startWorker()
      await world.writeEvents('a', 2)
      await eventually('it has asked', async () => {
        const { restingUntil } = await endpointNamed('main')
        return restingUntil?.getTime() === now.getTime() + 7_200_000
      })
      const shown = await world.operator.get(`/${world.casino.id}/webhook-endpoints/main`)
      expect(textAt(shown, 'data.resting_until')).to.equal(new Date(now.getTime() + 7_200_000).toISOString())
      receiver.treat(() => 204)
      await world.writeEvents('b', 2)
      await eventually('the other has all', () => other.received.length === 4)
      for (const seconds of [0, 7_190]) {
        passSeconds(seconds)
        await wakeSnoozed(world.service.database)
        await eventually('all rest', async () => {
          const where = { snoozedUntil: { lte: now } }
          const isFannedOut = (await readDeliveries()).length === 8
          return isFannedOut && (await world.service.database.outbox.count({ where })) === 0
        })
        expect(sent()).to.deep.equal(['a1'])
      }
      passSeconds(20)
      await eventually('the rest is delivered', () => world.isQuiet())
      expect(sent().filter((name) => name.startsWith('a'))).to.deep.equal(['a1', 'a1', 'a2'])
      expect(sent().filter((name) => name.startsWith('b'))).to.deep.equal(['b1', 'b2'])
    } finally {
      await other.stop()
    }
  })

  it('are sent again immediately to a receiver that has a new URL, or was switched off and on', async () => {
    await world.putEndpoint('main', receiver)
    const { database } = world.service
    const rest = () =>
      database.webhookEndpoint.updateMany({ data: { restingUntil: new Date(now.getTime() + 1e6) } })
    const path = `/${world.casino.id}/webhook-endpoints/main`
    await rest()
    await world.putEndpoint('main', receiver)
    expect((await endpointNamed('main')).restingUntil, 'the same URL').to.not.equal(null)
    await world.operator.put(path, { url: `${receiver.url}/new` })
    expect((await endpointNamed('main')).restingUntil).to.equal(null)
    await rest()
    for (const verb of ['disable', 'enable']) await world.operator.post(`${path}/${verb}`, {})
    expect((await endpointNamed('main')).restingUntil).to.equal(null)
  })

  it('switch an endpoint off that is gone, lose nothing meanwhile, and continue in order', async () => {
    await world.putEndpoint('main', receiver)
    const other = await startFakeReceiver()
    try {
      await world.putEndpoint('other', other, { event_types: ['webhook_endpoint.*'] })
      receiver.treat(() => 410)
      const { revision } = await endpointNamed('main')
      const worker = world.service.startWorker()
      await world.writeEvents('a', 2)
      await eventually('the other is told', () => other.received.length === 1)
      expect(other.received[0]?.event).to.deep.include({
        type: 'webhook_endpoint.disabled',
        object: { type: 'webhook_endpoint', id: 'main' },
        data: { from: 'enabled', to: 'disabled', reason: 'gone', endpoint_id: 'main' },
      })
      await world.writeEvents('a', 2, 3)
      await world.writeEvents('b', 1)
      await wakeSnoozed(world.service.database)
      const { database } = world.service
      await eventually('everything rests', async () => (await database.outbox.count()) === 0)
      expect(sent()).to.deep.equal(['a1'])
      const metrics = await worker.deps.metrics.registry.metrics()
      expect(metrics).to.contain('rewards_webhook_endpoints_disabled_total{reason="gone"} 1')
      const path = `/${world.casino.id}/webhook-endpoints/main`
      expect((await world.operator.get(path)).json).to.deep.include({ status: 'success' })
      // A person who saw it before cannot decide about another state.
      expect((await endpointNamed('main')).revision).to.equal(revision + 1)

      receiver.treat(() => 204)
      passSeconds(3_600)
      expect((await world.operator.post(`${path}/enable`, {})).status).to.equal(200)
      await quiet()
      expect(sent().filter((name) => name.startsWith('a'))).to.deep.equal(['a1', 'a1', 'a2', 'a3', 'a4'])
      expect(sent()).to.include('b1')
    } finally {
      await other.stop()
    }
  })

  it('switch an endpoint off after five days of nothing but failures, with no permanent failure', async () => {
    await world.putEndpoint('main', receiver)
    receiver.treat(() => 'die before answering')
    world.service.startWorker()
    await world.writeEvents('a', 2)
    for (let attempt = 1; attempt <= 3; attempt++) {
      await attemptsMade(attempt)
      passSeconds(86_400)
      await wakeSnoozed(world.service.database)
    }
    await attemptsMade(4)
    passSeconds(2 * 86_400 + 60)
    await wakeSnoozed(world.service.database)
    await eventually('it is off', async () => {
      const endpoint = await world.service.database.webhookEndpoint.findFirst()
      return endpoint?.state === 'disabled' && endpoint.disabledReason === 'failing'
    })
    expect(await world.states()).to.deep.equal({ pending: 2 })
    const events = await world.operator.get(`/${world.casino.id}/events?types=webhook_endpoint.disabled`)
    expect(events.text).to.contain('"reason":"failing"')
  })

  it('do not let a receiver that hangs delay another, or get many calls at the same time', async () => {
    const other = await startFakeReceiver()
    let letGo: (status: number) => void = () => undefined
    const hanging = new Promise<number>((resolve) => {
      letGo = resolve
    })
    try {
      receiver.treat(() => hanging)
      await world.putEndpoint('hanging', receiver)
      await world.putEndpoint('quick', other)
      world.service.startWorker()
      for (let object = 0; object < 40; object++) await world.writeEvents(`o${object}`, 1)
      await eventually('the other has all', () => other.received.length === 40)
      await eventually('those without a slot stand in the line', async () => {
        const where = { jobName: 'deliver-webhook', line: { not: null } }
        return (await world.service.database.outbox.count({ where })) === 32
      })
      expect(receiver.received.length).to.equal(8)
      const waiting = await world.service.database.webhookDelivery.findMany({
        where: { state: 'pending', attemptUntil: null },
      })
      expect(waiting.map(({ attempts }) => attempts)).to.deep.equal(Array.from({ length: 32 }, () => 0))
      letGo(204)
      await eventually('the rest is delivered', () => world.isQuiet())
      expect(receiver.openMax()).to.equal(8)
      expect(receiver.received.length).to.equal(40)
    } finally {
      letGo(204)
      await other.stop()
    }
  })
})
