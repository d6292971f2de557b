import { expect } from 'chai'
import { findFreePort } from '../../../local/free-port.ts'
import { formatApiKey, generateApiKey } from '../../../core/casino/api-key.ts'
import { openDatabase } from '../../../core/platform/database.ts'
import type { OpenDatabase } from '../../../core/platform/database.ts'
import { createLogger } from '../../../core/platform/logger.ts'
import { migrateQueueTables } from '../../../core/queue/queue-backend.ts'
import { migrateDatabase } from '../../../prisma/migrate.ts'
import { atEndOfSuite, atEndOfTest } from '../../support/at-end.ts'
import { exampleOfAnswer } from '../../support/api-document.ts'
import { createClient } from '../../support/client.ts'
import { adminApiKey, createTestEnv } from '../../support/config.ts'
import type { Env } from '../../support/config.ts'
import { createUnmigratedDatabase } from '../../support/environment.ts'
import { eventually } from '../../support/eventually.ts'
import { createFactory, delivery } from '../../support/factory.ts'
import { queuesOfProcesses, startProcess } from '../../support/processes.ts'
import type { ServiceProcess } from '../../support/processes.ts'
import { drainOutbox, startService, startTestWorker } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { itInLongForm } from '../../support/runs.ts'

const advice = 'the database lacks migrations that this version needs: run npm run migrate'

const sentence = 'The database lacks migrations that this version needs: run npm run migrate'

for (const backend of queuesOfProcesses) {
  describe(`a database that has not been migrated, queues on ${backend}`, function () {
    this.timeout(120_000)
    let env: Env
    let workerUrl: string
    let open: OpenDatabase
    const atEnd = atEndOfTest()

    beforeEach(async () => {
      const port = await findFreePort()
      workerUrl = `http://127.0.0.1:${port}`
      env = await createTestEnv(backend, {
        DATABASE_URL: await createUnmigratedDatabase(),
        WORKER_PORT: String(port),
      })
      const log = createLogger('test', 'silent')
      open = openDatabase({ url: env['DATABASE_URL'] ?? '', poolMax: 3, log })
      atEnd(() => open.close())
    })
    const start = async (...args: Parameters<typeof startProcess>) => {
      const process = await startProcess(...args)
      atEnd(() => process.kill())
      return process
    }
    const startWaitingWorker = () => start('worker', env, { messages: [advice] })
    const migrate = async () => {
      await migrateDatabase(env['DATABASE_URL'] ?? '')
      if (backend === 'postgres') await migrateQueueTables(env['DATABASE_URL'] ?? '')
    }
    const probe = (url: string, path: string) =>
      createClient(url, { isDocumented: url !== workerUrl }).send('GET', path)
    const expectOneAdvice = ({ lines }: ServiceProcess) => {
      const messages = lines.map((line) => (JSON.parse(line) as { msg: string }).msg)
      const advices = messages.filter((message) => message.endsWith('run npm run migrate'))
      expect(advices).to.include(advice)
      expect(new Set(advices)).to.have.property('size', advices.length)
      expect(lines.filter((line) => line.includes('"stack"'))).to.deep.equal([])
    }

    it('stops the API from being ready and from writing, until it is migrated', async () => {
      const api = await start('api', env)
      const client = createClient(api.url)
      await eventually('the API says what to do', () => api.lines.some((line) => line.includes(advice)))

      const ready = await client.send('GET', '/readyz')
      expect(ready.status).to.equal(503)
      expect(ready.json).to.include({ status: 'error', database: 'unavailable', message: sentence })
      expect((await client.send('GET', '/healthz')).status).to.equal(200)
      const body = { player_id: 'p', prize_id: 'p', box_id: 'b', ...delivery }
      const messages = {
        '/box/open': 'An error occurred while opening the box.',
        '/prize/order': 'An error occurred while recording the prize order.',
        '/prize/cashback': 'An error occurred while recording the cashback decision.',
      }
      for (const [path, message] of Object.entries(messages)) {
        const reply = await client.post(path, formatApiKey(generateApiKey('live')), body)
        expect(reply.status).to.equal(500)
        expect(reply.json).to.deep.equal({ status: 'error', message })
        expect(reply.headers.get('Retry-After')).to.equal('1')
      }
      const casinos = await client.send('GET', '/admin/casinos', {
        headers: { Authorization: `Bearer ${adminApiKey}` },
      })
      expect(casinos.status).to.equal(500)
      expect((await client.send('GET', '/metrics')).text).to.match(/^rewards_database_up 0$/m)
      expectOneAdvice(api)

      await migrate()
      await eventually('the API is ready', async () => (await probe(api.url, '/readyz')).status === 200)
      await eventually('its queues work', async () =>
        /^rewards_queue_up 1$/m.test((await probe(api.url, '/metrics')).text),
      )
      const worker = startTestWorker(env)
      atEnd(() => worker.stop())
      const factory = createFactory(open.database, env['HASH_SECRET'] ?? '')
      const casino = await factory.casino()
      const { prizeId, playerId } = await factory.prize(casino.id)
      const order = { player_id: playerId, prize_id: prizeId, ...delivery }
      expect((await client.post('/prize/order', casino.apiKey, order)).status).to.equal(200)
      await drainOutbox(open.database)
      expect(await api.terminate()).to.equal(0)
      expectOneAdvice(api)
    })

    itInLongForm(
      'makes a worker wait, which says once what to do and continues after the migration',
      async () => {
        const worker = await startWaitingWorker()
        const ready = await probe(workerUrl, '/readyz')
        expect(ready.status).to.equal(503)
        expect(ready.json).to.include({ status: 'error', database: 'unavailable', message: sentence })
        expect((await probe(workerUrl, '/healthz')).status).to.equal(200)

        await migrate()
        await eventually('the worker runs', () => worker.lines.some((line) => line.includes('"worker runs"')))
        await eventually('it is ready', async () => (await probe(workerUrl, '/readyz')).status === 200)
        const api = await startService({ env })
        atEnd(() => api.stop())
        const factory = createFactory(open.database, env['HASH_SECRET'] ?? '')
        const casino = await factory.casino()
        const { prizeId, playerId } = await factory.prize(casino.id)
        const cashback = { player_id: playerId, prize_id: prizeId }
        const reply = await api.client.post('/prize/cashback', casino.apiKey, cashback)
        expect(reply.status).to.equal(200)
        await drainOutbox(open.database)
        expectOneAdvice(worker)
      },
    )

    itInLongForm('lets a worker that waits stop in order', async () => {
      const worker = await startWaitingWorker()
      expect(await worker.terminate()).to.equal(0)
      expectOneAdvice(worker)
      expect(worker.lines.some((line) => line.includes('"worker runs"'))).to.equal(false)
    })
  })
}

describe('the test for a migrated database', () => {
  let direct: TestService
  let latest: string
  const atEnd = atEndOfSuite()

  before(async () => {
    // These queues are ready as soon as the database is.
    direct = await startService({ backend: 'postgres' })
    atEnd(() => direct.stop())
    const [row] = await direct.database.$queryRaw<{ name: string }[]>`
      SELECT max(migration_name) AS name FROM _prisma_migrations`
    latest = row?.name ?? ''
  })

  const readiness = async () => {
    const service = await startService({ backend: 'postgres', env: direct.env })
    try {
      return (await service.client.send('GET', '/readyz')).json
    } finally {
      await service.stop()
    }
  }
  const isReady = { status: 'ok', database: 'ok', queue: 'ok', clock: 'ok' }
  const isNotReady = { status: 'error', database: 'unavailable', queue: 'ok', clock: 'ok', message: sentence }

  it('answers with the body that the OpenAPI document gives as an example', () => {
    expect(exampleOfAnswer('/readyz', 'get', 503)).to.deep.equal(isNotReady)
  })

  it('requires that every migration of this version has ended well', async () => {
    expect(await readiness()).to.deep.equal(isReady)
    await direct.database.$executeRaw`
      UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name = ${latest}`
    expect(await readiness(), 'it failed half-way').to.deep.equal(isNotReady)
    await direct.database.$executeRaw`
      UPDATE _prisma_migrations SET rolled_back_at = now() WHERE migration_name = ${latest}`
    expect(await readiness(), 'it was rolled back').to.deep.equal(isNotReady)
    await direct.database.$executeRaw`
      INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
      VALUES ('again', '', ${latest}, now(), now(), 1)`
    expect(await readiness(), 'and then applied').to.deep.equal(isReady)
  })

  it('allows migrations of a newer version, also ones that failed', async () => {
    await direct.database.$executeRaw`
      INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
      VALUES ('newer', '', '99990101000000_newer', now(), now(), 1),
             ('failed', '', '99990102000000_failed', now(), NULL, 0)`
    expect(await readiness()).to.deep.equal(isReady)
  })

  it('runs once per connection, not once per probe', async () => {
    const probes = async () => (await direct.client.send('GET', '/readyz')).status
    expect(await probes()).to.equal(200)
    await direct.database.$executeRaw`ALTER TABLE _prisma_migrations RENAME TO hidden`
    try {
      expect(await probes()).to.equal(200)
    } finally {
      await direct.database.$executeRaw`ALTER TABLE hidden RENAME TO _prisma_migrations`
    }
  })
})
