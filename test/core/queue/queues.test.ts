import type { Job } from 'bullmq'
import { expect } from 'chai'
import { createLogger } from '../../../core/platform/logger.ts'
import { countJobs, readQueueStates } from '../../../core/queue/count-jobs.ts'
import { jobIdOf, parseJobData } from '../../../core/queue/jobs.ts'
import type { DueWork, JobData } from '../../../core/queue/jobs.ts'
import { openQueueBackend } from '../../../core/queue/queue-backend.ts'
import { createQueues } from '../../../core/queue/queues.ts'
import { atEndOfTest } from '../../support/at-end.ts'
import { createTestConfig } from '../../support/config.ts'
import { queueBackends } from '../../support/environment.ts'
import { eventually } from '../../support/eventually.ts'

for (const kind of queueBackends) {
  const open = async (atEnd: ReturnType<typeof atEndOfTest>) => {
    const log = createLogger('test', 'silent')
    const backend = openQueueBackend((await createTestConfig(kind)).queue, log)
    atEnd(() => backend.close())
    const queues = createQueues({ backend, log, nowMs: () => 0 })
    atEnd(() => queues.close())
    await eventually('connected', () =>
      backend.ping().then(
        () => true,
        () => false,
      ),
    )
    return { backend, queues }
  }

  describe(`work of several casinos, queues on ${kind}`, () => {
    const atEnd = atEndOfTest()
    const worksOf = (casinoId: string, first: number, count: number): DueWork[] =>
      Array.from({ length: count }, (_, n) => ({
        jobName: 'credit-cashback',
        outboxId: String(first + n),
        objectId: `cbk_${first + n}`,
        casinoId,
      }))

    for (const add of ['add', 'addShared'] as const) {
      it(`is taken first where the casino has little of it, and otherwise in order (${add})`, async () => {
        const { backend, queues } = await open(atEnd)
        await queues[add](worksOf('large', 1, 1_000))
        await queues[add](worksOf('small', 2_001, 3))
        const worker = backend.createWorker('credit-cashback', () => Promise.resolve('done'), {
          autorun: false,
        })
        atEnd(() => worker.close())
        const takeJob = () =>
          worker.getNextJob('a-worker', { block: false }) as Promise<Job<JobData> | undefined>
        const taken: number[] = []
        for (let job = await takeJob(); job; job = await takeJob())
          taken.push(...parseJobData(job.data).map(({ outboxId }) => Number(outboxId)))
        const small = taken.map((id, place) => (id > 2_000 ? place : -1)).filter((place) => place >= 0)
        expect(taken).to.have.length(1_003)
        expect(small).to.deep.equal([200, 201, 202])
        expect(taken.filter((id) => id <= 2_000)).to.deep.equal(
          Array.from({ length: 1_000 }, (_, n) => n + 1),
        )
      })
    }

    it('is counted as waiting work at any priority', async () => {
      const { queues } = await open(atEnd)
      await queues.add(worksOf('large', 1, 203))
      const counts = new Map(await countJobs(queues)).get('credit-cashback')
      expect(counts).to.deep.equal({ waiting: 203, active: 0, delayed: 0, failed: 0, completed: 0 })
      const jobOf = async (n: number) =>
        queues.of('credit-cashback').getJob(jobIdOf({ outboxId: String(n), objectId: '' }))
      expect(await (await jobOf(203))?.getState()).to.equal('prioritized')
      const next = async () => (await readQueueStates(queues)).find(({ name }) => name === 'credit-cashback')
      expect((await next())?.waiting).to.equal(203)
      // BullMQ's PostgreSQL backend finds the newest of the jobs without a priority.
      const first = kind === 'redis' ? 1 : 200
      expect((await next())?.oldestAddedAt?.getTime()).to.equal((await jobOf(first))?.timestamp)
      for (let n = 1; n <= 200; n++) await (await jobOf(n))?.remove()
      expect([(await next())?.waiting, (await next())?.oldestAddedAt?.getTime()]).to.deep.equal([
        3,
        (await jobOf(201))?.timestamp,
      ])
    })
  })

  describe(`work that is added again, queues on ${kind}`, () => {
    const atEnd = atEndOfTest()
    it('is done immediately, although its job waits for hours by the clock of a worker that is ahead', async () => {
      const { queues } = await open(atEnd)
      const work = { jobName: 'credit-cashback', outboxId: '7', objectId: 'cbk_7' } as const
      const options = { jobId: jobIdOf(work), delay: 3 * 3_600_000 }
      const { outboxId, objectId } = work
      const job = await queues.of(work.jobName).add(work.jobName, { outboxId, objectId }, options)
      await queues.add([work])
      expect(await job.getState()).to.equal('delayed')
      await queues.addAgain([work])
      expect(await job.getState()).to.equal('waiting')
    })
  })
}
