import { expect } from 'chai'
import { atEndOfTest } from '../../support/at-end.ts'
import { eventually } from '../../support/eventually.ts'
import { startProcess } from '../../support/processes.ts'
import { startFakeReceiver } from '../../support/fake-receiver.ts'
import type { FakeReceiver } from '../../support/fake-receiver.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { startFakeProvider } from '../../support/fake-provider.ts'
import { startFakeWallet, useWallet } from '../../support/fake-wallet.ts'
import { createWorkFactory } from '../../support/work.ts'
import { putSetting } from '../../../core/casino/change-settings.ts'
import { startWebhookWorld } from '../../support/webhook-world.ts'
import type { WebhookWorld } from '../../support/webhook-world.ts'
import { itInLongForm } from '../../support/runs.ts'

const secret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`
const eventCount = 120
const slotsMax = 8
/** Lines are looked at only when the worker starts. After that, work can continue only because a call ended. */
const neverLooks = { lookAtLinesMs: 600_000 }

describe('work that waits for a slot', () => {
  let world: WebhookWorld
  let receiver: FakeReceiver
  let letGo: () => void

  const atTestEnd = atEndOfTest()
  beforeEach(async () => {
    receiver = await startFakeReceiver()
    atTestEnd(() => receiver.stop())
    world = await startWebhookWorld()
    atTestEnd(() => world.stop())
    const gate = new Promise<number>((resolve) => {
      letGo = () => {
        resolve(204)
      }
    })
    atTestEnd(() => {
      letGo()
    })
    receiver.treat(() => gate)
    await world.putEndpoint('main', receiver)
    await world.service.database.event.createMany({
      data: Array.from({ length: eventCount }, (_, index) => eventOf(`p${index}`, 1)),
    })
  })
  const eventOf = (objectId: string, sequence: number) => ({
    casinoId: world.casino.id,
    objectType: 'prize',
    objectId,
    sequence,
    type: 'prize.won',
    toState: 'won',
    actor: 'test',
    createdAt: new Date(),
  })
  const lineLength = () => world.service.database.outbox.count({ where: { line: { not: null } } })
  const lineHas = (length: number) =>
    eventually(`${length} stand in the line`, async () => (await lineLength()) === length)

  it('continues as soon as the receiver answers again, in the order of events, although it was snoozed for minutes', async () => {
    world.service.startWorker(neverLooks)
    await lineHas(eventCount - slotsMax)
    const rests = await world.service.database.outbox.findMany({ where: { line: { not: null } } })
    await eventually('the slots are in use', () => receiver.received.length === slotsMax)
    const soon = new Date(Date.now() + 5 * 60_000)
    expect(
      rests.every(({ dueAt }) => dueAt > soon),
      'the relay looks much later',
    ).to.equal(true)
    letGo()
    await eventually('all is delivered', () => world.isQuiet())
    const objects = receiver.received.map(({ event }) => Number(event.object.id.slice(1)))
    const inOrder = [...objects].sort((one, other) => one - other)
    expect(inOrder).to.deep.equal(Array.from({ length: eventCount }, (_, index) => index))
    // Those that are called at the same time may overtake each other.
    const waited = objects.slice(slotsMax)
    const sorted = [...waited].sort((one, other) => one - other)
    waited.forEach((object, place) => {
      expect(Math.abs(sorted.indexOf(object) - place), `p${object}`).to.be.at.most(3 * slotsMax)
    })
    expect(receiver.openMax()).to.equal(slotsMax)
  })

  it('lets later events of its object wait as long as it does', async () => {
    const { database } = world.service
    const objectId = `p${eventCount - 1}`
    await database.event.createMany({ data: [2, 3].map((sequence) => eventOf(objectId, sequence)) })
    world.service.startWorker(neverLooks)
    await lineHas(eventCount - slotsMax)
    const findLater = () =>
      database.webhookDelivery.findMany({ where: { objectId, sequence: { gt: 1 } }, orderBy: { id: 'asc' } })
    const laterOnes = await findLater()
    expect(laterOnes).to.have.length(2)
    const now = new Date()
    await database.outbox.updateMany({
      where: { objectId: { in: laterOnes.map(({ id }) => id) } },
      data: { dueAt: now, snoozedUntil: now },
    })
    const soon = new Date(now.getTime() + 5 * 60_000)
    await eventually('they have looked at it, and look again much later', async () =>
      (await findLater()).every(({ nextAttemptAt }) => nextAttemptAt !== null && nextAttemptAt > soon),
    )
    const times = ({ createdAt, updatedAt }: { createdAt: Date; updatedAt: Date }) => [createdAt, updatedAt]
    expect((await findLater()).map(times), 'waiting changes nothing').to.deep.equal(laterOnes.map(times))
    letGo()
    await eventually('all is delivered', () => world.isQuiet())
    const sequences = receiver.received
      .filter(({ event }) => event.object.id === objectId)
      .map(({ event }) => event.sequence)
    expect(sequences).to.deep.equal([1, 2, 3])
  })

  it('returns to its place in the line, without a counted attempt, when it began ahead of a slot and the receiver hangs', async () => {
    let end: () => void = () => undefined
    const second = new Promise<number>((resolve) => {
      end = () => {
        resolve(204)
      }
    })
    atTestEnd(() => {
      end()
    })
    world.service.startWorker(neverLooks)
    await lineHas(eventCount - slotsMax)
    await eventually('the slots are in use', () => receiver.received.length === slotsMax)
    const quickCount = 40
    receiver.treat((_call, count) => (count <= quickCount ? 204 : second))
    letGo()
    const { webhookDelivery } = world.service.database
    const countAttempts = async () =>
      (await webhookDelivery.aggregate({ _sum: { attempts: true } }))._sum.attempts
    // Work that is taken out of the line to begin ahead counts no attempt yet: only in the line is it back.
    await eventually('all slots are in use, and nobody is ahead', async () => {
      const { length } = receiver.received
      const isBack = (await lineLength()) === eventCount - quickCount - slotsMax
      return length === quickCount + slotsMax && isBack && (await countAttempts()) === length
    })
    end()
    await eventually('all is delivered', () => world.isQuiet())
    expect(await countAttempts(), 'each attempt that counts was a call').to.equal(eventCount)
    expect(receiver.received.length).to.equal(eventCount)
    const objects = receiver.received.slice(slotsMax).map(({ event }) => Number(event.object.id.slice(1)))
    const sorted = [...objects].sort((one, other) => one - other)
    objects.forEach((object, place) => {
      expect(Math.abs(sorted.indexOf(object) - place), `p${object}`).to.be.at.most(3 * slotsMax)
    })
    expect(receiver.openMax()).to.equal(slotsMax)
  })

  itInLongForm(
    'is taken over by another worker when the one that had all slots is killed',
    async function () {
      this.timeout(90_000)
      const first = await startProcess('worker', world.service.env)
      atTestEnd(() => first.kill())
      await lineHas(eventCount - slotsMax)
      await first.kill()
      receiver.treat(() => 204)
      world.service.startWorker()
      await eventually('what stood in the line is delivered', async () => {
        const { delivered = 0 } = await world.states()
        return delivered >= eventCount - slotsMax
      })
      expect(await lineLength()).to.equal(0)
    },
  )
})

describe('calls that wait for a slot of their wallet or provider', () => {
  const slotsMax = 2
  const count = 12
  let service: TestService
  let letGo: () => void
  let gate: Promise<void>

  const atTestEnd = atEndOfTest()
  beforeEach(async () => {
    service = await startService({ env: { WORKER_CONCURRENCY: '8' } })
    atTestEnd(() => service.stop())
    gate = new Promise((resolve) => (letGo = resolve))
  })
  const lineHas = (length: number) =>
    eventually(
      `${length} stand in lines`,
      async () => (await service.database.outbox.count({ where: { line: { not: null } } })) === length,
    )

  it('continue as soon as those of the wallet end, although no worker serves lines', async () => {
    const wallet = await startFakeWallet()
    atTestEnd(() => wallet.stop())
    wallet.behave('late', 'late', 'honest')
    const works = await createWorkFactory(service.database, service.deps.config).cashbacks(count)
    const { casinoId } = await service.database.cashback.findFirstOrThrow()
    await useWallet(service.database, service.deps.config, casinoId, wallet)
    service.startWorker(neverLooks)
    await lineHas(count - slotsMax)
    await eventually('the slots are in use', () => wallet.calls.length === slotsMax)
    wallet.answerLate()
    await eventually(
      'all are credited',
      async () => (await service.database.cashback.count({ where: { state: 'credited' } })) === works.length,
    )
    expect(wallet.underWayMax()).to.equal(slotsMax)
  })

  it('continue as soon as those of the provider end, and orders are not delayed by polls of others', async () => {
    const provider = await startFakeProvider(secret)
    atTestEnd(() => provider.stop())
    provider.react(async () => {
      await gate
      return { status: 200, body: { status: 'accepted' } }
    })
    atTestEnd(() => {
      letGo()
    })
    const { database, deps } = service
    const works = await createWorkFactory(database, deps.config).orders(count)
    const { casinoId } = await database.prizeOrder.findFirstOrThrow()
    const value = { kind: 'http' as const, url: provider.url, timeout_ms: 30_000, poll_minutes: 60 }
    const setting = { casinoId, name: 'fulfilment' as const, value, secret: { given: secret } }
    await putSetting({ ...deps, database }, { ...setting, actor: 'test', requestId: 'test' })
    // The two that were caused last are to be submitted; all others have been, and are to be asked about.
    const ids = works.map((work) => work.objectId)
    const toSubmit = ids.slice(-2)
    await database.prizeOrder.updateMany({ data: { state: 'submitted', provider: 'http' } })
    await database.prizeOrder.updateMany({
      where: { id: { in: toSubmit } },
      data: { state: 'confirmed', provider: null },
    })
    await database.outbox.updateMany({
      where: { objectId: { in: toSubmit } },
      data: { dueAt: new Date(Date.now() + 3_600_000) },
    })
    service.startWorker(neverLooks)
    await lineHas(count - 2 - slotsMax)
    await eventually('the slots are in use', () => provider.calls.length === slotsMax)
    await database.outbox.updateMany({ where: { objectId: { in: toSubmit } }, data: { dueAt: new Date() } })
    await lineHas(count - slotsMax)
    letGo()
    await eventually('all have been called', () => provider.calls.length === count)
    const types = provider.calls.map(({ type }) => type)
    expect(types.filter((type) => type === 'order.submit')).to.have.length(2)
    expect(types.lastIndexOf('order.submit')).to.be.below(count - slotsMax)
  })
})
