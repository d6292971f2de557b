import { join } from 'node:path'
import { expect } from 'chai'
import { parseJobData } from '../../../core/queue/jobs.ts'
import { openQueueBackend } from '../../../core/queue/queue-backend.ts'
import { createLogger } from '../../../core/platform/logger.ts'
import { startChild } from '../../../local/child.ts'
import { atEndOfTest } from '../../support/at-end.ts'
import { createTestDatabase } from '../../support/environment.ts'
import { eventually } from '../../support/eventually.ts'
import { startTcpProxy } from '../../support/tcp-proxy.ts'
import { casesOf } from '../../support/runs.ts'

const root = join(import.meta.dirname, '../../..')

/** A worker in a process of its own, because a worker that never pauses would block this process. */
const program = `
  import { openQueueBackend } from '${root}/core/queue/queue-backend.ts'
  import { createLogger } from '${root}/core/platform/logger.ts'
  const backend = openQueueBackend({ backend: 'postgres', databaseUrl: process.env.DATABASE_URL }, createLogger('test', 'silent'))
  const worker = backend.createWorker('credit-cashback', async () => console.log('job'), {})
  worker.on('error', () => undefined)
  process.on('SIGTERM', async () => {
    await worker.close(true)
    await backend.close()
  })
  console.log('worker')`

describe('a worker of the PostgreSQL queues that starts before PostgreSQL answers', function () {
  this.timeout(60_000)
  const atTestEnd = atEndOfTest()

  for (const outage of casesOf(['refuses connections'] as const, ['does not answer'] as const)) {
    it(`runs jobs once PostgreSQL answers, and stops on SIGTERM, if PostgreSQL ${outage} at first`, async () => {
      const databaseUrl = await createTestDatabase()
      const direct = new URL(databaseUrl)
      const proxy = await startTcpProxy({ host: direct.hostname, port: Number(direct.port) })
      atTestEnd(() => proxy.stop())
      const away = new URL(databaseUrl)
      away.port = String(proxy.port)
      if (outage === 'refuses connections') await proxy.cut()
      else proxy.freeze()

      const lines: string[] = []
      const child = await startChild({
        command: process.execPath,
        args: ['--import', 'tsx', '--input-type=module', '--eval', program],
        cwd: root,
        env: { PATH: process.env['PATH'], DATABASE_URL: away.href },
        stdio: ['ignore', 'pipe', 'inherit'],
        stopSteps: [{ signal: 'SIGTERM', waitMs: 10_000 }],
        onLine: (line) => lines.push(line),
      })
      atTestEnd(() => child.stop())
      await eventually('the worker runs', () => lines.includes('worker'), 30_000)
      if (outage === 'refuses connections') await proxy.restore()
      else {
        await eventually('it tries to connect again', () => proxy.connections() > 1, 20_000)
        proxy.thaw()
      }

      const backend = openQueueBackend({ backend: 'postgres', databaseUrl }, createLogger('test', 'silent'))
      atTestEnd(() => backend.close())
      const queue = backend.createQueue('credit-cashback', {})
      atTestEnd(() => queue.close())
      await queue.add('credit-cashback', { outboxId: '1', objectId: 'cbk_1' })
      await eventually('the job is done', () => lines.includes('job'), 20_000)
      await child.stop()
      expect(await child.ended).to.deep.equal({ code: 0, signal: null })
    })
  }
})

describe('the PostgreSQL queues when a connection is lost while they start on it', function () {
  this.timeout(60_000)
  const atTestEnd = atEndOfTest()
  const log = createLogger('test', 'silent')

  for (const starts of ['a queue', 'a worker'] as const) {
    it(`do not end the process, and work once the database is back: ${starts}`, async () => {
      const databaseUrl = await createTestDatabase()
      const direct = new URL(databaseUrl)
      const proxy = await startTcpProxy({ host: direct.hostname, port: Number(direct.port) })
      atTestEnd(() => proxy.stop())
      const away = new URL(databaseUrl)
      away.port = String(proxy.port)
      const backend = openQueueBackend({ backend: 'postgres', databaseUrl: away.href }, log)
      atTestEnd(() => backend.close())
      await backend.ping() // from now on there is an idle connection to start on
      const done: string[] = []
      const work = () => {
        const worker = backend.createWorker(
          'credit-cashback',
          (job) => {
            done.push(...parseJobData(job.data).map(({ objectId }) => objectId))
            return Promise.resolve('done')
          },
          {},
        )
        worker.on('error', () => undefined)
        atTestEnd(() => worker.close(true))
      }

      proxy.freeze() // what is asked at first has no answer
      const queue = backend.createQueue('credit-cashback', {})
      queue.on('error', () => undefined)
      atTestEnd(() => queue.close())
      if (starts === 'a worker') work()
      await proxy.cut()
      proxy.thaw()
      await proxy.restore()

      if (starts === 'a queue') work()
      await queue.add('credit-cashback', { outboxId: '1', objectId: 'cbk_1' })
      await eventually('the job is done', () => done.length === 1)
    })
  }
})
