import { expect } from 'chai'
import type { Redis } from 'ioredis'
import { pino } from 'pino'
import { openDatabase } from '../../../core/platform/database.ts'
import type { Database } from '../../../core/platform/database.ts'
import { createLogger } from '../../../core/platform/logger.ts'
import { mastersOf, openProducerRedis } from '../../../core/platform/redis.ts'
import { jobNames } from '../../../core/queue/jobs.ts'
import { openQueueBackend } from '../../../core/queue/queue-backend.ts'
import { atEndOfTest } from '../../support/at-end.ts'
import { setUpCasinos } from '../../support/campaign/casinos.ts'
import { sendLoad } from '../../support/campaign/load.ts'
import { createRandom } from '../../support/campaign/random.ts'
import { isSettled } from '../../support/campaign/settled.ts'
import { findBrokenPromises } from '../../support/campaign/verdict.ts'
import { createClient } from '../../support/client.ts'
import { createTestEnv } from '../../support/config.ts'
import { eventually } from '../../support/eventually.ts'
import { startFakeReceiver } from '../../support/fake-receiver.ts'
import { startFakeWallet } from '../../support/fake-wallet.ts'
import { certificateFile } from '../../support/partner-server.ts'
import { startProcess } from '../../support/processes.ts'
import { needRedisServer, startClusterGroup, startSentinelGroup } from '../../support/redis-servers.ts'
import { itInLongForm } from '../../support/runs.ts'

/** Jobs of the dead master and its locks are given to others after seconds. */
const settleBoundMs = 60_000
const promotionBoundMs = 30_000
const recoveryBoundMs = 15_000
const prefix = 'failover'
const silent = createLogger('test', 'silent')
const [isAway, isBack] = ['"msg":"Redis is away"', '"msg":"Redis is back"']

const groups = {
  'that Sentinel watches': startSentinelGroup,
  'of a Cluster': startClusterGroup,
}
const ends = { 'is killed': 'SIGKILL', hangs: 'SIGSTOP' } as const

describe('the service while a Redis master', function () {
  this.timeout(240_000)
  const atTestEnd = atEndOfTest()

  let binary: string
  before(function () {
    binary = needRedisServer(this)
  })

  for (const [kind, startGroup] of Object.entries(groups)) {
    for (const [end, signal] of Object.entries(ends)) {
      itInLongForm(
        `${kind} ${end} answers every request, works again seconds after the promotion, and loses nothing`,
        async () => {
          const group = await startGroup(binary)
          atTestEnd(() => group.stop())
          const env = await createTestEnv('postgres', { REDIS_URL: group.url, QUEUE_PREFIX: prefix })
          const receiver = await startFakeReceiver()
          atTestEnd(() => receiver.stop())
          const wallet = await startFakeWallet()
          atTestEnd(() => wallet.stop())
          const [api, worker] = [await startProcess('api', env), await startProcess('worker', env)]
          for (const service of [api, worker]) atTestEnd(() => service.kill())
          const { database, close } = openDatabase({
            url: env['DATABASE_URL'] ?? '',
            poolMax: 2,
            log: silent,
          })
          atTestEnd(close)
          const casinos = await setUpCasinos(api.url, { receiver, wallet })

          let isOver = false
          let sent = 0
          const load = sendLoad({
            stack: {
              apiUrl: () => {
                sent += 1
                return api.url
              },
            },
            casinos,
            random: createRandom(20261126),
            isOver: () => isOver,
            isHopeless: () => true,
            senders: 4,
          })
          const fail = async () => {
            await eventually('work is done', () => isOrderDoneSince(database, new Date(0)))
            const tag = `${prefix}:fulfil-prize-order`
            const victim = await eventually('there is a master', () => group.findMaster(tag))
            process.kill(victim.pid, signal)
            const failedAtMs = performance.now()
            await eventually(
              'another server is the master',
              async () => ![undefined, victim.pid].includes((await group.findMaster(tag))?.pid),
              promotionBoundMs,
            )
            const promotedAtMs = performance.now()
            const promotedAt = new Date()
            await eventually(
              'work is done again',
              () => isOrderDoneSince(database, promotedAt),
              recoveryBoundMs,
            )
            await eventually('the API reaches Redis', () => reachesQueue(api.url), recoveryBoundMs)
            return {
              promotionMs: Math.round(promotedAtMs - failedAtMs),
              recoveryMs: Math.round(performance.now() - promotedAtMs),
            }
          }
          try {
            // docs/operate/deploy.md states these figures.
            const { promotionMs, recoveryMs } = await fail()
            process.stderr.write(
              `      promoted after ${promotionMs} ms, in use after another ${recoveryMs} ms\n`,
            )
            const sentBefore = sent
            await eventually('requests are answered afterwards', () => sent > sentBefore + 50)
          } finally {
            isOver = true
            await load
          }

          const result = await load
          expect([...result.refusals], JSON.stringify([...result.statuses])).to.deep.equal([])
          await eventually('all work is done', () => isSettled(database), settleBoundMs)
          const casinoIds = casinos.map(({ casino }) => casino.id)
          expect(
            await findBrokenPromises({ database, load: result, casinoIds, wallet, receiver }),
          ).to.deep.equal([])
          for (const { lines } of [api, worker]) {
            const errors = lines.filter((line) => line.includes('"level":"error"'))
            // The loop that adds jobs fails while there is nowhere to add them.
            expect(errors.filter((line) => !line.includes('"loop":"relay-outbox"'))).to.deep.equal([])
          }
          // The worker has a connection for its queues, and one for its own jobs.
          for (const [{ lines }, connections] of [
            [api, 1],
            [worker, 2],
          ] as const) {
            const count = (text: string) => lines.filter((line) => line.includes(text)).length
            await eventually('the end of the outage is logged', () => count(isAway) === count(isBack))
            expect(count(isAway)).to.be.within(signal === 'SIGKILL' ? connections : 0, connections)
          }
        },
      )
    }
  }

  itInLongForm('of a Cluster has some queues, and another master has the others', async () => {
    const group = await startClusterGroup(binary)
    atTestEnd(() => group.stop())
    const masters = await Promise.all(jobNames.map((name) => group.findMaster(`rewards:${name}`)))
    expect(new Set(masters.map((master) => master?.port)).size).to.be.greaterThan(1)
  })
})

describe('a Redis', function () {
  this.timeout(60_000)
  const atTestEnd = atEndOfTest()

  for (const [kind, startGroup] of Object.entries(groups)) {
    itInLongForm(
      `${kind} is reached with TLS, and refused with a certificate of another authority`,
      async function () {
        const group = await startGroup(needRedisServer(this), { isTls: true })
        atTestEnd(() => group.stop())
        const env = await createTestEnv('postgres', { REDIS_URL: group.url })
        const [trusting, other] = [
          await startProcess('api', { ...env, NODE_EXTRA_CA_CERTS: certificateFile }),
          await startProcess('api', env),
        ]
        for (const api of [trusting, other]) atTestEnd(() => api.kill())
        await eventually('the API reaches Redis', () => reachesQueue(trusting.url))
        await eventually('the other says that it does not', () =>
          other.lines.some((line) => line.includes(isAway)),
        )
        expect(await reachesQueue(other.url)).to.equal(false)
      },
    )
  }

  itInLongForm('of a Cluster is missed by a connection that sends nothing meanwhile, too', async function () {
    const group = await startClusterGroup(needRedisServer(this))
    atTestEnd(() => group.stop())
    const lines: string[] = []
    const redis = openProducerRedis(group.url, pino({}, { write: (line: string) => void lines.push(line) }))
    atTestEnd(() => {
      redis.disconnect()
    })
    await eventually(
      'it is connected to all masters',
      () => mastersOf(redis).filter(isConnected).length === 3,
    )
    const [master] = group.servers
    if (master === undefined) throw new Error('there is no master')
    process.kill(master.pid, 'SIGKILL')
    for (const text of [isAway, isBack]) {
      await eventually(`it logs ${text}`, () => lines.some((line) => line.includes(text)), promotionBoundMs)
    }
    expect(lines.filter((line) => line.includes(isAway))).to.have.length(1)
  })

  itInLongForm(
    'that Sentinel watches is found when its change is told while it is looked up',
    async function () {
      const group = await startSentinelGroup(needRedisServer(this))
      atTestEnd(() => group.stop())
      const redis = openProducerRedis(group.url, silent)
      atTestEnd(() => {
        redis.disconnect()
      })
      // As ioredis does when a sentinel names another master.
      const connector = Reflect.get(redis, 'connector') as { disconnect: () => void }
      connector.disconnect()
      await eventually('the connection is made', () =>
        redis.ping().then(
          () => true,
          () => false,
        ),
      )
    },
  )

  itInLongForm(
    'whose server was demoted is connected to again, since its address may lead to the new master',
    async function () {
      const group = await startSentinelGroup(needRedisServer(this))
      atTestEnd(() => group.stop())
      const [master] = group.servers
      if (master === undefined) throw new Error('there is no master')
      const { password, port } = master.admin.options
      const redis = openProducerRedis(
        `redis://:${encodeURIComponent(password ?? '')}@localhost:${port}`,
        silent,
      )
      atTestEnd(() => {
        redis.disconnect()
      })
      const write = () => redis.set('key', 'value').catch(String)
      await eventually('it writes', async () => (await write()) === 'OK')
      const clientId = await redis.client('ID')
      // Sentinel would close its connections, too.
      await master.admin.call('REPLICAOF', 'localhost', '1')
      expect(await write()).to.contain('READONLY')
      const newId = await eventually('it is connected again', () => redis.client('ID').catch(() => undefined))
      expect(newId).not.to.equal(clientId)
    },
  )
})

describe('a Redis Cluster with a node that evicts keys when its memory is full', function () {
  this.timeout(60_000)
  const atTestEnd = atEndOfTest()

  itInLongForm('is recognised as soon as that node is a master', async function () {
    const group = await startClusterGroup(needRedisServer(this))
    atTestEnd(() => group.stop())
    const warnings: string[] = []
    const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) })
    const open = () => {
      const backend = openQueueBackend({ backend: 'redis', redisUrl: group.url, prefix }, log)
      atTestEnd(() => backend.close())
      return backend
    }
    const evicting = group.servers.at(-1)
    await evicting?.admin.config('SET', 'maxmemory-policy', 'allkeys-lru')
    expect(await open().evictionPolicy(), 'while it is a replica').to.equal('noeviction')
    expect(warnings).to.deep.equal([])
    await evicting?.admin.call('CLUSTER', 'FAILOVER')
    await eventually('the first connection says so', () => warnings.join().includes('allkeys-lru'))
    expect(await open().evictionPolicy(), 'for a new connection').to.equal('allkeys-lru')
  })
})

function isConnected({ status }: Redis): boolean {
  return status === 'ready'
}

async function isOrderDoneSince(database: Database, since: Date): Promise<boolean> {
  const done = await database.prizeOrder.findFirst({
    where: { createdAt: { gt: since }, announcedAt: { not: null } },
    select: { id: true },
  })
  return done !== null
}

async function reachesQueue(apiUrl: string): Promise<boolean> {
  const { json } = await createClient(apiUrl).send('GET', '/readyz')
  return (json as { queue?: string }).queue === 'ok'
}
