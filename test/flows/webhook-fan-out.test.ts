import { expect } from 'chai'
import pg from 'pg'
import { createBatcher } from '../../core/batch/batcher.ts'
import type { DueWork } from '../../core/queue/jobs.ts'
import { createBeginDeliveries } from '../../core/webhook/begin-deliveries.ts'
import type { BegunDelivery } from '../../core/webhook/begin-deliveries.ts'
import { countEndpoints } from '../../core/webhook/count-endpoints.ts'
import type { PartnerNames } from '../../core/partner/names.ts'
import { createCallSlots, newHolder } from '../../core/partner/call-slots.ts'
import { fanOutEvents } from '../../core/webhook/fan-out.ts'
import { attemptsMax } from '../../core/webhook/decide-delivery.ts'
import { createDeliverWebhook } from '../../core/webhook/deliver-webhook.ts'
import { storeDeliveries } from '../../core/webhook/store-deliveries.ts'
import type { DeliveryWrite } from '../../core/webhook/store-deliveries.ts'
import { createRecordDeliveries } from '../../core/webhook/record-deliveries.ts'
import { wakeRestingDeliveries } from '../../core/webhook/wake-resting.ts'
import { atEndOfTest } from '../support/at-end.ts'
import { untilTransactionsEnd } from '../support/ended-transactions.ts'
import { startFakeReceiver } from '../support/fake-receiver.ts'
import type { FakeReceiver } from '../support/fake-receiver.ts'
import { startWebhookWorld } from '../support/webhook-world.ts'
import type { WebhookWorld } from '../support/webhook-world.ts'

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

  it('gives an endpoint every event from when it was made, and none from before', async () => {
    await world.writeEvents('a', 2)
    await world.putEndpoint('main', receiver)
    await world.writeEvents('a', 2, 3)
    await fanOutAll()
    expect(await deliveriesTo('main')).to.deep.equal(['a3', 'a4'])
  })

  it('gives each endpoint what it wants, of its own casino only', async () => {
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
          ...{ casinoId: world.casino.id, objectType: 'prize', objectId, sequence: index + 1 },
          ...{ type: 'prize.changed', toState: 'won', actor: 'test', createdAt: now },
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

  describe('while endpoints of one casino have much to catch up with', () => {
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

    it('looks at those of others in the same round', async () => {
      await putEndpoints()
      await world.writeEvents('a', 251) // one more than an endpoint gets in a round
      await addCasino()
      await untilTransactionsEnd(world.service.database)
      await fanOut()
      expect(await deliveriesTo('other')).to.have.length(1)
      expect(await deliveriesTo('main-1')).to.have.length(250)
    })

    it('wakes what rests of others in the same round', async () => {
      const { database } = world.service
      await putEndpoints()
      await world.writeEvents('a', 1)
      await addCasino()
      await fanOutAll()
      await database.webhookDelivery.updateMany({ data: { outboxId: null } })
      const other = await database.webhookDelivery.findFirstOrThrow({ where: { endpointId: 'other' } })
      const { works } = await wakeRestingDeliveries(world.service.deps)
      expect(works.map(({ objectId }) => objectId)).to.include(other.id)
    })
  })

  it('waits for a transaction that commits late, and then misses nothing', async () => {
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

  it('leaves the feed where it is while an endpoint has enough to take, whether it fails or is slow', async () => {
    await world.putEndpoint('main', receiver)
    const { database } = world.service
    await database.webhookDelivery.createMany({
      data: Array.from({ length: 1_000 }, (_, index) => ({
        ...{ id: `dlv_${index}`, casinoId: world.casino.id, endpointId: 'main', eventId: index + 1_000_000 },
        ...{ objectType: 'prize', objectId: `x${index}`, sequence: 1, state: 'pending' },
        ...{ createdAt: now, updatedAt: now },
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

  describe('with attempts that cross', () => {
    const job = { outboxId: '', objectId: '' }
    const holder = newHolder()
    const steps = () => {
      const { database, cipher, config } = world.service.deps
      const clock = { now: () => now }
      const slots = createCallSlots({ totalMax: 128, perLineMax: 8, nowMs: () => 0 })
      expect(config.allowPrivateAddresses).to.equal(true)
      const exclusiveKeyOf = () => ''
      return {
        begin: createBatcher({
          process: createBeginDeliveries({ database, clock, cipher, slots, names }),
          exclusiveKeyOf,
        }),
        record: createBatcher({
          process: createRecordDeliveries({ database, clock, random: () => 0.5 }),
          exclusiveKeyOf,
        }),
      }
    }
    const attemptOf = (begun: BegunDelivery) => {
      if (begun.kind !== 'attempt') throw new Error(`no attempt: ${begun.kind}`)
      return begun.attempt
    }

    beforeEach(async () => {
      await world.putEndpoint('main', receiver)
      await world.writeEvents('a', 1)
      const [work] = await fanOutAll()
      if (work === undefined) throw new Error('no work')
      Object.assign(job, work)
    })

    it('lets no second worker call while the first may still be calling', async () => {
      const [one, two] = [steps(), steps()]
      attemptOf(await one.begin.run({ job, mayLookUp: true, holder }))
      expect(await two.begin.run({ job, mayLookUp: true, holder })).to.include({
        kind: 'ended',
        result: 'snoozed',
      })
      const [delivery] = await world.service.database.webhookDelivery.findMany()
      expect(delivery?.attempts).to.equal(1)
      const [work] = await world.service.database.outbox.findMany()
      expect(work?.snoozedUntil).to.deep.equal(delivery?.attemptUntil)
    })

    it('begins once when two workers begin at the same time', async () => {
      const results = await Promise.all([
        steps().begin.run({ job, mayLookUp: true, holder }),
        steps().begin.run({ job, mayLookUp: true, holder }),
      ])
      expect(results.map(({ kind }) => kind).sort()).to.deep.equal(['attempt', 'ended'])
    })

    it('believes nothing that another URL of the endpoint has said since it got a new one', async () => {
      const { begin, record } = steps()
      const gone = { kind: 'gone', status: 410, problem: 'gone' } as const
      const busy = { kind: 'failed', status: 429, problem: 'refused', retryAfterMs: 7_200_000 } as const
      const endpoint = () => world.service.database.webhookEndpoint.findFirstOrThrow()
      for (const outcome of [gone, busy]) {
        const attempt = attemptOf(await begin.run({ job, mayLookUp: true, holder }))
        await world.putEndpoint('main', receiver, { url: `${receiver.url}/${outcome.kind}` })
        expect(await record.run({ job, attempt, outcome })).to.deep.equal({
          ...{ result: 'snoozed', kind: 'retry', disabled: null },
        })
        const { state, failingSince, restingUntil } = await endpoint()
        expect({ state, failingSince, restingUntil }).to.deep.equal({
          ...{ state: 'enabled', failingSince: null, restingUntil: null },
        })
        now = new Date(now.getTime() + 10_000)
      }
      const attempt = attemptOf(await begin.run({ job, mayLookUp: true, holder }))
      await world.service.database.webhookEndpoint.updateMany({
        data: { url: `${receiver.url}/new`, failingSince: now },
      })
      await record.run({ job, attempt, outcome: { kind: 'delivered', status: 204 } })
      expect((await endpoint()).failingSince).to.deep.equal(now)
      expect(await world.states()).to.deep.equal({ delivered: 1 })
    })

    it('believes nothing of another URL either when it changes while the end is written down', async () => {
      const { database } = world.service
      const { begin } = steps()
      const { delivery } = attemptOf(await begin.run({ job, mayLookUp: true, holder }))
      const write = (url: string): DeliveryWrite => ({
        ...{ job, delivery, seenDueAt: null, state: 'pending', attempts: 1, attemptUntil: null },
        ...{ nextAttemptAt: null, ended: { status: 410, problem: 'gone' }, work: { kind: 'delete' } },
        endpoint: { url, works: false, restUntil: now, disable: 'gone' },
      })
      const old = write(`${receiver.url}/old`)
      expect((await storeDeliveries(database, now, [old])).get(old)).to.deep.equal({ hasDisabled: false })
      const endpoint = await database.webhookEndpoint.findFirstOrThrow()
      expect([endpoint.state, endpoint.failingSince]).to.deep.equal(['enabled', null])
      const [woken] = (await wakeRestingDeliveries(world.service.deps)).works
      expect(woken?.objectId, 'tried again where the endpoint is now').to.equal(delivery.id)
    })

    it('gives up what nobody has told the end of as often as it may be tried', async () => {
      const { begin } = steps()
      for (let attempt = 1; attempt <= attemptsMax; attempt++) {
        attemptOf(await begin.run({ job, mayLookUp: true, holder }))
        now = new Date(now.getTime() + 21_000)
        if (attempt > 1 && attempt < attemptsMax)
          expect(await begin.run({ job, mayLookUp: true, holder })).to.include({
            kind: 'ended',
            result: 'snoozed',
          })
        now = new Date(now.getTime() + 86_400_000)
      }
      expect(await begin.run({ job, mayLookUp: true, holder })).to.include({
        kind: 'ended',
        result: 'done',
      })
      const delivery = await world.service.database.webhookDelivery.findFirstOrThrow()
      expect(delivery).to.include({ state: 'failed', attempts: attemptsMax, lastProblem: 'result_lost' })
      expect(await world.service.database.outbox.count()).to.equal(0)
    })

    it('makes no call for which there is no time any more, and counts none', async () => {
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
        ...{ database, clock, cipher, log: world.service.deps.log, random: () => 0.5 },
        names,
        slots: createCallSlots({ totalMax: 128, perLineMax: 8, nowMs: () => 0 }),
        sendRequest: ({ url }) => {
          calls.push(url)
          return Promise.resolve({ kind: 'no_answer', reason: 'timeout' })
        },
        onCall: () => undefined,
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

    it('believes a late success, and no late failure', async () => {
      const { begin, record } = steps()
      const first = attemptOf(await begin.run({ job, mayLookUp: true, holder }))
      now = new Date(now.getTime() + 60_000)
      const second = attemptOf(await begin.run({ job, mayLookUp: true, holder }))
      const failed = { kind: 'failed', status: 500, problem: 'refused', retryAfterMs: null } as const
      expect(await record.run({ job, attempt: first, outcome: failed })).to.include({ kind: 'superseded' })
      const delivered = { kind: 'delivered', status: 204 } as const
      expect(await record.run({ job, attempt: first, outcome: delivered })).to.include({ kind: 'delivered' })
      expect(await record.run({ job, attempt: second, outcome: failed })).to.include({ kind: 'superseded' })
      expect(await world.states()).to.deep.equal({ delivered: 1 })
      expect(await world.service.database.outbox.count()).to.equal(0)
      expect(await begin.run({ job, mayLookUp: true, holder })).to.deep.equal({
        kind: 'ended',
        result: 'nothing_to_do',
        outcome: 'nothing_to_do',
      })
    })
  })
})
