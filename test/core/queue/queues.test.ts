import { expect } from 'chai'
import { createLogger } from '../../../core/platform/logger.ts'
import { jobIdOf } from '../../../core/queue/jobs.ts'
import { openQueueBackend } from '../../../core/queue/queue-backend.ts'
import { createQueues } from '../../../core/queue/queues.ts'
import { createTestConfig } from '../../support/config.ts'
import { queueBackends } from '../../support/environment.ts'
import { eventually } from '../../support/eventually.ts'

for (const kind of queueBackends) {
  describe(`work that is added again, queues on ${kind}`, () => {
    it('is done immediately, although its job waits for hours by the clock of a worker that is ahead', async () => {
      const log = createLogger('test', 'silent')
      const backend = openQueueBackend((await createTestConfig(kind)).queue, log)
      const queues = createQueues({ backend, log })
      try {
        await eventually('connected', () =>
          backend.ping().then(
            () => true,
            () => false,
          ),
        )
        const work = { jobName: 'credit-cashback', outboxId: '7', objectId: 'cbk_7' } as const
        const options = { jobId: jobIdOf(work), delay: 3 * 3_600_000 }
        const { outboxId, objectId } = work
        const job = await queues.of(work.jobName).add(work.jobName, { outboxId, objectId }, options)
        await queues.add([work])
        expect(await job.getState()).to.equal('delayed')
        await queues.addAgain([work])
        expect(await job.getState()).to.equal('waiting')
      } finally {
        await queues.close()
        await backend.close()
      }
    })
  })
}
