import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { openDatabase } from '../../../core/platform/database.ts'
import type { Database, OpenDatabase } from '../../../core/platform/database.ts'
import { createLogger } from '../../../core/platform/logger.ts'
import { migrateQueueTables } from '../../../core/queue/queue-backend.ts'
import { startPostgres } from '../../../local/postgres.ts'
import type { RunningPostgres } from '../../../local/postgres.ts'
import { migrateDatabase } from '../../../prisma/migrate.ts'
import { atEndOfTest } from '../../support/at-end.ts'
import { createClient } from '../../support/client.ts'
import { createTestEnv } from '../../support/config.ts'
import { eventually } from '../../support/eventually.ts'
import { createFactory, delivery } from '../../support/factory.ts'
import type { Factory, TestCasino } from '../../support/factory.ts'
import { queuesOfProcesses, startProcess } from '../../support/processes.ts'
import type { ServiceProcess } from '../../support/processes.ts'
import { isLongForm } from '../../support/runs.ts'
import { makeServerFolder } from '../../support/server-folder.ts'

const requestCount = isLongForm ? 600 : 150
/** Requests that are on their way at the same time. */
const senderCount = isLongForm ? 40 : 20
/** The database dies as soon as this many requests are acknowledged; it comes back when as many have failed. */
const acknowledgedBeforeDeath = requestCount / 4

interface Request {
  path: string
  body: Record<string, unknown>
}

for (const backend of queuesOfProcesses) {
  describe(`a database that dies under load and comes back, queues on ${backend}`, function () {
    this.timeout(120_000)
    let folder: string
    let postgres: RunningPostgres
    let open: OpenDatabase
    let database: Database
    let factory: Factory
    let casino: TestCasino
    let api: ServiceProcess
    let worker: ServiceProcess

    const atTestEnd = atEndOfTest()
    beforeEach(async () => {
      folder = makeServerFolder()
      atTestEnd(() => rm(folder, { recursive: true, force: true }))
      postgres = await startPostgres({ dataDir: join(folder, 'postgres') })
      atTestEnd(() => postgres.stop()) // the restarted one, if it was started
      const url = await postgres.createDatabase('rewards')
      await migrateDatabase(url)
      await migrateQueueTables(url)
      const env = await createTestEnv(backend, { DATABASE_URL: url })
      open = openDatabase({ url, poolMax: 5, log: createLogger('test', 'silent') })
      atTestEnd(() => open.close())
      database = open.database
      factory = createFactory(database, env['HASH_SECRET'] ?? '')
      casino = await factory.casino()
      api = await startProcess('api', env)
      atTestEnd(() => api.kill())
      worker = await startProcess('worker', env)
      atTestEnd(() => worker.kill())
    })

    /** Openings, orders and cashbacks in turn, each of another player. */
    async function prepareRequests(): Promise<Request[]> {
      const itemId = await factory.item(casino.id)
      const limit = { count: 1, period: 'lifetime' as const }
      const boxId = await factory.box(casino.id, { entries: [{ itemId, weight: 1 }], limit })
      return Promise.all(
        Array.from({ length: requestCount }, async (_, index) => {
          if (index % 3 === 0) return { path: '/box/open', body: { player_id: `p${index}`, box_id: boxId } }
          const { prizeId, playerId } = await factory.prize(casino.id)
          const body = { player_id: playerId, prize_id: prizeId }
          return index % 3 === 1
            ? { path: '/prize/order', body: { ...body, ...delivery } }
            : { path: '/prize/cashback', body }
        }),
      )
    }

    it('keeps every acknowledged request, settles every failed one under its key, and loses no work', async () => {
      const requests = await prepareRequests()
      const client = createClient(api.url)
      const seen = { acknowledged: 0, failed: 0 }
      let restart: Promise<void> | undefined

      const dieAndComeBack = async () => {
        const { pid, port, ended } = postgres
        process.kill(pid, 'SIGQUIT') // ends all sessions immediately, and writes nothing more
        await ended
        await eventually('requests fail', () => seen.failed >= acknowledgedBeforeDeath)
        postgres = await startPostgres({ dataDir: join(folder, 'postgres'), port })
      }
      const settle = async ({ path, body }: Request, key: string) => {
        const statuses: number[] = []
        await eventually(
          `${path} is acknowledged`,
          async () => {
            const { status } = await client.post(path, casino.apiKey, body, { 'Idempotency-Key': key })
            statuses.push(status)
            if (status === 200) seen.acknowledged++
            else seen.failed++
            if (seen.acknowledged >= acknowledgedBeforeDeath) restart ??= dieAndComeBack()
            return status === 200
          },
          60_000,
        )
        return statuses
      }
      const waiting = requests.entries()
      const send = async (): Promise<number[]> => {
        const statuses: number[] = []
        for (const [index, request] of waiting) statuses.push(...(await settle(request, `key-${index}`)))
        return statuses
      }
      const statuses = (await Promise.all(Array.from({ length: senderCount }, send))).flat()
      await restart
      expect(new Set(statuses)).to.deep.equal(new Set([200, 500]))
      expect(seen.acknowledged).to.equal(requestCount)

      const idsOf = (path: string, id: string) =>
        requests.filter((request) => request.path === path).map(({ body }) => body[id])
      const [openings, orders, cashbacks] = await Promise.all([
        database.opening.findMany(),
        database.prizeOrder.findMany(),
        database.cashback.findMany(),
      ])
      expect(openings.map((row) => row.playerId)).to.have.members(idsOf('/box/open', 'player_id'))
      expect(orders.map((row) => row.prizeId)).to.have.members(idsOf('/prize/order', 'prize_id'))
      expect(cashbacks.map((row) => row.prizeId)).to.have.members(idsOf('/prize/cashback', 'prize_id'))

      // A job that was running is taken over when its lock has run out.
      await eventually(
        'nothing is left to do now',
        async () => (await database.outbox.count({ where: { snoozedUntil: null } })) === 0,
        60_000,
      )
      expect(await database.prizeOrder.count({ where: { announcedAt: null } })).to.equal(0)
      const credits = await database.ledgerTransaction.findMany({ where: { kind: 'cashback_credit' } })
      expect(credits.map((row) => row.cashbackId)).to.have.members(cashbacks.map((row) => row.id))
      const codes = await Promise.all([api.terminate(), worker.terminate()])
      const lastLines = [...api.lines.slice(-10), ...worker.lines.slice(-10)].join('\n')
      expect(codes, lastLines).to.deep.equal([0, 0])
    })
  })
}
