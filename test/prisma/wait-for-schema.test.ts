import { expect } from 'chai'
import { startChild } from '../../local/child.ts'
import { findFreePort } from '../../local/free-port.ts'
import { migrateQueueTables } from '../../core/queue/queue-backend.ts'
import { migrateDatabase } from '../../prisma/migrate.ts'
import { grantRuntimeRole } from '../../prisma/runtime-role.ts'
import { waitForSchema } from '../../prisma/wait-for-schema.ts'
import { atEndOfTest } from '../support/at-end.ts'
import {
  asServiceRole,
  createTestDatabase,
  createUnmigratedDatabase,
  serviceRole,
} from '../support/environment.ts'
import { eventually } from '../support/eventually.ts'
import { itInLongForm } from '../support/runs.ts'

const unmigrated = 'the database lacks migrations that this version needs: run npm run migrate'

describe('npm run migrate -- --wait', function () {
  this.timeout(60_000)
  const atEnd = atEndOfTest()

  const startWaiting = async (databaseUrl: string, more: Record<string, string> = {}) => {
    const lines: string[] = []
    const child = await startChild({
      command: process.execPath,
      args: ['--import', 'tsx', 'prisma/migrate.ts', '--wait'],
      env: { PATH: process.env['PATH'], DATABASE_URL: databaseUrl, ...more },
      stdio: ['ignore', 'pipe', 'pipe'],
      stopSteps: [{ signal: 'SIGKILL', waitMs: 5_000 }],
      onLine: (line) => lines.push(line),
    })
    atEnd(() => child.stop())
    const says = (line: string) => eventually(`it says: ${line}`, () => lines.includes(line))
    return { child, lines, says }
  }

  it('ends when somebody else has migrated the database and let its role in, and says what it waits for', async () => {
    const ownerUrl = await createUnmigratedDatabase()
    const { child, lines, says } = await startWaiting(asServiceRole(ownerUrl), {
      REDIS_URL: 'redis://127.0.0.1:1',
    })
    await says(`Waiting: ${unmigrated}`)
    await migrateDatabase(ownerUrl)
    await says('Waiting: the user in DATABASE_URL lacks a privilege (SQLSTATE 42501)')
    expect(child.hasEnded()).to.equal(false)
    await grantRuntimeRole(ownerUrl, serviceRole)
    expect(await child.ended).to.deep.equal({ code: 0, signal: null })
    expect(lines.at(-1)).to.equal('The database is ready for this version.')
    expect(new Set(lines).size, 'each reason once').to.equal(lines.length)
  })

  itInLongForm('waits for the tables of the queues too where they are in PostgreSQL', async () => {
    const databaseUrl = await createUnmigratedDatabase()
    await migrateDatabase(databaseUrl)
    const { child, says } = await startWaiting(databaseUrl)
    await says('Waiting: the database lacks tables of the queues: run npm run migrate')
    await migrateQueueTables(databaseUrl)
    expect(await child.ended).to.deep.equal({ code: 0, signal: null })
  })

  it('ends at SIGTERM with 3, although the first process of a container ignores it by default', async () => {
    const { child, lines, says } = await startWaiting(await createUnmigratedDatabase())
    await says(`Waiting: ${unmigrated}`)
    process.kill(child.pid, 'SIGTERM')
    expect(await child.ended).to.deep.equal({ code: 3, signal: null })
    expect(lines.at(-1)).to.equal(`Failed: stopped while waiting: ${unmigrated}`)
  })
})

describe('waiting for the schema', function () {
  this.timeout(30_000)
  const never = new AbortController().signal
  const outcomeOf = async (databaseUrl: string, timeoutMs: number) => {
    const said: string[] = []
    const report = (reason: string) => said.push(reason)
    const end = await waitForSchema({
      directUrl: databaseUrl,
      hasPooler: false,
      hasQueueTables: false,
      report,
      stopping: never,
      timeoutMs,
    }).then(
      () => 'ready',
      (error: unknown) => (error instanceof Error ? error.message : error),
    )
    return { end, said }
  }

  it('ends at the first look when the database is migrated, and says nothing', async () => {
    const databaseUrl = asServiceRole(await createTestDatabase())
    expect(await outcomeOf(databaseUrl, 0)).to.deep.equal({ end: 'ready', said: [] })
  })

  it('gives up with the last reason: a database that is not migrated, or is not there', async () => {
    const old = await outcomeOf(await createUnmigratedDatabase(), 2_000)
    expect(old).to.deep.equal({ end: unmigrated, said: [unmigrated] })
    const { end } = await outcomeOf(`postgresql://nobody:x@127.0.0.1:${await findFreePort()}/none`, 0)
    expect(end).to.contain('nothing listens at the address in DATABASE_URL')
  })
})
