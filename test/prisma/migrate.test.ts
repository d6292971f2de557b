import { expect } from 'chai'
import pg from 'pg'
import { serviceSettings } from '../../core/platform/session-settings.ts'
import { migrateQueueTables } from '../../core/queue/queue-backend.ts'
import { migrateDatabase, readMigrations } from '../../prisma/migrate.ts'
import { atEndOfTest } from '../support/at-end.ts'
import { createTestDatabase } from '../support/environment.ts'
import { eventually } from '../support/eventually.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'

describe('the migration of a database that is lost meanwhile', () => {
  const atEnd = atEndOfTest()

  // Both wait for a lock: the first for its turn to migrate, the second for the table of its versions.
  const migrations = [
    {
      what: 'the database',
      migrate: (url: string) => migrateDatabase(url),
      block: 'SELECT pg_advisory_lock(7236201914)',
      waiting: "query LIKE 'SELECT pg_try_advisory_lock%'",
    },
    {
      what: 'the queues',
      migrate: migrateQueueTables,
      block: 'LOCK TABLE bullmq.migration',
      waiting: "wait_event_type = 'Lock'",
    },
  ]
  for (const { what, migrate, block, waiting } of migrations) {
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
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND ${waiting}`,
        )
        return rowCount === 1
      })
      await proxy.cut()
      expect(await outcome).to.be.instanceOf(Error)
    })
  }
})

describe('a migration beside other processes', () => {
  const atEnd = atEndOfTest()
  const connect = async (connectionString: string) => {
    const client = new pg.Client({ connectionString })
    await client.connect()
    atEnd(() => client.end())
    return client
  }
  /** The migrations on disk, and one more. */
  const withMigration = async (sql: string) => {
    const migrations = await readMigrations()
    const migrationFile = { path: 'migration.sql', content: { tag: 'ok' as const, value: sql } }
    const migrationDirectories = [
      ...migrations.migrationDirectories,
      { path: '99990101000000_more', migrationFile },
    ]
    return { ...migrations, migrationDirectories }
  }
  const waitFor = (observer: pg.Client, what: string, condition: string, count = 1) =>
    eventually(what, async () => {
      const { rowCount } = await observer.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND ${condition}`,
      )
      return rowCount === count
    })

  it('does not keep them from a table that it cannot lock, and continues when it can', async () => {
    const databaseUrl = await createTestDatabase()
    const [blocker, player, observer] = [
      await connect(databaseUrl),
      await connect(databaseUrl),
      await connect(databaseUrl),
    ]
    await blocker.query('BEGIN')
    await blocker.query('LOCK TABLE player IN ACCESS SHARE MODE')
    await player.query(`SET lock_timeout = '${serviceSettings['lock_timeout']}'`)
    const migrating = migrateDatabase(databaseUrl, withMigration('ALTER TABLE player ADD COLUMN more text'))
    await waitFor(observer, 'it waits for the lock', "wait_event_type = 'Lock'")
    expect((await player.query('SELECT FROM player')).rowCount).to.equal(0)
    await blocker.query('COMMIT')
    expect(await migrating).to.deep.equal(['99990101000000_more'])
    expect((await player.query('SELECT more FROM player')).rowCount).to.equal(0)
  })

  it('gives way when it and a transaction of the service wait for each other', async () => {
    const databaseUrl = await createTestDatabase()
    const [service, observer] = [await connect(databaseUrl), await connect(databaseUrl)]
    await service.query(`SET lock_timeout = '${serviceSettings['lock_timeout']}'`)
    await service.query('BEGIN')
    await service.query('SELECT FROM cashback')
    const columns = ['prize', 'cashback'].map((table) => `ALTER TABLE ${table} ADD COLUMN more text;`)
    const migrating = migrateDatabase(databaseUrl, withMigration(columns.join('\n')))
    await waitFor(observer, 'it waits for the second lock', "wait_event_type = 'Lock'")
    expect((await service.query('SELECT FROM prize')).rowCount).to.equal(0)
    await service.query('COMMIT')
    expect(await migrating).to.deep.equal(['99990101000000_more'])
  })

  it('makes an index concurrently, also while another process waits for its turn to migrate', async () => {
    const databaseUrl = await createTestDatabase()
    const [blocker, observer] = [await connect(databaseUrl), await connect(databaseUrl)]
    await blocker.query('BEGIN')
    // A transaction with an id of its own, like one that writes: the build of the index must wait for it.
    await blocker.query('SELECT pg_current_xact_id()')
    await blocker.query('LOCK TABLE player IN ROW EXCLUSIVE MODE')
    const migrations = withMigration('-- By nonce.\nCREATE INDEX CONCURRENTLY more ON player (nonce);\n')
    const migrating = migrateDatabase(databaseUrl, migrations)
    await waitFor(observer, 'the index waits', "query LIKE '%CONCURRENTLY%' AND wait_event_type = 'Lock'")
    const waiting = migrateDatabase(databaseUrl, migrations)
    await waitFor(
      observer,
      'the other waits',
      "query LIKE 'SELECT pg_%advisory_lock%' AND backend_xmin IS NULL",
    )
    await blocker.query('COMMIT')
    expect([await migrating, await waiting]).to.deep.equal([['99990101000000_more'], []])
    const { rows } = await observer.query(
      `SELECT indisvalid FROM pg_index WHERE indexrelid = 'more'::regclass`,
    )
    expect(rows).to.deep.equal([{ indisvalid: true }])
  })
})

describe('a database with another history of migrations', () => {
  const atEnd = atEndOfTest()
  const change = async (sql: string) => {
    const databaseUrl = await createTestDatabase()
    const client = new pg.Client({ connectionString: databaseUrl })
    await client.connect()
    atEnd(() => client.end())
    await client.query(sql)
    return databaseUrl
  }
  const applied = (name: string) => `
    INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
    VALUES ('other', '0000', '${name}', now(), now(), 1)`
  const refused = [
    {
      what: 'was migrated with one that this version has with other contents',
      sql: `UPDATE _prisma_migrations SET checksum = '0000'`,
      first: '20261120000000_initial',
    },
    {
      what: 'has one among those of this version that this version does not have',
      sql: applied('20261119000000_gone'),
      first: '20261119000000_gone',
    },
  ]
  for (const { what, sql, first } of refused) {
    it(`is refused with what to do when it ${what}`, async () => {
      const databaseUrl = await change(sql)
      const outcome = await migrateDatabase(databaseUrl).then(
        () => 'migrated',
        (error: unknown) => (error instanceof Error ? error.message : error),
      )
      expect(outcome).to.equal(
        `the database was migrated by other code: its migration ${first} is not the one of this version. ` +
          'Start with a new database (for npm start: delete the folder .local), or go back to that code',
      )
    })
  }

  it('is accepted by an older release when it only has newer ones', async () => {
    const databaseUrl = await change(applied('99990101000000_newer'))
    expect(await migrateDatabase(databaseUrl)).to.deep.equal([])
  })
})
