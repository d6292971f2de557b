import { expect } from 'chai'
import { atEndOfTest } from '../support/at-end.ts'
import { eventually } from '../support/eventually.ts'
import { startFakeReceiver } from '../support/fake-receiver.ts'
import type { FakeReceiver } from '../support/fake-receiver.ts'
import { startWebhookWorld } from '../support/webhook-world.ts'
import type { WebhookWorld } from '../support/webhook-world.ts'

const eventCount = 120
const slotsMax = 8

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
      data: Array.from({ length: eventCount }, (_, index) => ({
        ...{ casinoId: world.casino.id, objectType: 'prize', objectId: `p${index}`, sequence: 1 },
        ...{ type: 'prize.won', toState: 'won', actor: 'test', createdAt: new Date() },
      })),
    })
  })
  const lineLength = () => world.service.database.outbox.count({ where: { line: { not: null } } })
  const lineHas = (length: number) =>
    eventually(`${length} stand in the line`, async () => (await lineLength()) === length)

  it('goes on as soon as the receiver does, in the order of events, though nobody was to look for minutes', async () => {
    world.service.startWorker()
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

  it('is taken up by another worker when the one that had all slots is gone', async () => {
    const first = world.service.startWorker()
    await lineHas(eventCount - slotsMax)
    await first.stop()
    receiver.treat(() => 204)
    world.service.startWorker()
    await eventually('what stood in the line is delivered', async () => {
      const { delivered = 0 } = await world.states()
      return delivered >= eventCount - slotsMax
    })
    expect(await lineLength()).to.equal(0)
  })
})
