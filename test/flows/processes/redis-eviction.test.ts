import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { Redis } from 'ioredis'
import { pino } from 'pino'
import { openQueueBackend } from '../../../core/queue/queue-backend.ts'
import { findRedisServer, startRedis } from '../../../local/redis.ts'
import { atEndOfSuite, atEndOfTest } from '../../support/at-end.ts'
import { createTestEnv } from '../../support/config.ts'
import type { Env } from '../../support/config.ts'
import { queueBackends } from '../../support/environment.ts'
import { eventually } from '../../support/eventually.ts'
import { startProcess } from '../../support/processes.ts'
import { casesOf, itInLongForm } from '../../support/runs.ts'

interface Line {
  level: string
  msg: string
  source?: string
  policy?: string
}

const parse = (lines: readonly string[]) => lines.map((line) => JSON.parse(line) as Line)
const lossMessage = 'Redis loses jobs when its memory is full: set its maxmemory-policy'

// Its policy is changed here, so it cannot be the one that other tests use.
if (queueBackends.includes('redis')) {
  describe('a Redis that evicts keys when its memory is full', function () {
    this.timeout(120_000)
    let url: string
    let admin: Redis
    const atEnd = atEndOfSuite()
    const atTestEnd = atEndOfTest()

    before(async () => {
      const folder = await mkdtemp(join(tmpdir(), 'rewards-eviction-'))
      atEnd(() => rm(folder, { recursive: true }))
      const redis = await startRedis({ binary: findRedisServer() ?? '', dataDir: folder })
      atEnd(() => redis.stop())
      url = redis.url
      admin = new Redis(url, { protocol: 2 })
      atEnd(() => {
        admin.disconnect()
      })
    })
    const setPolicy = (policy: string) => admin.config('SET', 'maxmemory-policy', policy)
    const production = (): Env => ({
      NODE_ENV: 'production',
      OUTBOUND_ALLOW_PRIVATE: 'false',
      ADMIN_API_KEY: randomBytes(24).toString('base64url'),
      HASH_SECRET: randomBytes(32).toString('base64url'),
      ENCRYPTION_KEYS: `key-1:${randomBytes(32).toString('base64')}`,
    })
    const start = async (service: 'api' | 'worker', env: Env) => {
      const process = await startProcess(service, env)
      atTestEnd(() => process.kill())
      return process
    }

    for (const service of casesOf(['api'] as const, ['worker'] as const)) {
      it(`is refused by a production start, as weak secrets are: ${service}`, async () => {
        await setPolicy('allkeys-lru')
        const env = await createTestEnv('redis', { REDIS_URL: url, ...production() })
        const reason: unknown = await start(service, env).catch((error: unknown) => error)
        expect(reason).to.be.instanceOf(Error)
        expect(String(reason))
          .to.contain('ended at start (exit code 2)')
          .and.to.contain(
            'Bad configuration: REDIS_URL must name a Redis with maxmemory-policy noeviction in production; with allkeys-lru jobs are lost',
          )
        await setPolicy('noeviction')
        expect(await (await start(service, env)).terminate()).to.equal(0)
      })

      itInLongForm(
        `is accepted elsewhere, with a warning, and the output is lines of JSON: ${service}`,
        async () => {
          await setPolicy('allkeys-lru')
          const env = await createTestEnv('redis', { REDIS_URL: url })
          const process = await start(service, env)
          const isSaid = (text: string) => process.lines.some((line) => line.includes(text))
          await eventually('it says so', () => isSaid(lossMessage))
          // Its workers look by themselves, and tell the console.
          if (service === 'worker') await eventually('BullMQ says so', () => isSaid('Eviction policy is'))
          expect(await process.terminate()).to.equal(0)
          const lines = parse(process.lines)
          expect(lines.filter(({ msg }) => msg === lossMessage)).to.have.length(1)
          expect(lines.filter(({ source }) => source === 'console').length).to.be.lessThan(2)
        },
      )
    }

    const openBackend = (redisUrl: string) => {
      const written: string[] = []
      const log = pino({ level: 'info', base: null }, { write: (line: string) => void written.push(line) })
      const backend = openQueueBackend({ backend: 'redis', redisUrl, prefix: 'test' }, log)
      atTestEnd(() => backend.close())
      const messages = () =>
        parse(written).map(({ msg, policy }) => (policy === undefined ? msg : `${msg}: ${policy}`))
      return { backend, messages }
    }

    it('is noticed when it returns with another policy, and when it has the right one again', async () => {
      await setPolicy('noeviction')
      const { backend, messages } = openBackend(url)
      expect(await backend.evictionPolicy()).to.equal('noeviction')
      await setPolicy('volatile-lru')
      await admin.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes')
      await eventually('it is said', () => messages().includes(`${lossMessage}: volatile-lru`))
      await setPolicy('noeviction')
      await admin.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes')
      await eventually('it is said', () =>
        messages().includes('Redis keeps all jobs when its memory is full'),
      )
    })

    it('is not recognised if the server hides its policy, and the log says so', async () => {
      await admin.call('ACL', 'SETUSER', 'restricted', 'on', '>secret', '~*', '&*', '+@all', '-info')
      const restricted = new URL(url)
      restricted.username = 'restricted'
      restricted.password = 'secret'
      const { backend, messages } = openBackend(restricted.href)
      expect(await backend.evictionPolicy()).to.equal(undefined)
      expect(messages()).to.include('Redis does not report its maxmemory-policy')
    })
  })
}
