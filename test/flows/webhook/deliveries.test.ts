import { expect } from 'chai'
import { atEndOfTest } from '../../support/at-end.ts'
import { delivery } from '../../support/factory.ts'
import { queueBackends } from '../../support/environment.ts'
import { eventually } from '../../support/eventually.ts'
import { startFakeReceiver, verifyCall } from '../../support/fake-receiver.ts'
import type { FakeReceiver } from '../../support/fake-receiver.ts'
import { runs } from '../../support/runs.ts'
import { startWebhookWorld } from '../../support/webhook-world.ts'
import type { WebhookWorld } from '../../support/webhook-world.ts'

/** The number of events of a burst: many times what one endpoint gets at the same time. */
const burst = runs(400, 150)

for (const backend of queueBackends) {
  describe(`webhooks on ${backend}`, () => {
    let world: WebhookWorld
    let receiver: FakeReceiver

    const atTestEnd = atEndOfTest()
    beforeEach(async () => {
      world = await startWebhookWorld({ backend })
      atTestEnd(() => world.stop())
      receiver = await startFakeReceiver()
      atTestEnd(() => receiver.stop())
    })

    it('report everything that happens to an order to their endpoint, signed and in order', async () => {
      const secret = await world.putEndpoint('main', receiver)
      world.service.startWorker()
      const { prizeId, playerId } = await world.service.factory.prize(world.casino.id)
      const body = { player_id: playerId, prize_id: prizeId, ...delivery }
      expect((await world.service.client.post('/prize/order', world.casino.apiKey, body)).status).to.equal(
        200,
      )
      await eventually('all is delivered', () => world.isQuiet())

      const events = receiver.received.map((call) => verifyCall(secret, call))
      expect(events.map(({ type }) => type)).to.have.members([
        'prize.won',
        'prize.ordered',
        'prize_order.placed',
        'prize_order.confirmation_requested',
      ])
      const sequencesOf = (object: string) =>
        events.filter((event) => event.object.type === object).map((event) => event.sequence)
      expect(sequencesOf('prize')).to.deep.equal([1, 2])
      expect(sequencesOf('prize_order')).to.deep.equal([1, 2])
      const [first] = receiver.received
      expect(first?.headers['content-type']).to.equal('application/json')
      expect(first?.headers['webhook-id']).to.equal(first?.event.id)
      expect(receiver.received.map(({ body: text }) => text).join()).to.not.contain('Canary')
      expect(await world.states()).to.deep.equal({ delivered: 4 })
      const work = { where: { jobName: 'deliver-webhook' } }
      expect(await world.service.database.outbox.count(work)).to.equal(0)
    })

    it('deliver a burst, at most eight calls at a time', async () => {
      await world.putEndpoint('main', receiver)
      world.service.startWorker()
      await world.service.database.event.createMany({
        data: Array.from({ length: burst }, (_, index) => ({
          casinoId: world.casino.id,
          objectType: 'prize',
          objectId: `p${index}`,
          sequence: 1,
          type: 'prize.won',
          toState: 'won',
          actor: 'test',
          createdAt: new Date(),
        })),
      })
      await eventually('all is delivered', () => world.isQuiet())
      expect(receiver.received.length).to.equal(burst)
      expect(receiver.openMax()).to.be.lessThanOrEqual(8)
    })
  })
}
