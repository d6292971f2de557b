import { randomBytes } from 'node:crypto'
import { expect } from 'chai'
import { openDatabase } from '../../../core/platform/database.ts'
import type { Database } from '../../../core/platform/database.ts'
import { createLogger, describeError } from '../../../core/platform/logger.ts'
import { findFreePort } from '../../../local/free-port.ts'
import { createTestDatabase } from '../../support/environment.ts'
import { runTool } from '../../tools/run-tool.ts'
import { itInLongForm } from '../../support/runs.ts'

/** The log line about the error with which the work in the database fails. */
async function failIn(url: string, work: (database: Database) => Promise<unknown>) {
  const { database, close } = openDatabase({ url, poolMax: 1, log: createLogger('test', 'silent') })
  try {
    const error: unknown = await work(database).then(
      () => undefined,
      (reason: unknown) => reason,
    )
    expect(error).to.be.instanceOf(Error)
    return describeError(error)
  } finally {
    await close()
  }
}

const ask = (database: Database) => database.$queryRaw`SELECT 1`

describe('an error of the database', function () {
  this.timeout(60_000)
  const password = `hidden-${randomBytes(6).toString('hex')}`
  let url: string

  before(async () => {
    url = await createTestDatabase()
  })

  /** The test database's address with something else in it. */
  const change = (part: Partial<Pick<URL, 'password' | 'pathname' | 'host' | 'username' | 'search'>>) =>
    Object.assign(new URL(url), part).href

  it('says that no server listens there', async () => {
    const host = `127.0.0.1:${await findFreePort()}`
    const described = await failIn(change({ host, password }), ask)
    expect(described['message']).to.equal(
      'the database cannot be reached: nothing listens at the address in DATABASE_URL',
    )
    expect(JSON.stringify(described)).not.to.contain(password).and.not.to.contain('127.0.0.1')
  })

  it('says that the host is unknown', async () => {
    const described = await failIn(change({ host: 'no-such-host.invalid', password }), ask)
    expect(described['message']).to.equal(
      'the database cannot be reached: the host name in DATABASE_URL is not known',
    )
    expect(JSON.stringify(described)).not.to.contain(password).and.not.to.contain('no-such-host')
  })

  it('says that user or password are wrong', async () => {
    for (const work of [ask, (database: Database) => database.casino.count()]) {
      const described = await failIn(change({ password }), work)
      expect(described['message']).to.equal(
        'the database refuses the user or the password in DATABASE_URL (SQLSTATE 28P01)',
      )
      expect(JSON.stringify(described)).not.to.contain(password).and.not.to.contain('postgres')
    }
  })

  it('says that the database does not exist', async () => {
    const described = await failIn(change({ pathname: '/missing-one' }), ask)
    expect(described['message']).to.equal(
      'the database named in DATABASE_URL does not exist: create it, then run npm run migrate (SQLSTATE 3D000)',
    )
    expect(JSON.stringify(described)).not.to.contain('missing-one')
  })

  it('says that the server does not support TLS', async () => {
    expect((await failIn(change({ search: '?sslmode=verify-full' }), ask))['message']).to.equal(
      'the database cannot be reached: its server and DATABASE_URL do not agree on TLS (sslmode)',
    )
  })

  it('says that tables or columns are missing, and which command to run', async () => {
    const migrate =
      'the database lacks a table, a column or a function that this release needs: run npm run migrate'
    const empty = change({ pathname: '/postgres' })
    expect((await failIn(empty, (database) => database.casino.count()))['message']).to.equal(
      'the database lacks migrations that this version needs: run npm run migrate',
    )
    expect((await failIn(url, (database) => database.$queryRaw`SELECT FROM no_such`))['message']).to.equal(
      `${migrate} (SQLSTATE 42P01)`,
    )
    expect(
      (await failIn(url, (database) => database.$queryRaw`SELECT other FROM casino`))['message'],
    ).to.equal(`${migrate} (SQLSTATE 42703)`)
  })

  it('says that a statement took too long', async () => {
    const described = await failIn(url, async (database) => {
      await database.$queryRaw`SELECT set_config('statement_timeout', '50', false)`
      await database.$queryRaw`SELECT 1 FROM pg_sleep(4)`
    })
    expect(described['message']).to.equal(
      'a statement took too long, or somebody cancelled it: the database gave it up (SQLSTATE 57014)',
    )
  })

  it('says that another process holds a row', async () => {
    const { database, close } = openDatabase({ url, poolMax: 1, log: createLogger('test', 'silent') })
    try {
      await database.$executeRaw`BEGIN`
      await database.$executeRaw`LOCK TABLE casino`
      const described = await failIn(url, (other) => other.casino.count())
      expect(described['message']).to.equal('another session holds a lock for too long (SQLSTATE 55P03)')
      await database.$executeRaw`ROLLBACK`
    } finally {
      await close()
    }
  })

  it('says that a privilege is missing, and that the database is read-only', async () => {
    const denied = await failIn(url, async (database) => {
      await database.$executeRaw`SET ROLE pg_monitor`
      await database.$queryRaw`SELECT * FROM casino`
    })
    expect(denied['message']).to.equal('the user in DATABASE_URL lacks a privilege (SQLSTATE 42501)')
    const standby = await failIn(url, async (database) => {
      await database.$executeRaw`SET default_transaction_read_only = on`
      await database.$executeRaw`DELETE FROM casino`
    })
    expect(standby['message']).to.equal(
      'the database takes no changes: is the one in DATABASE_URL a standby? (SQLSTATE 25006)',
    )
  })

  it('says that the connection was ended, without a stack', async () => {
    const described = await failIn(
      url,
      (database) => database.$queryRaw`SELECT pg_terminate_backend(pg_backend_pid())`,
    )
    expect(described['message']).to.match(/^the database cannot be reached: /)
    expect(described).not.to.have.property('stack')
  })

  it('does not repeat the values of the statement', async () => {
    const described = await failIn(url, (database) => database.$queryRaw`SELECT ${password}::int AS number`)
    expect(described['message']).to.equal('the database refuses a value (SQLSTATE 22P02)')
    expect(JSON.stringify(described)).not.to.contain(password)
  })

  itInLongForm('is told in the same words by the programs that meet it', async () => {
    const host = `127.0.0.1:${await findFreePort()}`
    const meet = [
      [change({ host, password }), /nothing listens at the address/],
      [change({ password }), /refuses the user or the password/],
      [change({ pathname: '/missing-one' }), /does not exist: create it/],
      [change({ pathname: '/postgres' }), /run npm run migrate/],
    ] as const
    for (const [DATABASE_URL, message] of meet) {
      const run = await runTool('tools/check-stock.ts', [], { DATABASE_URL })
      expect(run.code).to.equal(3)
      expect(run.stderr)
        .to.match(/^Failed: the database /)
        .and.match(message)
      expect(run.stderr)
        .not.to.contain(password)
        .and.not.to.match(/127|missing-one/)
      expect(run.stderr.trim().split('\n')).to.have.length(1)
    }
    for (const [DATABASE_URL, message] of meet.slice(0, 3)) {
      const run = await runTool('prisma/migrate.ts', [], { DATABASE_URL })
      expect(run.code).to.equal(3)
      expect(run.stderr)
        .to.match(/^Failed: the database /)
        .and.match(message)
      expect(run.stderr)
        .not.to.contain(password)
        .and.not.to.match(/127|missing-one/)
    }
  })
})
