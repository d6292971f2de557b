import { expect } from 'chai'
import { receiveShipmentUpdate } from '../../../core/prize-order/receive-shipment-update.ts'
import { parseJobData } from '../../../core/queue/jobs.ts'
import type { JobName } from '../../../core/queue/jobs.ts'
import { atEndOfSuite, atEndOfTest } from '../../support/at-end.ts'
import { adminApiKey } from '../../support/config.ts'
import { queueBackends } from '../../support/environment.ts'
import { eventually } from '../../support/eventually.ts'
import { delivery } from '../../support/factory.ts'
import type { TestCasino } from '../../support/factory.ts'
import { startFakeReceiver } from '../../support/fake-receiver.ts'
import { startFakeWallet, useWallet } from '../../support/fake-wallet.ts'
import type { WalletBehaviour } from '../../support/fake-wallet.ts'
import { startWebhookWorld } from '../../support/webhook-world.ts'
import type { WebhookWorld } from '../../support/webhook-world.ts'

for (const backend of queueBackends) {
  describe(`the outcome of a finished job, queues on ${backend}`, () => {
    let world: WebhookWorld
    const atEnd = atEndOfSuite()
    const atTestEnd = atEndOfTest()

    before(async () => {
      world = await startWebhookWorld({ backend })
      atEnd(() => world.stop())
      world.service.startWorker()
    })

    /** The results of the jobs about an object, once at least one has ended. */
    const outcomesOf = (name: JobName, objectId: string) =>
      eventually(`a job of ${name} has ended`, async () => {
        const jobs = await world.service.deps.queues.of(name).getJobs(['completed'])
        const outcomes = jobs
          .filter(({ data }) => parseJobData(data).some((work) => work.objectId === objectId))
          .map(({ returnvalue }) => returnvalue)
        return outcomes.length > 0 && outcomes
      })
    const place = async (path: string, casino: TestCasino, more: object = {}) => {
      const { prizeId, playerId } = await world.service.factory.prize(casino.id)
      const body = { player_id: playerId, prize_id: prizeId, ...more }
      expect((await world.service.client.post(path, casino.apiKey, body)).status).to.equal(200)
      return prizeId
    }
    const cashBack = async (casino: TestCasino) => {
      const prizeId = await place('/prize/cashback', casino)
      return (await world.service.database.cashback.findFirstOrThrow({ where: { prizeId } })).id
    }

    it('says that a cashback is credited, or why it is not', async () => {
      expect(await outcomesOf('credit-cashback', await cashBack(world.casino))).to.deep.equal(['credited'])

      const wallet = await startFakeWallet()
      atTestEnd(() => wallet.stop())
      const casino = await world.service.factory.casino()
      await useWallet(world.service.database, world.service.deps.config, casino.id, wallet, 1_000)
      const fates: [WalletBehaviour, string][] = [
        ['honest', 'credited'],
        [{ status: 503, body: {} }, 'unknown: status_503'],
        [{ status: 200, body: { status: 'declined', code: 'player_blocked' } }, 'declined: player_blocked'],
        ['wrong-echo', 'manual_review: amount_mismatch'],
      ]
      for (const [behaviour, outcome] of fates) {
        wallet.behave(behaviour)
        expect(await outcomesOf('credit-cashback', await cashBack(casino))).to.deep.equal([outcome])
      }
      const board = await world.service.client.send(
        'GET',
        '/ops/queues/api/queues?activeQueue=credit-cashback&status=completed',
        { headers: { Authorization: `Bearer ${adminApiKey}` } },
      )
      expect(board.text).to.contain('"returnValue":"unknown: status_503"')
    })

    it('names the step of an order, or of a shipment update', async () => {
      const { service, casino } = world
      const prizeId = await place('/prize/order', casino, delivery)
      const { id: orderId } = await service.database.prizeOrder.findFirstOrThrow({ where: { prizeId } })
      const [announced] = await outcomesOf('fulfil-prize-order', orderId)
      expect(announced).to.equal('pending_confirmation')
      await receiveShipmentUpdate(service.deps, casino.id, {
        id: 'update-1',
        orderId,
        shipmentNumber: 1,
        status: 'delivered',
        occurredAt: new Date(),
        reason: null,
        carrier: null,
        trackingNumber: null,
      })
      expect(await outcomesOf('apply-shipment-news', orderId)).to.deep.equal(['nothing_to_do'])
    })

    it('says that a webhook is delivered, or why it is tried again', async () => {
      const receiver = await startFakeReceiver()
      atTestEnd(() => receiver.stop())
      receiver.treat(({ path }) => (path.endsWith('/fails') ? 503 : 204))
      await world.putEndpoint('works', receiver)
      await world.putEndpoint('fails', receiver)
      await world.writeEvents('prz_outcomes', 1)
      const deliveries = await eventually('there are deliveries', async () => {
        const found = await world.service.database.webhookDelivery.findMany()
        return found.length === 2 && found
      })
      for (const { id, endpointId } of deliveries) {
        const expected = endpointId === 'works' ? 'delivered' : 'retry: refused'
        // Both deliveries may share a job, which then has both outcomes.
        const [outcome] = await outcomesOf('deliver-webhook', id)
        expect(outcome).to.include(expected)
        const { state } = await world.service.database.webhookDelivery.findUniqueOrThrow({ where: { id } })
        expect(state).to.equal(endpointId === 'works' ? 'delivered' : 'pending')
      }
    })
  })
}
