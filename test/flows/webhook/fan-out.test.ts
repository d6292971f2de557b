import { expect } from 'chai'
import pg from 'pg'
import type { DueWork } from '../../../core/queue/jobs.ts'
import { takeFromLines } from '../../../core/outbox/line.ts'
import { countEndpoints } from '../../../core/webhook/count-endpoints.ts'
import type { OutboundResult } from '../../../core/partner/http-client.ts'
import type { PartnerNames } from '../../../core/partner/names.ts'
import { newHolder } from '../../../core/outbound/call-slots.ts'
import { createCallSlots } from '../../../core/outbound/slots.ts'
import { fanOutEvents } from '../../../core/webhook/fan-out.ts'
import { attemptsMax } from '../../../core/webhook/decide-delivery.ts'
import { createDeliverWebhook } from '../../../core/webhook/deliver-webhook.ts'
import { lineOfEndpoint } from '../../../core/webhook/endpoint-line.ts'
import { storeDeliveries } from '../../../core/webhook/store-deliveries.ts'
import type { DeliveryWrite } from '../../../core/webhook/store-deliveries.ts'
import { wakeParkedDeliveries } from '../../../core/webhook/wake-parked.ts'
import { atEndOfTest } from '../../support/at-end.ts'
import { untilTransactionsEnd } from '../../support/ended-transactions.ts'
import { startFakeReceiver } from '../../support/fake-receiver.ts'
import type { FakeReceiver } from '../../support/fake-receiver.ts'
import { startWebhookWorld } from '../../support/webhook-world.ts'
import type { WebhookWorld } from '../../support/webhook-world.ts'

/** Nobody looks any name up: receivers are called by their address. */
const names: PartnerNames = { known: () => 'found', lookUp: () => Promise.resolve() }

/** Without workers: the tests take each step themselves. */
describe('turning events into deliveries', () => {
  let world: WebhookWorld
  let receiver: FakeReceiver
  let now: Date

  const atTestEnd = atEndOfTest()
  beforeEach(async () => {
    now = new Date()
    world = await startWebhookWorld({ clock: { now: () => now } })
    atTestEnd(() => world.stop())
    receiver = await startFakeReceiver()
    atTestEnd(() => receiver.stop())
  })

  const fanOut = () => fanOutEvents(world.service.deps)
  const fanOutAll = async () => {
    await untilTransactionsEnd(world.service.database)
    const works: DueWork[] = []
    for (;;) {
      const round = await fanOut()
      works.push(...round.works)
      if (round.eventCount === 0) return works
    }
  }
  const deliveriesTo = async (endpointId: string) => {
    const rows = await world.service.database.webhookDelivery.findMany({
      where: { endpointId },
      orderBy: { id: 'asc' },
    })
    return rows.map(({ objectId, sequence }) => `${objectId}${sequence}`)
  }

  it('gives an endpoint every event since it was created, and none from before', async () => {
    await world.writeEvents('a', 2)
    await world.putEndpoint('main', receiver)
    await world.writeEvents('a', 2, 3)
    await fanOutAll()
    expect(await deliveriesTo('main')).to.deep.equal(['a3', 'a4'])
  })

  it('gives each endpoint the types of its list, of its own casino only', async () => {
    await world.putEndpoint('all', receiver)
    await world.putEndpoint('prizes', receiver, { event_types: ['prize.*'] })
    await world.putEndpoint('off', receiver)
    await world.putEndpoint('none', receiver)
    const { database, factory } = world.service
    await database.webhookEndpoint.updateMany({
      where: { id: 'none' },
      data: { eventTypes: ['prize.chang', 'cashback.*'] },
    })
    const stranger = await factory.casino()
    await factory.prize(stranger.id)
    await world.writeEvents('a', 1)
    await database.webhookEndpoint.updateMany({ where: { id: 'off' }, data: { state: 'disabled' } })
    await fanOutAll()
    expect(await deliveriesTo('all')).to.deep.equal(['a1'])
    expect(await deliveriesTo('prizes')).to.deep.equal(['a1'])
    expect(await deliveriesTo('none')).to.deep.equal([])
    expect(await deliveriesTo('off')).to.deep.equal([])
    expect(await database.webhookDelivery.count()).to.equal(2)
    expect((await fanOut()).eventCount, 'the cursors have gone past what nobody wanted').to.equal(0)
  })

  it('makes every delivery once, however many workers do it at the same time', async function () {
    this.timeout(30_000)
    const endpoints = ['one', 'two', 'three']
    for (const id of endpoints) await world.putEndpoint(id, receiver)
    const objects = Array.from({ length: 150 }, (_, index) => `p${index}`)
    await world.service.database.event.createMany({
      data: objects.flatMap((objectId) =>
        Array.from({ length: 5 }, (_, index) => ({
          casinoId: world.casino.id,
          objectType: 'prize',
          objectId,
          sequence: index + 1,
          type: 'prize.changed',
          toState: 'won',
          actor: 'test',
          createdAt: now,
        })),
      ),
    })
    const works = (await Promise.all(Array.from({ length: 4 }, fanOutAll))).flat()
    for (const id of endpoints) {
      const deliveries = await deliveriesTo(id)
      expect(new Set(deliveries).size).to.equal(750)
      expect(deliveries.length).to.equal(750)
    }
    // The first of each object may go; the others wait until it is their turn.
    expect(works.length).to.equal(3 * objects.length)
    const { database } = world.service
    expect(await database.outbox.count({ where: { snoozedUntil: null } })).to.equal(3 * objects.length)
    expect(await database.outbox.count()).to.equal(3 * 750)
    const unlinked = await database.$queryRaw<unknown[]>`
      SELECT FROM webhook_delivery LEFT JOIN outbox ON outbox.id = outbox_id AND outbox.object_id = webhook_delivery.id
       WHERE outbox.id IS NULL`
    expect(unlinked.length).to.equal(0)
  })

  describe('while endpoints of one casino have a long backlog', () => {
    /** A casino whose ids come later, and an endpoint of it with an event. */
    const addCasino = async () => {
      const { database, factory } = world.service
      const { id: casinoId } = await factory.casino()
      const main = await database.webhookEndpoint.findFirstOrThrow({ where: { id: 'main-1' } })
      await database.webhookEndpoint.create({ data: { ...main, casinoId, id: 'other' } })
      await factory.prize(casinoId)
    }
    const putEndpoints = async () => {
      for (let n = 1; n <= 20; n++) await world.putEndpoint(`main-${n}`, receiver)
    }

    it('serves those of others in the same round', async () => {
      await putEndpoints()
      await world.writeEvents('a', 251) // one more than an endpoint gets in a round
      await addCasino()
      await untilTransactionsEnd(world.service.database)
      await fanOut()
      expect(await deliveriesTo('other')).to.have.length(1)
      expect(await deliveriesTo('main-1')).to.have.length(250)
    })

    it('wakes snoozed deliveries of others in the same round', async () => {
      const { database } = world.service
      await putEndpoints()
      await world.writeEvents('a', 1)
      await addCasino()
      await fanOutAll()
      await database.webhookDelivery.updateMany({ data: { outboxId: null } })
      const other = await database.webhookDelivery.findFirstOrThrow({ where: { endpointId: 'other' } })
      const { works } = await wakeParkedDeliveries(world.service.deps)
      expect(works.map(({ objectId }) => objectId)).to.include(other.id)
    })
  })

  it('adds new work to the end of its endpoint’s line, without a job', async () => {
    await world.putEndpoint('main', receiver)
    await world.putEndpoint('other', receiver)
    await world.writeEvents('a', 1)
    expect(await fanOutAll()).to.have.length(2)
    const { database } = world.service
    const line = lineOfEndpoint({ casinoId: world.casino.id, endpointId: 'main' }).key
    await database.$executeRaw`
      UPDATE outbox SET line = ${line} FROM webhook_delivery AS delivery
       WHERE delivery.outbox_id = outbox.id AND delivery.endpoint_id = 'main'`
    await world.writeEvents('b', 2)
    await world.writeEvents('c', 1)
    const works = await fanOutAll()
    const objectsOf = async (some: readonly DueWork[]) => {
      const deliveries = await database.webhookDelivery.findMany()
      return some.map(({ objectId }) => {
        const made = deliveries.find(({ id }) => id === objectId)
        return `${made?.endpointId ?? ''} ${made?.objectId ?? ''}${made?.sequence ?? ''}`
      })
    }
    expect(await objectsOf(works)).to.have.members(['other b1', 'other c1'])
    const taken = await takeFromLines(world.service.deps, [{ line, count: 9 }])
    expect(await objectsOf(taken)).to.deep.equal(['main a1', 'main b1', 'main c1'])
  })

  it('waits for a transaction that commits late, and then misses no event', async () => {
    await world.putEndpoint('main', receiver)
    const late = new pg.Client({ connectionString: world.service.env['DATABASE_URL'] })
    await late.connect()
    try {
      await late.query('BEGIN')
      await late.query(
        `INSERT INTO event (casino_id, object_type, object_id, sequence, type, to_state, actor, created_at)
         VALUES ($1, 'prize', 'late', 1, 'prize.won', 'won', 'test', now())`,
        [world.casino.id],
      )
      await world.writeEvents('early', 1)
      expect((await fanOut()).eventCount).to.equal(0)
      await late.query('COMMIT')
    } finally {
      await late.end()
    }
    await fanOutAll()
    expect(await deliveriesTo('main')).to.deep.equal(['late1', 'early1'])
  })

  it('keeps an endpoint’s cursor while its backlog is full, whether it fails or is slow', async () => {
    await world.putEndpoint('main', receiver)
    const { database } = world.service
    await database.webhookDelivery.createMany({
      data: Array.from({ length: 1_000 }, (_, index) => ({
        id: `dlv_${index}`,
        casinoId: world.casino.id,
        endpointId: 'main',
        eventId: index + 1_000_000,
        objectType: 'prize',
        objectId: `x${index}`,
        sequence: 1,
        state: 'pending',
        createdAt: now,
        updatedAt: now,
      })),
    })
    await world.writeEvents('a', 1)
    for (const failingSince of [now, null]) {
      await database.webhookEndpoint.updateMany({ data: { failingSince } })
      expect((await fanOut()).eventCount).to.equal(0)
    }
    const { byState, oldestWaitingSeconds } = await countEndpoints(database)
    expect([byState.full, oldestWaitingSeconds], 'told, and not for want of a worker').to.deep.equal([1, 0])
    await database.webhookDelivery.updateMany({ where: { id: 'dlv_7' }, data: { state: 'delivered' } })
    await untilTransactionsEnd(database)
    expect((await fanOut()).eventCount).to.equal(1)
    expect(await deliveriesTo('main')).to.include('a1')
  })

  describe('with overlapping attempts', () => {
    const job = { outboxId: '', objectId: '' }
    /** A worker that takes the job: it is in the call until the test answers, or `report` says how it has ended. */
    const begin = async () => {
      const { database, cipher, log } = world.service.deps
      let tellCalled: (isCalled: true) => void = () => undefined
      let answer: (status: number, headers?: Record<string, string>) => void = () => undefined
      const called = new Promise<true>((resolve) => (tellCalled = resolve))
      const answered = new Promise<OutboundResult>((resolve) => {
        answer = (status, headers = {}) => {
          resolve({ kind: 'answer', status, headers, body: '' })
        }
      })
      const deliver = createDeliverWebhook({
        database,
        cipher,
        log,
        names,
        clock: { now: () => now },
        random: () => 0.5,
        slots: createCallSlots({ totalMax: 128, perLineMax: 8, nowMs: () => 0 }),
        sendRequest: () => (tellCalled(true), answered),
        onCall: () => undefined,
        onDelivered: () => undefined,
        onDisabled: (reason) => {
          throw new Error(`switched off: ${reason}`)
        },
      })
      const report = deliver(job, newHolder())
      const isCalled = await Promise.race([called, report.then(() => false)])
      return { isCalled, report, answer }
    }
    const beginCall = async () => {
      const begun = await begin()
      expect(begun.isCalled, 'the receiver is called').to.equal(true)
      return begun
    }

    beforeEach(async () => {
      await world.putEndpoint('main', receiver)
      await world.writeEvents('a', 1)
      const [work] = await fanOutAll()
      if (work === undefined) throw new Error('no work')
      Object.assign(job, work)
    })

    it('lets no second worker call while the first may still be calling', async () => {
      await beginCall()
      expect(await (await begin()).report).to.include({ result: 'snoozed' })
      const [delivery] = await world.service.database.webhookDelivery.findMany()
      expect(delivery?.attempts).to.equal(1)
      const [work] = await world.service.database.outbox.findMany()
      expect(work?.snoozedUntil).to.deep.equal(delivery?.attemptUntil)
    })

    it('begins once when two workers begin at the same time', async () => {
      const both = await Promise.all([begin(), begin()])
      expect(both.map(({ isCalled }) => isCalled).sort()).to.deep.equal([false, true])
    })

    it('ignores results of another URL of the endpoint since it got a new one', async () => {
      const endpoint = () => world.service.database.webhookEndpoint.findFirstOrThrow()
      for (const [status, headers, outcome] of [
        [410, {}, 'retry: gone'],
        [429, { 'retry-after': '7200' }, 'retry: refused'],
      ] as const) {
        const { answer, report } = await beginCall()
        await world.putEndpoint('main', receiver, { url: `${receiver.url}/${status}` })
        answer(status, headers)
        expect(await report).to.deep.equal({ result: 'snoozed', outcome })
        const { state, failingSince, restingUntil } = await endpoint()
        expect({ state, failingSince, restingUntil }).to.deep.equal({
          state: 'enabled',
          failingSince: null,
          restingUntil: null,
        })
        now = new Date(now.getTime() + 10_000)
      }
      const { answer, report } = await beginCall()
      await world.service.database.webhookEndpoint.updateMany({
        data: { url: `${receiver.url}/new`, failingSince: now },
      })
      answer(204)
      await report
      expect((await endpoint()).failingSince).to.deep.equal(now)
      expect(await world.states()).to.deep.equal({ delivered: 1 })
    })

    it('ignores results of another URL also when it changes while the result is recorded', async () => {
      const { database } = world.service
      await beginCall()
      const delivery = await database.webhookDelivery.findFirstOrThrow()
      const write = (url: string): DeliveryWrite => ({
        job,
        delivery,
        seenDueAt: null,
        state: 'pending',
        attempts: 1,
        attemptUntil: null,
        nextAttemptAt: null,
        ended: { status: 410, problem: 'gone' },
        work: { kind: 'finish' },
        endpoint: { url, works: false, restUntil: now, disable: 'gone' },
      })
      const old = write(`${receiver.url}/old`)
      expect((await storeDeliveries(database, now, [old])).get(old)).to.deep.equal({ hasDisabled: false })
      const endpoint = await database.webhookEndpoint.findFirstOrThrow()
      expect([endpoint.state, endpoint.failingSince]).to.deep.equal(['enabled', null])
      const [woken] = (await wakeParkedDeliveries(world.service.deps)).works
      expect(woken?.objectId, 'tried again where the endpoint is now').to.equal(delivery.id)
    })

    it('gives up a delivery whose results are lost after the usual number of attempts', async () => {
      for (let attempt = 1; attempt <= attemptsMax; attempt++) {
        await beginCall()
        now = new Date(now.getTime() + 21_000)
        if (attempt > 1 && attempt < attemptsMax)
          expect(await (await begin()).report).to.include({ result: 'snoozed' })
        now = new Date(now.getTime() + 86_400_000)
      }
      expect(await (await begin()).report).to.include({ result: 'done' })
      const delivery = await world.service.database.webhookDelivery.findFirstOrThrow()
      expect(delivery).to.include({ state: 'failed', attempts: attemptsMax, lastProblem: 'result_lost' })
      expect(await world.service.database.outbox.count()).to.equal(0)
    })

    it('makes no call when there is not enough time left, and counts none', async () => {
      const { database, cipher } = world.service.deps
      const calls: string[] = []
      let isSlow = true
      // Between deciding and calling half of the lease passes: a process that was stopped, say.
      const clock = {
        now: () => {
          if (isSlow) now = new Date(now.getTime() + 6_000)
          return now
        },
      }
      const deliver = createDeliverWebhook({
        database,
        clock,
        cipher,
        log: world.service.deps.log,
        random: () => 0.5,
        names,
        slots: createCallSlots({ totalMax: 128, perLineMax: 8, nowMs: () => 0 }),
        sendRequest: ({ url }) => {
          calls.push(url)
          return Promise.resolve({ kind: 'no_answer', reason: 'timeout' })
        },
        onCall: () => undefined,
        onDelivered: () => undefined,
        onDisabled: () => undefined,
      })
      expect(await deliver({ outboxId: job.outboxId, objectId: job.objectId }, newHolder())).to.include({
        result: 'snoozed',
      })
      const delivery = () => database.webhookDelivery.findFirstOrThrow()
      expect(calls).to.deep.equal([])
      expect(await delivery()).to.include({
        state: 'pending',
        attempts: 0,
        attemptUntil: null,
        lastProblem: null,
      })
      expect((await database.webhookEndpoint.findFirstOrThrow()).failingSince).to.equal(null)
      isSlow = false
      now = new Date(now.getTime() + 60_000)
      expect(await deliver({ outboxId: job.outboxId, objectId: job.objectId }, newHolder())).to.include({
        result: 'snoozed',
      })
      expect([calls.length, (await delivery()).attempts]).to.deep.equal([1, 1])
    })

    it('accepts a late success, but no late failure', async () => {
      const first = await beginCall()
      now = new Date(now.getTime() + 60_000)
      const second = await beginCall()
      now = new Date(now.getTime() + 60_000)
      const third = await beginCall()
      first.answer(500)
      expect(await first.report).to.deep.equal({
        result: 'nothing_to_do',
        outcome: 'superseded: refused',
      })
      second.answer(204)
      expect(await second.report).to.deep.equal({ result: 'done', outcome: 'delivered' })
      third.answer(500)
      expect(await third.report).to.include({ result: 'nothing_to_do' })
      expect(await world.states()).to.deep.equal({ delivered: 1 })
      expect(await world.service.database.outbox.count()).to.equal(0)
      expect(await (await begin()).report).to.deep.equal({
        result: 'nothing_to_do',
        outcome: 'nothing_to_do',
      })
    })
  })
})
