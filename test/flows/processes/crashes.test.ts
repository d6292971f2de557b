import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { Redis } from 'ioredis'
import pg from 'pg'
import { openDatabase } from '../../../core/platform/database.ts'
import type { OpenDatabase } from '../../../core/platform/database.ts'
import { createLogger } from '../../../core/platform/logger.ts'
import { parseJobData } from '../../../core/queue/jobs.ts'
import { startRedis } from '../../../local/redis.ts'
import type { RunningRedis } from '../../../local/redis.ts'
import { atEndOfTest } from '../../support/at-end.ts'
import { createClient } from '../../support/client.ts'
import { createTestEnv } from '../../support/config.ts'
import type { Env } from '../../support/config.ts'
import { eventually } from '../../support/eventually.ts'
import { createFactory, delivery } from '../../support/factory.ts'
import type { Factory, TestCasino } from '../../support/factory.ts'
import { countLockWaits } from '../../support/lock-waits.ts'
import { queuesOfProcesses, startProcess } from '../../support/processes.ts'
import type { ServiceProcess } from '../../support/processes.ts'
import { needRedisServer } from '../../support/redis-servers.ts'
import { drainOutbox, startService, startTestWorker } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { isLongForm, itInLongForm } from '../../support/runs.ts'

/** Sends a request over a connection of the agent: a POST when there is a body. */
function sendWith(
  agent: Agent,
  url: string,
  apiKey = '',
  body?: unknown,
): Promise<{ status: number | undefined; connection: string | undefined }> {
  return new Promise((resolve, reject) => {
    const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' }
    const method = body === undefined ? 'GET' : 'POST'
    const outgoing = request(url, { agent, method, headers }, (response) => {
      response.resume().on('end', () => {
        resolve({ status: response.statusCode, connection: response.headers.connection })
      })
    })
    outgoing.on('error', reject)
    outgoing.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

function isRefused(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port }, () => {
      socket.destroy()
      resolve(false)
    }).on('error', () => {
      resolve(true)
    })
  })
}

/** A job is taken from a dead worker after fifteen seconds, each time. */
const deaths = isLongForm ? 'twice' : 'once'

/** Real processes, killed for real. Each test has its own database, and its own Redis where Redis is to suffer. */
describe('crashes', function () {
  this.timeout(90_000)
  let database: OpenDatabase
  let factory: Factory
  let casino: TestCasino
  let env: Env

  const atTestEnd = atEndOfTest()
  async function prepare(backend: 'redis' | 'postgres', overrides: Env = {}): Promise<void> {
    env = await createTestEnv(backend, overrides)
    database = openDatabase({
      url: env['DATABASE_URL'] ?? '',
      poolMax: 5,
      log: createLogger('test', 'silent'),
    })
    const { close } = database
    atTestEnd(close)
    factory = createFactory(database.database, env['HASH_SECRET'] ?? '')
    casino = await factory.casino()
  }
  /** Where only another part is to suffer: the API inside this process, on the same database and queues. */
  async function startInside(): Promise<TestService> {
    const service = await startService({ env })
    atTestEnd(() => service.stop())
    return service
  }
  function workInside(): void {
    const worker = startTestWorker(env)
    atTestEnd(() => worker.stop())
  }
  async function start(service: 'api' | 'worker'): Promise<ServiceProcess> {
    const process = await startProcess(service, env)
    atTestEnd(() => process.kill())
    return process
  }

  const order = async (api: Pick<ServiceProcess, 'url'>) => {
    const { prizeId, playerId } = await factory.prize(casino.id)
    const body = { player_id: playerId, prize_id: prizeId, ...delivery }
    return { prizeId, reply: await createClient(api.url).post('/prize/order', casino.apiKey, body) }
  }
  const cashback = async (api: Pick<ServiceProcess, 'url'>) => {
    const { prizeId, playerId } = await factory.prize(casino.id)
    const body = { player_id: playerId, prize_id: prizeId }
    return { prizeId, reply: await createClient(api.url).post('/prize/cashback', casino.apiKey, body) }
  }
  /** Longer than `drainOutbox` waits: the queues take a job from a dead worker after fifteen seconds. */
  const untilNothingIsLeft = () =>
    eventually(
      'nothing is left to do now',
      async () => (await database.database.outbox.count({ where: { snoozedUntil: null } })) === 0,
      40_000,
    )
  const creditsOf = (prizeId: string) =>
    database.database.$queryRaw<{ count: bigint }[]>`
      SELECT count(*) FROM ledger_transaction JOIN cashback ON cashback.id = cashback_id
       WHERE prize_id = ${prizeId} AND kind = 'cashback_credit'`

  for (const backend of queuesOfProcesses) {
    it(`do not prevent a job from finishing whose worker was killed during it, ${deaths} (${backend})`, async () => {
      await prepare(backend)
      const { prizeId, reply } = await cashback(await startInside())
      expect(reply.status).to.equal(200)
      // A credit must lock the prize; as long as this test holds it, a worker is in the middle of the job.
      const blocker = new pg.Client({ connectionString: env['DATABASE_URL'] })
      await blocker.connect()
      try {
        await blocker.query('BEGIN')
        await blocker.query('SELECT FROM prize WHERE id = $1 FOR UPDATE', [prizeId])
        for (let death = 0; death < (isLongForm ? 2 : 1); death++) {
          const worker = await start('worker')
          await eventually('the worker waits for the prize', isSomebodyWaiting, 40_000)
          await worker.kill()
          await eventually('its statement has ended', async () => !(await isSomebodyWaiting()))
        }
      } finally {
        await blocker.end()
      }
      await start('worker')
      await untilNothingIsLeft()
      expect(await creditsOf(prizeId)).to.deep.equal([{ count: 1n }])
    })
  }

  const isSomebodyWaiting = async () => (await countLockWaits(database.database)) > 0

  it('are avoided on SIGTERM: the process ends after the running requests, with exit code 0', async () => {
    await prepare('postgres')
    const [api, worker] = [await start('api'), await start('worker')]
    const { hostname, port } = new URL(api.url)
    const { prizeId, playerId } = await factory.prize(casino.id)
    const body = { player_id: playerId, prize_id: prizeId, ...delivery }
    // A client that never closes a connection by itself, with some that are idle, and one that has never sent anything.
    const agent = new Agent({ keepAlive: true })
    const silent = connect({ host: hostname, port: Number(port) }).on('error', () => undefined)
    const blocker = new pg.Client({ connectionString: env['DATABASE_URL'] })
    await blocker.connect()
    try {
      await Promise.all(Array.from({ length: 5 }, () => sendWith(agent, `${api.url}/healthz`)))
      await blocker.query('BEGIN')
      await blocker.query('SELECT FROM prize WHERE id = $1 FOR UPDATE', [prizeId])
      const pending = sendWith(agent, `${api.url}/prize/order`, casino.apiKey, body)
      await eventually('the order waits for the prize', isSomebodyWaiting)
      const stopped = Promise.all([api.terminate(), worker.terminate()])
      await eventually('the API takes no connections', () => isRefused(hostname, Number(port)))
      await blocker.query('ROLLBACK') // soon: nobody waits for a lock for long
      expect(await pending).to.deep.equal({ status: 200, connection: 'close' })
      expect(await stopped).to.deep.equal([0, 0])
    } finally {
      await blocker.end()
      agent.destroy()
      silent.destroy()
    }
  })

  describe('of Redis, and of the API beside it', () => {
    let binary: string
    let folder: string
    let redis: RunningRedis

    const startRedisOn = async (port?: number) => {
      redis = await startRedis({
        binary,
        dataDir: folder,
        ...(port === undefined ? {} : { port }),
      })
      atTestEnd(redis.stop)
    }
    before(function () {
      binary = needRedisServer(this)
    })
    beforeEach(async () => {
      folder = mkdtempSync(join(tmpdir(), 'rewards-crash-'))
      atTestEnd(() => {
        rmSync(folder, { recursive: true, force: true })
      })
      await startRedisOn()
      await prepare('redis', { REDIS_URL: redis.url })
    })

    it('lose nothing when the API dies between commit and enqueue', async () => {
      const api = await start('api')
      await order(api) // connects to Redis
      process.kill(redis.pid, 'SIGSTOP')
      const { reply, prizeId } = await order(api)
      expect(reply.status).to.equal(200)
      await api.kill()
      process.kill(redis.pid, 'SIGCONT')
      workInside()
      await drainOutbox(database.database)
      const placed = await database.database.prizeOrder.findMany({ where: { prizeId } })
      expect(placed.map((row) => row.announcedAt !== null)).to.deep.equal([true])
    })

    itInLongForm('do not delay answers while Redis hangs, and work catches up afterwards', async () => {
      const api = await startInside()
      workInside()
      await order(api)
      process.kill(redis.pid, 'SIGSTOP')
      const replies = await Promise.all(Array.from({ length: 50 }, () => cashback(api)))
      process.kill(redis.pid, 'SIGCONT')
      expect(replies.every(({ reply }) => reply.status === 200)).to.equal(true)
      await drainOutbox(database.database)
      for (const { prizeId } of replies) expect(await creditsOf(prizeId)).to.deep.equal([{ count: 1n }])
    })

    itInLongForm('do not prevent a stop on SIGTERM while Redis hangs', async () => {
      const [api, worker] = [await start('api'), await start('worker')]
      await cashback(api)
      await drainOutbox(database.database)
      process.kill(redis.pid, 'SIGSTOP')
      await order(api)
      expect(await Promise.all([api.terminate(), worker.terminate()])).to.deep.equal([0, 0])
      process.kill(redis.pid, 'SIGCONT')
    })

    itInLongForm(
      'do not prevent a start or answers while Redis is down, and the work is done once it is back',
      async () => {
        const port = redis.port
        await redis.stop()
        const [api] = [await start('api'), await start('worker')]
        const { reply, prizeId } = await cashback(api)
        expect(reply.status).to.equal(200)
        expect((await createClient(api.url).send('GET', '/readyz')).status).to.equal(200)
        await startRedisOn(port)
        await untilNothingIsLeft()
        expect(await creditsOf(prizeId)).to.deep.equal([{ count: 1n }])
      },
    )

    it('do not lose work when Redis loses all jobs', async () => {
      const service = await startInside()
      const replies = await Promise.all(Array.from({ length: 20 }, () => cashback(service)))
      const client = new Redis(redis.url, { protocol: 2 })
      await eventually('all work is in Redis', async () => {
        const jobs = await service.deps.queues.of('credit-cashback').getJobs(['waiting'])
        return (
          new Set(jobs.flatMap(({ data }) => parseJobData(data)).map(({ objectId }) => objectId)).size === 20
        )
      })
      await client.flushall()
      client.disconnect()
      workInside()
      await drainOutbox(database.database)
      for (const { prizeId } of replies) expect(await creditsOf(prizeId)).to.deep.equal([{ count: 1n }])
    })

    itInLongForm('do not stop workers, which continue when Redis is back', async () => {
      const [api] = [await start('api'), await start('worker')]
      await cashback(api)
      await drainOutbox(database.database)
      const port = redis.port
      process.kill(redis.pid, 'SIGKILL')
      const { prizeId } = await cashback(api)
      await startRedisOn(port)
      await untilNothingIsLeft()
      expect(await creditsOf(prizeId)).to.deep.equal([{ count: 1n }])
    })
  })
})
