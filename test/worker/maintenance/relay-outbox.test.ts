import { UnrecoverableError } from 'bullmq'
import { expect } from 'chai'
import pg from 'pg'
import { createHandOver } from '../../../core/outbox/hand-over.ts'
import { newHolder } from '../../../core/outbound/call-slots.ts'
import { readConfig } from '../../../core/platform/config.ts'
import { jobIdOf, parseJobData } from '../../../core/queue/jobs.ts'
import type { DueWork, JobData } from '../../../core/queue/jobs.ts'
import type { JobWorker } from '../../../core/queue/queue-backend.ts'
import type { Queues } from '../../../core/queue/queues.ts'
import { createWorkerDeps } from '../../../worker/deps.ts'
import type { WorkerDeps } from '../../../worker/deps.ts'
import { relayOutbox } from '../../../worker/maintenance/relay-outbox.ts'
import { atEndOfTest } from '../../support/at-end.ts'
import { createTestEnv } from '../../support/config.ts'
import type { Env } from '../../support/config.ts'
import { queueBackends } from '../../support/environment.ts'
import { eventually } from '../../support/eventually.ts'
import { casesOf } from '../../support/runs.ts'
import { createWorkFactory, makeAllDue } from '../../support/work.ts'

const rescueAfterSeconds = 60
const token = 'a-worker'

/** No worker runs: the tests take the jobs one by one, and decide how they end. */
const [usual = 'postgres', ...others] = queueBackends
for (const backend of casesOf([usual], others)) {
  describe(`relaying the outbox to queues on ${backend}`, () => {
    let env: Env
    let deps: WorkerDeps
    let close: () => Promise<void>
    let worker: JobWorker
    let requestCashbacks: (count: number) => Promise<DueWork[]>

    const atTestEnd = atEndOfTest()
    beforeEach(async () => {
      env = await createTestEnv(backend, { RESCUE_AFTER_SECONDS: String(rescueAfterSeconds) })
      ;({ deps, close } = createWorkerDeps(readConfig(env)))
      atTestEnd(close)
      worker = deps.backend.createWorker('credit-cashback', () => Promise.resolve('done'), { autorun: false })
      atTestEnd(() => worker.close())
      requestCashbacks = createWorkFactory(deps.database, deps.config).cashbacks
      // A producer does not wait for its first connection, as it must not wait for a server that is away.
      await eventually('the queues can be reached', () =>
        deps.backend.ping().then(
          () => true,
          () => false,
        ),
      )
    })

    const requestCashback = async (): Promise<DueWork> => {
      const [work] = await requestCashbacks(1)
      if (work === undefined) throw new Error('no work was caused')
      return work
    }
    const takeJob = async () => {
      const job = await worker.getNextJob(token, { block: false })
      // BullMQ's type does not say so, but an empty queue gives undefined.
      return job as typeof job | undefined
    }
    const takeJobOf = async (work: DueWork) => {
      const job = await takeJob()
      expect(job?.id, 'the next job of the queue').to.equal(jobIdOf(work))
      if (job === undefined) throw new Error('no job')
      return job
    }
    const run = async (data: JobData) => {
      for (const payload of parseJobData(data)) await deps.processors['credit-cashback'](payload, newHolder())
    }
    const doWork = async (work: DueWork) => {
      await run((await takeJobOf(work)).data)
      expect(await deps.database.cashback.count({ where: { state: 'credited' } })).to.equal(1)
      expect(await deps.database.outbox.count()).to.equal(0)
    }
    /** How often each row was relayed, and in how many seconds it is due. */
    const readRows = () =>
      deps.database.$queryRaw<{ relayed: number; due_in: number }[]>`
        SELECT relayed, extract(epoch FROM due_at - now())::float8 AS due_in FROM outbox ORDER BY id`
    const relayDue = async () => {
      await makeAllDue(deps.database)
      return relayOutbox(deps)
    }
    const unreachable = (): Queues => {
      const reject = () => Promise.reject(new Error('the queues are away'))
      return { ...deps.queues, add: reject, addAgain: reject }
    }

    it('measures how long the work had been due', async () => {
      await requestCashbacks(2)
      await deps.database.$executeRaw`
        UPDATE outbox SET due_at = now() - interval '20 seconds'
         WHERE id = (SELECT min(id) FROM outbox)`
      await deps.database.$executeRaw`UPDATE outbox SET due_at = now() WHERE due_at > now()`
      await relayOutbox(deps)
      const metrics = await deps.metrics.registry.getSingleMetricAsString('rewards_outbox_relay_lag_seconds')
      expect(metrics)
        .to.contain('rewards_outbox_relay_lag_seconds_bucket{le="10"} 0')
        .and.to.contain('rewards_outbox_relay_lag_seconds_bucket{le="300"} 1')
        .and.to.contain('rewards_outbox_relay_lag_seconds_count 1')
    })

    it('puts due work that was not handed over into its queue, once', async () => {
      const work = await requestCashback()
      expect(await relayDue()).to.equal(1)
      expect(await relayOutbox(deps), 'right afterwards').to.equal(0)
      await doWork(work)
      expect(await takeJob()).to.equal(undefined)
    })

    it('restarts a permanently failed job, with all its attempts, and the work gets done', async () => {
      const work = await requestCashback()
      await relayDue()
      await (await takeJobOf(work)).moveToFailed(new UnrecoverableError('a bug'), token)
      expect(await deps.queues.of('credit-cashback').getFailedCount()).to.equal(1)
      expect(await relayDue()).to.equal(1)
      const job = await deps.queues.of('credit-cashback').getJob(jobIdOf(work))
      expect(job?.attemptsMade).to.equal(0)
      await doWork(work)
    })

    it('creates a job again that has completed although its work is not done', async () => {
      const work = await requestCashback()
      await relayDue()
      await (await takeJobOf(work)).moveToCompleted('done', token, false)
      expect(await deps.queues.of('credit-cashback').getCompletedCount()).to.equal(1)
      expect(await relayDue()).to.equal(1)
      await doWork(work)
    })

    describe('after the database was restored to an earlier moment, and the queues were not', () => {
      const finishOne = async () => {
        const work = await requestCashback()
        const row = await deps.database.outbox.findUniqueOrThrow({ where: { id: BigInt(work.outboxId) } })
        await deps.queues.add([work])
        const job = await takeJobOf(work)
        await run(job.data)
        await job.moveToCompleted('done', token, false)
        return { work, row }
      }

      it('gives new work a job immediately, although the sequence begins again', async () => {
        await finishOne()
        await deps.database.$executeRaw`SELECT setval('outbox_id_seq', 1, false)`
        const work = await requestCashback()
        await deps.queues.add([work]) // as handing over does
        await takeJobOf(work)
      })

      it('gives old work another job the first time it is relayed', async () => {
        const { work, row } = await finishOne()
        await deps.database.outbox.create({
          data: { ...row, relayed: 0, createdAt: new Date(row.createdAt.getTime() - 3_600_000) },
        })
        expect(await relayDue()).to.equal(1)
        await takeJobOf(work)
      })
    })

    it('does not touch a job that still waits or runs, however often its work is relayed', async () => {
      const work = await requestCashback()
      for (let relay = 0; relay < 3; relay++) expect(await relayDue()).to.equal(1)
      const job = await takeJobOf(work)
      expect(await relayDue()).to.equal(1)
      expect(await takeJob()).to.equal(undefined)
      expect(await job.isActive()).to.equal(true)
    })

    it('names the casino of the work, which rows of an earlier release do not have', async () => {
      await requestCashbacks(2)
      await deps.database.$executeRaw`
        UPDATE outbox SET casino_id = NULL WHERE id = (SELECT id FROM outbox ORDER BY id LIMIT 1)`
      const cashback = await deps.database.cashback.findFirst({ orderBy: { id: 'desc' } })
      await relayDue()
      const jobs = [await takeJob(), await takeJob()]
      const named = jobs.map((job) =>
        job === undefined ? [] : parseJobData(job.data).map((work) => work.casinoId),
      )
      expect(named.flat()).to.have.members([undefined, cashback?.casinoId])
    })

    it('restarts every failed job of a full claim', async () => {
      const works = await requestCashbacks(120)
      await relayDue()
      for (let job = await takeJob(); job; job = await takeJob())
        await job.moveToFailed(new UnrecoverableError('a bug'), token)
      expect(await deps.queues.of('credit-cashback').getFailedCount()).to.equal(works.length)
      expect(await relayDue()).to.equal(works.length)
      expect(await deps.queues.of('credit-cashback').getJobCounts('failed', 'waiting')).to.deep.equal({
        failed: 0,
        waiting: works.length,
      })
    })

    it('checks work again after 1, 2, 4 … times the rescue time, at most ten minutes', async () => {
      await requestCashback()
      const pauses: number[] = []
      for (let relay = 0; relay < 6; relay++) {
        await relayDue()
        pauses.push(Math.ceil(((await readRows())[0]?.due_in ?? 0) / rescueAfterSeconds))
      }
      expect(pauses).to.deep.equal([1, 2, 4, 8, 10, 10])
    })

    it('returns work that the queues refused, and relays it soon', async () => {
      const works = await requestCashbacks(3)
      await makeAllDue(deps.database)
      for (let attempt = 0; attempt < 2; attempt++) {
        const problem = await relayOutbox({ ...deps, queues: unreachable() }).catch((error: unknown) => error)
        expect(String(problem)).to.equal('Error: the queues are away')
        const rows = await readRows()
        expect(rows.map((row) => row.relayed)).to.deep.equal([0, 0, 0])
        for (const { due_in } of rows) expect(due_in).to.be.lessThan(2)
        await makeAllDue(deps.database)
      }
      expect(await relayOutbox(deps)).to.equal(works.length)
      expect(await deps.queues.of('credit-cashback').getWaitingCount()).to.equal(works.length)
    })

    it('does not relay work that was handed over before the rescue time is over', async () => {
      const works = await requestCashbacks(3)
      const { handOver, settle } = createHandOver({ ...deps, rescueAfterMs: rescueAfterSeconds * 1_000 })
      await makeAllDue(deps.database)
      handOver(works)
      await settle()
      expect(await relayOutbox(deps)).to.equal(0)
      for (const { relayed, due_in } of await readRows()) {
        expect(relayed).to.equal(0)
        expect(due_in).to.be.within(rescueAfterSeconds - 10, rescueAfterSeconds)
      }
    })

    it('postpones work that was handed over without waiting for the end of the process', async () => {
      const works = await requestCashbacks(3)
      const { handOver, settle } = createHandOver({ ...deps, rescueAfterMs: rescueAfterSeconds * 1_000 })
      handOver(works)
      await eventually('the rows are postponed', async () =>
        (await readRows()).every((row) => row.due_in > rescueAfterSeconds / 2),
      )
      await settle()
    })

    it('claims each row once, however many relays claim at the same time', async () => {
      const second = createWorkerDeps(readConfig(env))
      try {
        const works = await requestCashbacks(700)
        await makeAllDue(deps.database)
        const relays = [deps, second.deps, deps, second.deps].map((each) => relayOutbox(each))
        const counts = [...(await Promise.all(relays)), await relayOutbox(deps), await relayOutbox(deps)]
        expect(counts.reduce((sum, count) => sum + count)).to.equal(works.length)
        expect((await readRows()).every((row) => row.relayed === 1)).to.equal(true)
      } finally {
        await second.close()
      }
    })

    it('claims around rows that another relay is claiming, without waiting for it', async () => {
      await requestCashbacks(5)
      await makeAllDue(deps.database)
      const other = new pg.Client({ connectionString: env['DATABASE_URL'] })
      await other.connect()
      try {
        await other.query('BEGIN')
        await other.query('SELECT FROM outbox ORDER BY id LIMIT 2 FOR UPDATE')
        expect(await relayOutbox(deps)).to.equal(3)
        await other.query('ROLLBACK')
        expect(await relayOutbox(deps)).to.equal(2)
      } finally {
        await other.end()
      }
    })

    it('does not touch work of a job that this version of the service does not have', async () => {
      await deps.database.outbox.create({
        data: { jobName: 'job-of-tomorrow', objectId: 'o', dueAt: new Date(0) },
      })
      await requestCashback()
      expect(await relayDue()).to.equal(1)
      expect(await relayDue()).to.equal(1)
      const [row] = await deps.database.outbox.findMany({ where: { jobName: 'job-of-tomorrow' } })
      expect(row?.relayed).to.equal(0)
    })
  })
}
