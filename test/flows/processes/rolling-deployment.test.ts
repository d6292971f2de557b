import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { openDatabase } from '../../../core/platform/database.ts'
import { createLogger } from '../../../core/platform/logger.ts'
import { migrateQueueTables } from '../../../core/queue/queue-backend.ts'
import { migrateDatabase, readMigrations } from '../../../prisma/migrate.ts'
import { createOperator } from '../../api/admin/operator.ts'
import { atEndOfTest } from '../../support/at-end.ts'
import { setUpCasinos } from '../../support/campaign/casinos.ts'
import { sendLoad } from '../../support/campaign/load.ts'
import { createRandom } from '../../support/campaign/random.ts'
import { isSettled } from '../../support/campaign/settled.ts'
import { findBrokenPromises } from '../../support/campaign/verdict.ts'
import { createClient } from '../../support/client.ts'
import { adminApiKey, createTestEnv } from '../../support/config.ts'
import { createUnmigratedDatabase } from '../../support/environment.ts'
import { eventually } from '../../support/eventually.ts'
import { startFakeReceiver } from '../../support/fake-receiver.ts'
import { startFakeWallet } from '../../support/fake-wallet.ts'
import { startLoadBalancer } from '../../support/haproxy.ts'
import { needProgram } from '../../support/need-program.ts'
import { needPreviousRelease, unpackPreviousRelease } from '../../support/previous-release.ts'
import type { PreviousRelease } from '../../support/previous-release.ts'
import { queuesOfProcesses, startProcess } from '../../support/processes.ts'
import type { ServiceProcess } from '../../support/processes.ts'
import { describeInLongForm } from '../../support/runs.ts'

/** How many requests are answered between two steps. */
const requestsBetween = 60
/** The places of processes, in the order in which they are replaced. */
const places = ['worker-1', 'worker-2', 'api-1', 'api-2', 'manage-1', 'manage-2']
/** Few, as each sends without pause: the processes that start meanwhile need the machine too. */
const senders = 3
/** Between its reads of several lists, for the same reason. */
const pauseOfReaderMs = 50
const settleBoundMs = 180_000

describeInLongForm('a rolling deployment behind a load balancer', function () {
  this.timeout(settleBoundMs + 180_000)
  const atTestEnd = atEndOfTest()

  for (const backend of queuesOfProcesses) {
    it(`answers every request and loses nothing, with a migration between two releases, and down to one process of each kind (queues in ${backend})`, async function () {
      const haproxy = needProgram(this, ['haproxy'], 'haproxy')
      await needPreviousRelease(this)
      const old = await unpackPreviousRelease()
      atTestEnd(old.remove)
      const url = await createUnmigratedDatabase()
      await migrateDatabase(url, migrationsOf(old))
      if (backend === 'postgres') await migrateQueueTables(url)
      // HAProxy needs two checks, a tenth of a second apart, to see that an API drains.
      const env = await createTestEnv(backend, {
        DATABASE_URL: url,
        DRAIN_DELAY_SECONDS: '2',
        WORKER_PORT: '0',
      })
      const { database, close } = openDatabase({ url, poolMax: 5, log: createLogger('test', 'silent') })
      atTestEnd(() => close())
      const receiver = await startFakeReceiver()
      atTestEnd(() => receiver.stop())
      const wallet = await startFakeWallet()
      atTestEnd(() => wallet.stop())
      const balancer = await startLoadBalancer(haproxy, ['api-1', 'api-2'])
      atTestEnd(() => balancer.stop())
      const management = await startLoadBalancer(haproxy, ['manage-1', 'manage-2'])
      atTestEnd(() => management.stop())
      const balancers = { api: balancer, manage: management, worker: undefined }

      const processes = new Map<string, ServiceProcess>()
      const logs: string[] = []
      const start = async (place: string, release?: PreviousRelease) => {
        const kind = kindOf(place)
        // Of management both releases read the port, each by its own name.
        const ports = kind === 'manage' ? { MANAGE_PORT: '0', ADMIN_PORT: '0' } : {}
        const started = await startProcess(
          kind,
          { ...env, ...ports },
          release === undefined ? {} : { release },
        )
        atTestEnd(() => started.kill())
        processes.set(place, started)
        await balancers[kind]?.use(place, started.url)
      }
      const stop = async (place: string) => {
        const ending = processes.get(place)
        if (ending === undefined) throw new Error(`${place} does not run`)
        const exit = ending.terminate()
        await balancers[kindOf(place)]?.drop(place)
        expect(await exit, place).to.equal(0)
        logs.push(...ending.lines)
        processes.delete(place)
      }
      for (const place of places) await start(place, old)

      const casinos = await setUpCasinos(balancer.url, { receiver, wallet })

      let sent = 0
      let isOver = false
      const apiUrl = () => {
        sent++
        return balancer.url
      }
      const underLoad = async (what: string) => {
        const until = sent + requestsBetween
        await eventually(`${requestsBetween} requests are sent after: ${what}`, () => sent >= until, 60_000)
      }
      const steps: [string, () => Promise<unknown>][] = [
        ['the old release runs', () => Promise.resolve()],
        ['the database is migrated', () => migrateDatabase(url)],
        ...places.map((place): [string, () => Promise<void>] => [
          `${place} is replaced`,
          async () => {
            await stop(place)
            await start(place)
          },
        ]),
        ['one worker is left', () => stop('worker-1')],
        ['one API is left', () => stop('api-1')],
        ['one process of management is left', () => stop('manage-1')],
        ['there is a second process of management', () => start('manage-1')],
        ['there is a second API', () => start('api-1')],
        ['there is a second worker', () => start('worker-1')],
      ]
      const deploy = async () => {
        try {
          for (const [what, step] of steps) {
            await step()
            await underLoad(what)
          }
        } finally {
          isOver = true
        }
      }
      const reads = new Map<number, number>()
      const readManagement = async () => {
        const operator = createOperator(createClient(management.url, { isDocumented: false }), adminApiKey)
        while (!isOver) {
          for (const path of ['', '/first/boxes', '/first/orders', '/second/orders', '/second/cashbacks']) {
            const { status } = await operator.get(path)
            reads.set(status, (reads.get(status) ?? 0) + 1)
          }
          await pause(pauseOfReaderMs)
        }
      }
      const [load] = await Promise.all([
        sendLoad({
          stack: { apiUrl },
          casinos,
          random: createRandom(20261123),
          isOver: () => isOver,
          isHopeless: () => isOver,
          senders,
        }),
        deploy(),
        readManagement(),
      ])

      expect([...load.refusals], JSON.stringify([...load.statuses])).to.deep.equal([])
      expect([...reads.keys()], JSON.stringify([...reads])).to.deep.equal([200])
      expect(reads.get(200)).to.be.greaterThan(places.length * 10)
      await eventually('all work is done', () => isSettled(database), settleBoundMs)
      const casinoIds = casinos.map(({ casino }) => casino.id)
      expect(await findBrokenPromises({ database, load, casinoIds, wallet, receiver })).to.deep.equal([])
      logs.push(...[...processes.values()].flatMap(({ lines }) => lines))
      expect(logs.filter((line) => line.includes('"level":"error"'))).to.deep.equal([])
    })
  }
})

function kindOf(place: string): 'api' | 'manage' | 'worker' {
  const kind = place.split('-')[0]
  if (kind !== 'api' && kind !== 'manage' && kind !== 'worker') throw new Error(`an unknown kind: ${place}`)
  return kind
}

/** The migrations of the release; they are never edited, so that this one has the same. */
async function migrationsOf({ migrationNames }: PreviousRelease): ReturnType<typeof readMigrations> {
  const all = await readMigrations()
  return {
    ...all,
    migrationDirectories: all.migrationDirectories.filter(({ path }) => migrationNames.includes(path)),
  }
}
