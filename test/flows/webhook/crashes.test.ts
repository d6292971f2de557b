import { expect } from 'chai'
import { atEndOfTest } from '../../support/at-end.ts'
import { eventually } from '../../support/eventually.ts'
import { startFakeReceiver } from '../../support/fake-receiver.ts'
import type { FakeReceiver, Treatment } from '../../support/fake-receiver.ts'
import { queuesOfProcesses, startProcess } from '../../support/processes.ts'
import { startWebhookWorld } from '../../support/webhook-world.ts'
import type { WebhookWorld } from '../../support/webhook-world.ts'
import { itInLongForm } from '../../support/runs.ts'

for (const backend of queuesOfProcesses) {
  describe(`webhooks of workers that die during a call (${backend})`, function () {
    this.timeout(90_000)
    let world: WebhookWorld
    let receiver: FakeReceiver
    let letGo: (treatment: Treatment) => void

    const atTestEnd = atEndOfTest()
    beforeEach(async () => {
      receiver = await startFakeReceiver()
      atTestEnd(() => receiver.stop())
      world = await startWebhookWorld({ backend })
      atTestEnd(() => world.stop())
      await world.putEndpoint('main', receiver)
      const held = new Promise<Treatment>((resolve) => {
        letGo = resolve
      })
      atTestEnd(() => {
        letGo(204)
      })
      receiver.treat((_, count) => (count === 1 ? held : 204))
      await world.writeEvents('a', 3)
    })

    const start = async () => {
      const worker = await startProcess('worker', world.service.env)
      atTestEnd(() => worker.kill())
      return worker
    }
    const sent = () => receiver.received.map(({ event }) => event.sequence)
    /** As if the time had passed in which the attempt of the dead worker might still have been running. */
    const endLeases = async () => {
      await world.service.database.$executeRaw`
        UPDATE webhook_delivery SET attempt_until = now() - interval '1 second' WHERE attempt_until IS NOT NULL`
      await world.service.database.$executeRaw`
        UPDATE outbox SET due_at = now(), snoozed_until = NULL WHERE snoozed_until > now() + interval '6 seconds'`
      return true
    }

    itInLongForm('are delivered at least once and in order when the worker was killed', async () => {
      const worker = await start()
      await eventually('a call is under way', () => receiver.received.length === 1)
      await worker.kill()
      const [delivery] = await world.service.database.webhookDelivery.findMany({ where: { sequence: 1 } })
      expect(delivery, 'the attempt was written down before the call').to.include({
        state: 'pending',
        attempts: 1,
      })
      expect(delivery?.attemptUntil).to.be.an.instanceOf(Date)
      await start()
      await eventually('all is delivered', async () => (await endLeases()) && (await world.isQuiet()), 60_000)
      expect(sent()).to.deep.equal([1, 1, 2, 3])
      expect(await world.service.database.outbox.count()).to.equal(0)
    })

    itInLongForm('stops in time on SIGTERM, and another worker continues', async () => {
      const worker = await start()
      await eventually('a call is under way', () => receiver.received.length === 1)
      expect(await worker.terminate()).to.equal(0)
      await start()
      await eventually('all is delivered', async () => (await endLeases()) && (await world.isQuiet()), 60_000)
      expect(sent()).to.deep.equal([1, 1, 2, 3])
    })
  })
}
