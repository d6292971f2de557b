import { expect } from 'chai'
import pg from 'pg'
import { migrateQueueTables } from '../../core/queue/queue-backend.ts'
import { migrateDatabase } from '../../prisma/migrate.ts'
import { atEndOfTest } from '../support/at-end.ts'
import { createTestDatabase } from '../support/environment.ts'
import { eventually } from '../support/eventually.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'

describe('migrating a database that is lost meanwhile', () => {
  const atEnd = atEndOfTest()

  // Both ask for a lock that somebody else has: the one for its turn, the other for what records its versions.
  const migrations = [
    { what: 'the database', migrate: migrateDatabase, block: 'SELECT pg_advisory_lock(7236201914)' },
    { what: 'the queues', migrate: migrateQueueTables, block: 'LOCK TABLE bullmq.migration' },
  ]
  for (const { what, migrate, block } of migrations) {
    it(`fails with an error that its caller gets: ${what}`, async () => {
      const databaseUrl = await createTestDatabase()
      const direct = new URL(databaseUrl)
      const proxy = await startTcpProxy({ host: direct.hostname, port: Number(direct.port) })
      atEnd(() => proxy.stop())
      const away = new URL(databaseUrl)
      away.port = String(proxy.port)
      const connect = async () => {
        const client = new pg.Client({ connectionString: databaseUrl })
        await client.connect()
        atEnd(() => client.end())
        return client
      }
      const [blocker, observer] = [await connect(), await connect()]
      await blocker.query('BEGIN')
      await blocker.query(block)

      const outcome = migrate(away.href).then(
        () => 'migrated',
        (error: unknown) => error,
      )
      await eventually('it waits for the lock', async () => {
        const { rowCount } = await observer.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        )
        return rowCount === 1
      })
      await proxy.cut()
      expect(await outcome).to.be.instanceOf(Error)
    })
  }
})
