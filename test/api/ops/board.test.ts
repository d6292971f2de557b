import { get } from 'node:http'
import Koa from 'koa'
import { expect } from 'chai'
import { jobNames, jobIdOf } from '../../../core/queue/jobs.ts'
import { createBoard } from '../../../api/ops/board.ts'
import { startServer } from '../../../api/server.ts'
import type { RunningServer } from '../../../api/server.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import { createClient } from '../../support/client.ts'
import { adminApiKey } from '../../support/config.ts'
import { queueBackends } from '../../support/environment.ts'
import { eventually } from '../../support/eventually.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'

const work = { jobName: 'credit-cashback', outboxId: '7', objectId: 'cbk_1' } as const
const jobId = jobIdOf(work)
const bearer = { Authorization: `Bearer ${adminApiKey}` }
const states = ['waiting', 'active', 'delayed', 'failed', 'completed'] as const

interface QueueView {
  name: string
  readOnlyMode: boolean
  counts: Record<string, number>
}

/** Everything that the board's own API could do to a queue or a job. */
const changes = [
  ['PUT', '/api/queues/pause'],
  ['PUT', '/api/queues/resume'],
  ['POST', '/api/queues/credit-cashback/add', { name: 'credit-cashback', data: {}, options: {} }],
  ['PUT', '/api/queues/credit-cashback/retry/failed'],
  ['PUT', '/api/queues/credit-cashback/retry/completed'],
  ['PUT', '/api/queues/credit-cashback/promote'],
  ['PUT', '/api/queues/credit-cashback/clean/waiting'],
  ['PUT', '/api/queues/credit-cashback/clean/failed'],
  ['PUT', '/api/queues/credit-cashback/pause'],
  ['PUT', '/api/queues/credit-cashback/concurrency', { concurrency: 1 }],
  ['PUT', '/api/queues/credit-cashback/rate-limit', { max: 1, duration: 1000 }],
  ['PUT', '/api/queues/credit-cashback/empty'],
  ['PUT', '/api/queues/credit-cashback/obliterate', { force: true }],
  ['PUT', `/api/queues/credit-cashback/${jobId}/retry`],
  ['PUT', `/api/queues/credit-cashback/${jobId}/clean`],
  ['PUT', `/api/queues/credit-cashback/${jobId}/promote`],
  ['PATCH', `/api/queues/credit-cashback/${jobId}/update-data`, { jobData: { changed: true } }],
  ['PATCH', `/api/queues/credit-cashback/${jobId}/delay`, { runAt: 4102444800000 }],
  ['PATCH', `/api/queues/credit-cashback/${jobId}/priority`, { priority: 1 }],
] as const

/** Sends the path unchanged: `fetch` would resolve its dots. */
function sendPath(
  url: string,
  path: string,
): Promise<{ status: number | undefined; code: string | string[] | undefined }> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    get({ hostname, port, path, headers: bearer }, (response) => {
      response.resume()
      resolve({ status: response.statusCode, code: response.headers['x-error-code'] })
    }).on('error', reject)
  })
}

for (const backend of queueBackends) {
  describe(`the queue dashboard on ${backend}`, () => {
    let service: TestService
    /** The board without our routes in front of it, which let only GET requests through. */
    let bare: RunningServer

    const atEnd = atEndOfSuite()
    before(async () => {
      service = await startService({ backend })
      atEnd(() => service.stop())
      await eventually('the queues can be reached', () =>
        service.deps.backend.ping().then(
          () => true,
          () => false,
        ),
      )
      await service.deps.queues.add([work])
      const app = new Koa()
      const board = createBoard(service.deps, '/ops')
      app.use((ctx) => board(ctx))
      bare = await startServer(app.callback(), { host: '127.0.0.1', port: 0 })
      atEnd(() => bare.stop())
    })

    const see = async () => {
      const queue = service.deps.queues.of('credit-cashback')
      const job = await queue.getJob(jobId)
      return {
        counts: await queue.getJobCounts(...states),
        isPaused: await queue.isPaused(),
        concurrency: (await queue.getGlobalConcurrency()) ?? null,
        rateLimit: (await queue.getGlobalRateLimit()) ?? null,
        job: job && { data: job.data, state: await job.getState(), delay: job.delay, priority: job.priority },
      }
    }

    it('shows all queues with their jobs', async () => {
      const reply = await service.client.send('GET', '/ops/queues/api/queues', { headers: bearer })
      expect(reply.status).to.equal(200)
      const { queues } = reply.json as { queues: QueueView[] }
      expect(queues.map(({ name }) => name)).to.have.members([...jobNames])
      expect(queues.every(({ readOnlyMode }) => readOnlyMode)).to.equal(true)
      expect(queues.find(({ name }) => name === 'credit-cashback')?.counts['waiting']).to.equal(1)

      const job = await service.client.send('GET', `/ops/queues/api/queues/credit-cashback/${jobId}`, {
        headers: bearer,
      })
      expect(job.json).to.have.nested.property('job.data.objectId', 'cbk_1')
    })

    it('serves its page and every file that the page needs', async () => {
      const page = await service.client.send('GET', '/ops/queues', { headers: bearer })
      expect(page.status).to.equal(200)
      expect(page.text).not.to.match(/(src|href)="https?:/)
      const files = [...page.text.matchAll(/(?:src|href)="(static\/[^"]+)"/g)].map(([, file]) => file ?? '')
      expect(files.length).to.be.greaterThan(3)
      for (const file of files) {
        const reply = await service.client.send('GET', `/ops/queues/${file}`, { headers: bearer })
        expect(reply.status, file).to.equal(200)
        expect(reply.text.length, file).to.be.greaterThan(0)
      }
    })

    it('answers 404 for paths that lead out of its files', async () => {
      for (const path of ['static/../x', 'static/..%2f..%2fpackage.json', 'static/%00', 'static/%']) {
        const reply = await sendPath(service.url, `/ops/queues/${path}`)
        expect(reply, path).to.deep.equal({ status: 404, code: 'route_unknown' })
      }
    })

    it('hides job data that should not be there', async () => {
      const queue = service.deps.queues.of('fulfil-prize-order')
      const odd = { outboxId: '8', objectId: 'ord_1', email: 'ann.canary@example.com' }
      await queue.add('fulfil-prize-order', odd, { jobId: 'odd_1' })
      await queue.add('fulfil-prize-order', { email: 'ann.canary@example.com' } as never, { jobId: 'odd_2' })
      for (const id of ['odd_1', 'odd_2']) {
        const reply = await service.client.send('GET', `/ops/queues/api/queues/fulfil-prize-order/${id}`, {
          headers: bearer,
        })
        expect(reply.status).to.equal(200)
        expect(reply.text).not.to.contain('canary')
      }
    })

    it('refuses every request that would change a queue or a job', async () => {
      const before = await see()
      expect(before.job?.state).to.equal('waiting')
      for (const [method, path, body] of changes) {
        const reply = await service.client.send(method, `/ops/queues${path}`, {
          headers: { ...bearer, 'Content-Type': 'application/json' },
          body: JSON.stringify(body ?? {}),
        })
        expect(reply.status, path).to.equal(405)
        expect(reply.json).to.deep.equal({
          status: 'error',
          message: 'This path does not have the method: use one of the Allow header',
        })
      }
      expect(await see()).to.deep.equal(before)
    })

    it('refuses changes itself, without the checks in front of it', async () => {
      const before = await see()
      const client = createClient(bare.url)
      for (const [method, path, body] of changes) {
        const reply = await client.send(method, `/ops/queues${path}`, {
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify(body ?? {}),
        })
        // To pause or resume all queues affects those that may be changed, and there are none.
        const isForAll = path === '/api/queues/pause' || path === '/api/queues/resume'
        expect(reply.status, path).to.equal(isForAll ? 200 : 405)
      }
      expect(await see()).to.deep.equal(before)
    })
  })
}
