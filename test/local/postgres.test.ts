import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import pg from 'pg'
import { startPostgres } from '../../local/postgres.ts'
import type { RunningPostgres } from '../../local/postgres.ts'
import { atEndOfSuite, atEndOfTest } from '../support/at-end.ts'

describe('the embedded PostgreSQL', function () {
  this.timeout(60_000)
  let dataDir: string
  let running: RunningPostgres | undefined

  const start = async () => (running = await startPostgres({ dataDir: join(dataDir, 'postgres') }))

  async function query(url: string, sql: string): Promise<string[]> {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      const { rows } = await client.query<{ value: string }>(sql)
      return rows.map(({ value }) => value)
    } finally {
      await client.end()
    }
  }

  // All tests start servers on the same data, one after the other: to make a cluster takes longer than all the rest.
  const atEnd = atEndOfSuite()
  const atTestEnd = atEndOfTest()
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'rewards-postgres-'))
    atEnd(() => rm(dataDir, { recursive: true, force: true }))
    await chmod(dataDir, 0o711)
  })
  beforeEach(() => {
    atTestEnd(async () => running?.stop())
  })

  it('keeps committed data when it is killed, also when its process id now belongs to another program', async () => {
    const first = await start()
    await query(await first.createDatabase('kept'), "CREATE TABLE t AS SELECT 'here' AS value")
    process.kill(first.pid, 'SIGKILL')
    await first.ended

    const pidFile = join(dataDir, 'postgres/cluster/postmaster.pid')
    const { uid, gid } = await stat(pidFile)
    const asOwner = process.getuid?.() === 0 ? { uid, gid } : {}
    const other = spawn('/bin/sh', ['-c', 'read -r line'], {
      ...asOwner,
      cwd: '/',
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    await once(other, 'spawn')
    const [, ...rest] = (await readFile(pidFile, 'utf8')).split('\n')
    await writeFile(pidFile, [String(other.pid), ...rest].join('\n'))
    await chown(pidFile, uid, gid)

    const second = await start()
    other.stdin.end()
    expect(await query(await second.createDatabase('kept'), 'SELECT value FROM t')).to.deep.equal(['here'])
  })

  it('says in one line that a server already runs on the data', async () => {
    await start()
    const problem = await startPostgres({ dataDir: join(dataDir, 'postgres') }).catch(
      (error: unknown) => error,
    )
    expect(String(problem)).to.equal(
      `Error: a PostgreSQL server already runs on ${join(dataDir, 'postgres')}`,
    )
  })

  it('says in one line that the port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    atTestEnd(async () => {
      other.close()
      await once(other, 'close')
    })
    const { port } = other.address() as AddressInfo
    const problem = await startPostgres({ dataDir: join(dataDir, 'postgres'), port }).catch(
      (error: unknown) => error,
    )
    expect(String(problem)).to.equal(`Error: PostgreSQL did not start: port ${port} is taken`)
  })

  it('listens on 127.0.0.1 only and requires its password, which only its owner can read', async () => {
    const { url } = await start()
    expect(await query(url, "SELECT current_setting('listen_addresses') AS value")).to.deep.equal([
      '127.0.0.1',
    ])
    expect(await query(url, "SELECT current_setting('unix_socket_directories') AS value")).to.deep.equal([''])
    expect((await stat(join(dataDir, 'postgres/password'))).mode & 0o777).to.equal(0o600)
    const wrong = new URL(url)
    wrong.password = 'wrong'
    const problem = await query(wrong.href, 'SELECT 1').catch((error: unknown) => error)
    expect(String(problem)).to.contain('password authentication failed')
  })

  it('can be stopped twice', async () => {
    const { stop } = await start()
    await Promise.all([stop(), stop()])
    await stop()
  })
})
