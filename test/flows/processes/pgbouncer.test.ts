import { expect } from 'chai'
import { pino } from 'pino'
import pg from 'pg'
import { classifyFailure, openDatabase, Prisma } from '../../../core/platform/database.ts'
import { createLogger } from '../../../core/platform/logger.ts'
import type { Logger } from '../../../core/platform/logger.ts'
import { serviceSettings, settingsInJson } from '../../../core/platform/session-settings.ts'
import { openQueueBackend } from '../../../core/queue/queue-backend.ts'
import { startChild } from '../../../local/child.ts'
import { migrateDatabase } from '../../../prisma/migrate.ts'
import { setRoleSettings } from '../../../prisma/role-settings.ts'
import { atEndOfTest } from '../../support/at-end.ts'
import { setUpCasinos } from '../../support/campaign/casinos.ts'
import { sendLoad } from '../../support/campaign/load.ts'
import { createRandom } from '../../support/campaign/random.ts'
import { isSettled } from '../../support/campaign/settled.ts'
import { findBrokenPromises } from '../../support/campaign/verdict.ts'
import { createTestEnv } from '../../support/config.ts'
import type { Env } from '../../support/config.ts'
import { asServiceRole, createTestDatabase, createUnmigratedDatabase } from '../../support/environment.ts'
import { eventually } from '../../support/eventually.ts'
import { startFakeReceiver } from '../../support/fake-receiver.ts'
import { startFakeWallet } from '../../support/fake-wallet.ts'
import { needProgram } from '../../support/need-program.ts'
import { startPgbouncer } from '../../support/pgbouncer.ts'
import { queuesOfProcesses, startProcess } from '../../support/processes.ts'
import type { ServiceProcess } from '../../support/processes.ts'
import { itInLongForm } from '../../support/runs.ts'

/** Fewer than the connections of a process, so that sessions change hands all the time. */
const sessions = 3
const settleBoundMs = 120_000

describe('the service behind PgBouncer in transaction mode', function () {
  this.timeout(settleBoundMs + 60_000)
  const atTestEnd = atEndOfTest()

  let binary: string
  before(function () {
    binary = needProgram(this, ['pgbouncer'], 'pgbouncer')
  })

  const startPooler = async (ownerUrl: string) => {
    const directUrl = asServiceRole(ownerUrl)
    const pooler = await startPgbouncer(binary, [directUrl, ownerUrl], sessions)
    atTestEnd(() => pooler.stop())
    return { ...pooler, directUrl, pooledUrl: pooler.throughPooler(directUrl) }
  }

  const open = (url: string, { log = silent, isForScans = false } = {}) => {
    const { database, close } = openDatabase({ url, poolMax: 2, log, isForScans })
    atTestEnd(() => close())
    return database
  }

  const refusalOf = (attempt: PromiseLike<unknown>): Promise<string> =>
    Promise.resolve(attempt).then(
      () => 'accepted',
      (error: unknown) => String(error),
    )

  it('uses no session that lacks the settings of the role, and says how to get ones that have them', async () => {
    const { pooledUrl, directUrl, command } = await startPooler(await createTestDatabase())
    const lines: string[] = []
    const log: Logger = pino({ level: 'error' }, { write: (line: string) => lines.push(line) })
    const database = open(pooledUrl, { log })
    const ask = () =>
      database.$queryRaw<{ settings: object }[]>(
        Prisma.raw(`SELECT ${settingsInJson(serviceSettings)} AS settings`),
      )
    const remedy =
      'the pooler has sessions without the settings of the role in DATABASE_URL: run npm run migrate, and RECONNECT in the console of PgBouncer if it has run'
    expect(await refusalOf(ask())).to.include(remedy)
    await setRoleSettings(directUrl)
    expect(await refusalOf(ask()), 'a session from before').to.include(remedy)
    expect(
      lines.filter((line) => line.includes(remedy)),
      'logged once',
    ).to.have.length(1)
    await command('RECONNECT')
    expect(await ask()).to.deep.equal([{ settings: serviceSettings }])
  })

  it('refuses migrations, scans and queues in PostgreSQL through it, and leaves its sessions as they are', async () => {
    const ownerUrl = await createTestDatabase()
    const { throughPooler, directUrl, pooledUrl } = await startPooler(ownerUrl)
    await setRoleSettings(directUrl)
    const queues = openQueueBackend({ backend: 'postgres', databaseUrl: pooledUrl }, silent)
    atTestEnd(() => queues.close())
    const refusals = await Promise.all([
      refusalOf(migrateDatabase(throughPooler(ownerUrl))),
      refusalOf(open(pooledUrl, { isForScans: true }).$queryRaw`SELECT 1`),
      refusalOf(queues.ping()),
    ])
    for (const refusal of refusals)
      expect(refusal).to.match(/a session of PostgreSQL itself, .* set DATABASE_DIRECT_URL/)
    const clients = Array.from({ length: sessions }, () => new pg.Client({ connectionString: pooledUrl }))
    try {
      // A transaction each, so that each has another session.
      for (const client of clients) {
        await client.connect()
        await client.query('BEGIN')
        const { rows } = await client.query(
          `SELECT ${settingsInJson({ ...serviceSettings, search_path: '' })} AS settings`,
        )
        expect(rows).to.deep.equal([{ settings: { ...serviceSettings, search_path: '"$user", public' } }])
      }
    } finally {
      for (const client of clients) await client.end()
    }
  })

  it('gives up waiting for a lock as soon as without it', async () => {
    const ownerUrl = await createTestDatabase()
    const { directUrl, pooledUrl } = await startPooler(ownerUrl)
    await setRoleSettings(directUrl)
    const database = open(pooledUrl)
    const holder = new pg.Client({ connectionString: ownerUrl })
    await holder.connect()
    try {
      await holder.query('BEGIN')
      await holder.query('LOCK TABLE casino IN ACCESS EXCLUSIVE MODE')
      const failure: unknown = await database.$queryRaw`SELECT count(*) FROM casino`.catch(
        (error: unknown) => error,
      )
      expect(classifyFailure(failure)).to.equal('locked')
    } finally {
      await holder.end()
    }
  })

  for (const backend of queuesOfProcesses) {
    itInLongForm(
      `answers every request and loses nothing, with more processes than sessions (queues in ${backend})`,
      async () => {
        const ownerUrl = await createUnmigratedDatabase()
        const { directUrl, pooledUrl, command } = await startPooler(ownerUrl)
        const env = await createTestEnv(backend, {
          DATABASE_URL: pooledUrl,
          DATABASE_DIRECT_URL: directUrl,
          WORKER_PORT: '0',
        })
        const waiting = migrate(env, '--wait')
        expect(await migrate({ ...env, MIGRATE_DATABASE_URL: ownerUrl })).to.equal(0)
        expect(await waiting, 'the schema and the settings are there').to.equal(0)

        const receiver = await startFakeReceiver()
        atTestEnd(() => receiver.stop())
        const wallet = await startFakeWallet()
        atTestEnd(() => wallet.stop())
        const processes: ServiceProcess[] = []
        for (const kind of ['api', 'api', 'worker', 'worker'] as const) {
          const started = await startProcess(kind, env)
          atTestEnd(() => started.kill())
          processes.push(started)
        }
        const urls = processes.flatMap(({ url }) => (url === '' ? [] : [url]))
        const casinos = await setUpCasinos(urls[0] ?? '', { receiver, wallet })

        let sent = 0
        const load = await sendLoad({
          stack: { apiUrl: () => urls[sent++ % 2] },
          casinos,
          random: createRandom(20261126),
          isOver: () => sent >= requests,
          isHopeless: () => true,
          senders: 16,
        })
        expect([...load.refusals], JSON.stringify([...load.statuses])).to.deep.equal([])
        const database = open(ownerUrl)
        await eventually('all work is done', () => isSettled(database), settleBoundMs)
        const casinoIds = casinos.map(({ casino }) => casino.id)
        expect(await findBrokenPromises({ database, load, casinoIds, wallet, receiver })).to.deep.equal([])

        const [pool] = (await command('SHOW POOLS')).filter(
          ({ user }) => user === new URL(directUrl).username,
        )
        expect(Number(pool?.['cl_active']) + Number(pool?.['cl_waiting']), 'connections').to.be.above(
          sessions,
        )
        expect(Number(pool?.['sv_idle']) + Number(pool?.['sv_active']), 'sessions').to.be.at.most(sessions)
        const config = await command('SHOW CONFIG')
        const keepsNames = config.some(
          ({ key, value }) => key === 'max_prepared_statements' && Number(value) > 0,
        )
        for (const { lines } of processes) {
          expect(lines.filter((line) => line.includes('"level":"error"'))).to.deep.equal([])
          expect(
            lines.filter((line) => line.includes('the pooler keeps no prepared statements')),
          ).to.have.length(keepsNames ? 0 : 1)
        }
      },
    )
  }
})

const requests = 1_000
const silent = createLogger('test', 'silent')

/** As a deployment runs it; resolves to the exit code. */
async function migrate(env: Env, ...args: string[]): Promise<number | null> {
  const child = await startChild({
    command: process.execPath,
    args: ['--import', 'tsx', 'prisma/migrate.ts', ...args],
    env: { PATH: process.env['PATH'], ...env },
    stdio: 'ignore',
    stopSteps: [{ signal: 'SIGKILL', waitMs: 5_000 }],
  })
  return (await child.ended).code
}
