import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect } from 'chai'
import pg from 'pg'
import { verifyTrail } from '../../core/audit/verify-audit.ts'
import { archiveEvents } from '../../core/archive/archive-events.ts'
import { archivePrizes } from '../../core/archive/archive-prizes.ts'
import { removeMonth } from '../../core/archive/archived-month.ts'
import type { WorkerDeps } from '../../worker/deps.ts'
import { createOperator, fieldOf, listAt } from '../api/admin/operator.ts'
import type { TestOperator } from '../api/admin/operator.ts'
import { runArchive } from '../support/archive-run.ts'
import { atEndOfTest } from '../support/at-end.ts'
import { eventually } from '../support/eventually.ts'
import type { TestCasino } from '../support/factory.ts'
import { startFakeReceiver } from '../support/fake-receiver.ts'
import { changeAsOwner } from '../support/owner.ts'
import { itInLongForm } from '../support/runs.ts'
import { startService } from '../support/service.ts'
import type { TestService } from '../support/service.ts'
import { sql } from '../../core/platform/sql.ts'
import { createFolderStore } from '../../tools/archive/folder-store.ts'
import { actions } from '../../tools/archive/move-month.ts'
import { runTool } from './run-tool.ts'

const day = 86_400_000
const month = '2025-03'
const table = 'archive.event_2025_03'

describe('npm run archive', function () {
  this.timeout(120_000)
  let service: TestService
  let deps: WorkerDeps
  let casino: TestCasino
  let operator: TestOperator
  let owner: pg.Client
  let folder: string

  const atEnd = atEndOfTest()
  beforeEach(async () => {
    service = await startService({ env: { ARCHIVE_AFTER_DAYS: '410' } })
    atEnd(() => service.stop())
    ;({ deps } = service.startWorker())
    casino = await service.factory.casino()
    operator = createOperator(service.client, casino.apiKey)
    owner = new pg.Client({ connectionString: service.env['DATABASE_URL'] })
    await owner.connect()
    atEnd(() => owner.end())
    folder = await mkdtemp(join(tmpdir(), 'archive-test-'))
    atEnd(() => rm(folder, { recursive: true }))
  })

  const run = async (action: '--write' | '--remove' | '--restore') => {
    const outcome = await runArchive(service, createFolderStore(folder), {
      action: actions.find((name) => `--${name}` === action) ?? 'write',
      month,
    })
    return { code: outcome.isDone ? 0 : 1, text: outcome.text }
  }
  const runProgram = async (action: string, of = month) => {
    const { code, stdout, stderr } = await runTool(
      'tools/archive.ts',
      ['--month', of, action, '--folder', folder],
      service.env,
    )
    return { code, text: `${stdout}${stderr}` }
  }
  const verify = (...args: string[]) =>
    runTool('tools/verify.mjs', ['--archive', ...args, join(folder, `archive-${month}.manifest.json`)])
  const age = (days: number) =>
    changeAsOwner(
      service.database,
      sql`WITH aged AS (
            UPDATE prize SET updated_at = updated_at - ${days}::int * interval '1 day',
                             created_at = created_at - ${days}::int * interval '1 day'
          )
          UPDATE event SET created_at = created_at - ${days}::int * interval '1 day'`,
    )
  /** Events of ended prizes that were archived in a month that is over; returns the id of one of the prizes. */
  const archiveSome = async (count = 5): Promise<string> => {
    const { prizeId } = await service.factory.prize(casino.id, { state: 'voided' })
    for (let made = 1; made < count; made++) await service.factory.prize(casino.id, { state: 'expired' })
    await age(500)
    await service.factory.prize(casino.id)
    await archiveEvents(deps, 410 * day)
    await archivePrizes(deps, 410 * day)
    await owner.query('BEGIN')
    await owner.query(`SET LOCAL session_replication_role = 'replica'`)
    await owner.query(`SELECT make_archive_month('${month}-01'), attach_archive_month('${month}-01')`)
    await owner.query(`UPDATE archived_prize SET archived_month = '${month}-01'`)
    await owner.query(`UPDATE archived_event SET archived_month = '${month}-01', reason = $1`, [
      'a\u2028b\nc "d" \\',
    ])
    // One of them has a trace.
    await owner.query(
      `UPDATE archived_event SET trace_id = $1, traceparent = $2
                        WHERE id = (SELECT min(id) FROM archived_event)`,
      ['a'.repeat(32), `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`],
    )
    await owner.query('COMMIT')
    return prizeId
  }
  const rowsOf = async (): Promise<unknown[]> => {
    const { rows } = await owner.query<{ row: unknown }>(
      'SELECT to_jsonb(archived_event) AS row FROM archived_event ORDER BY id',
    )
    return rows.map(({ row }) => row)
  }
  const readFolder = async () => {
    const names = (await readdir(folder)).sort()
    return Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), 'hex')]))
  }
  const historyOf = async (prizeId: string) =>
    listAt(await operator.get(`/${casino.id}/prizes/${prizeId}`), 'data.history')
  const isThere = async () => {
    const { rows } = await owner.query<{ name: string | null }>(
      `SELECT to_regclass('${table}')::text AS name`,
    )
    return rows[0]?.name !== null
  }

  it('writes a month, removes it, and restores exactly the rows that were there', async () => {
    const prizeId = await archiveSome()
    const [before, history] = [await rowsOf(), await historyOf(prizeId)]
    expect(before).to.have.length(5)
    expect(history).to.have.length(1)
    const written = await runProgram('--write')
    expect(written).to.deep.include({ code: 0 })
    expect(written.text).to.match(/^2025-03: wrote 10 rows, sha256 [0-9a-f]{64}\n$/)
    expect(await rowsOf()).to.deep.equal(before)

    expect(await run('--remove')).to.deep.include({ code: 0 })
    expect(await isThere()).to.equal(false)
    expect((await operator.get(`/${casino.id}/prizes/${prizeId}`)).status).to.equal(404)

    expect(await run('--restore')).to.deep.include({ code: 0 })
    expect(await rowsOf()).to.deep.equal(before)
    expect(await historyOf(prizeId)).to.deep.equal(history)
    expect((await run('--restore')).text).to.contain('the database has this month')
  })

  it('writes the lines of before for rows without a traceparent: files from before that column are restored', async () => {
    await archiveSome()
    expect((await run('--write')).code).to.equal(0)
    const lines = gunzipSync(await readFile(join(folder, `archive-${month}.ndjson.gz`)))
      .toString()
      .split('\n')
      .filter((line) => line.includes('"table": "event"'))
    expect(lines.map((line) => line.includes('"traceparent"'))).to.deep.equal([
      true,
      false,
      false,
      false,
      false,
    ])
    expect(lines.every((line) => line.includes('"trace_id"'))).to.equal(true)
  })

  it('is in the audit trail, with the hash of each file', async () => {
    await archiveSome()
    const written = await run('--write')
    const [hash] = /[0-9a-f]{64}/.exec(written.text) ?? []
    expect((await run('--remove')).code).to.equal(0)
    const trail = await service.client.send('GET', '/admin/audit', {
      headers: { Authorization: `Bearer ${service.deps.config.adminApiKey}` },
    })
    const entries = listAt(trail).filter((entry) =>
      String(fieldOf([entry], 'action')[0]).startsWith('archive'),
    )
    expect(fieldOf(entries, 'outcome')).to.deep.equal([
      'requested',
      `wrote 10 rows, sha256 ${hash}`,
      'requested',
      `removed 10 rows, kept in the file with sha256 ${hash}`,
    ])
    const { hashSecret } = service.deps.config
    const { problems } = await verifyTrail({ database: service.database, hashSecret }, '', new Date(0))
    expect(problems).to.deep.equal([])
  })

  it('has files that npm run verify checks without the service, and in which it finds any change', async () => {
    await archiveSome()
    expect((await run('--write')).code).to.equal(0)
    const manifestPath = join(folder, `archive-${month}.manifest.json`)
    const filePath = join(folder, `archive-${month}.ndjson.gz`)
    const manifest = JSON.parse(await readFile(manifestPath, 'utf8')) as Record<string, string>
    const key = manifest['signing_key'] ?? ''
    expect(await verify('--key', key)).to.deep.equal({
      code: 0,
      stdout: '2025-03: 10 rows\n1 verified, 0 not verified\n',
      stderr: '',
    })
    const other = await verify('--key', '0'.repeat(64))
    expect(other).to.include({ code: 1, stdout: '0 verified, 1 not verified\n' })
    expect(other.stderr).to.contain(': signing_key\n')

    const file = await readFile(filePath)
    const changed = Buffer.from(file)
    changed[changed.length - 9] = (changed[changed.length - 9] ?? 0) ^ 1
    await writeFile(filePath, changed)
    expect(await verify()).to.include({ code: 1 })
    expect((await run('--remove')).text).to.contain('the file was altered')
    await writeFile(filePath, file)
    expect(await verify()).to.include({ code: 0 })

    await writeFile(manifestPath, JSON.stringify({ ...manifest, rows: 4 }))
    expect((await verify()).stderr).to.contain(': signature\n')
    expect((await run('--remove')).text).to.contain('the manifest is not signed by this service')
    expect(await isThere()).to.equal(true)
  })

  it('says what is wrong with a manifest or a file that is damaged or missing', async () => {
    await archiveSome()
    expect((await run('--write')).code).to.equal(0)
    const manifestPath = join(folder, `archive-${month}.manifest.json`)
    const filePath = join(folder, `archive-${month}.ndjson.gz`)
    const manifest = await readFile(manifestPath, 'utf8')
    for (const damaged of ['', manifest.slice(0, 100), 'null']) {
      await writeFile(manifestPath, damaged)
      expect((await run('--remove')).text, damaged).to.contain('the manifest is damaged')
      expect((await run('--write')).text, damaged).to.contain(
        'is not replaced, since the manifest is damaged',
      )
    }
    for (const unsigned of ['{}', '{"signature":1}']) {
      await writeFile(manifestPath, unsigned)
      expect((await run('--remove')).text, unsigned).to.contain('is not signed by this service')
    }
    await writeFile(manifestPath, manifest)
    await rm(filePath)
    expect((await run('--remove')).text).to.equal(`there is no ${filePath}`)
    expect(await isThere()).to.equal(true)
  })

  it('removes nothing that differs from the file', async () => {
    await archiveSome()
    expect((await run('--write')).code).to.equal(0)
    await owner.query(
      `INSERT INTO archived_event
       SELECT id + 1000000, casino_id, object_type, object_id, sequence + 1, type, from_state, to_state, actor, reason,
              request_id, data, created_at, txid, trace_id, archived_month FROM archived_event LIMIT 1`,
    )
    const removed = await run('--remove')
    expect(removed).to.deep.include({ code: 1 })
    expect(removed.text).to.contain('write it again')
    expect(await rowsOf()).to.have.length(6)
    expect((await run('--write')).code).to.equal(0)
    expect((await run('--remove')).code).to.equal(0)
  })

  itInLongForm('removes no detached table that differs from the file', async () => {
    await archiveSome()
    const before = await rowsOf()
    expect((await run('--write')).code).to.equal(0)
    await owner.query(`SELECT detach_archive_month('${month}-01')`)
    await owner.query(
      `INSERT INTO ${table}
       SELECT id + 1000000, casino_id, object_type, object_id, sequence + 1, type, from_state, to_state, actor, reason,
              request_id, data, created_at, txid, trace_id, archived_month FROM ${table} LIMIT 1`,
    )
    const removed = await run('--remove')
    expect(removed).to.deep.include({ code: 1 })
    expect(removed.text).to.contain(`the tables of the month, such as ${table}, differ from the file`)
    expect(await isThere()).to.equal(true)

    await owner.query(`SELECT attach_archive_month('${month}-01')`)
    expect(await rowsOf()).to.have.length(before.length + 1)
    expect((await run('--write')).code).to.equal(0)
    expect((await run('--remove')).code).to.equal(0)
  })

  it('keeps a month whose event a webhook delivery needs', async () => {
    const receiver = await startFakeReceiver()
    atEnd(() => receiver.stop())
    await archiveSome()
    expect((await run('--write')).code).to.equal(0)
    const put = await operator.put(`/${casino.id}/webhook-endpoints/main`, { url: receiver.url })
    expect(put.status, put.text).to.equal(201)
    const { rows } = await owner.query<{ id: string }>('SELECT id FROM archived_event LIMIT 1')
    const replayed = await operator.post(`/${casino.id}/events/evt_${rows[0]?.id ?? ''}/replay`, {})
    expect(replayed.status, replayed.text).to.equal(200)
    await eventually('it is sent', () => Promise.resolve(receiver.received.length === 1))
    const before = await rowsOf()
    const removed = await run('--remove')
    expect(removed).to.deep.include({ code: 1 })
    expect(removed.text).to.contain('webhook deliveries still need events')
    expect(await rowsOf()).to.deep.equal(before)
  })

  /** A session that reads the archive until it is told to end. */
  const startReader = async () => {
    const reader = new pg.Client({ connectionString: service.env['DATABASE_URL'] })
    await reader.connect()
    atEnd(() => reader.end())
    await reader.query('BEGIN')
    await reader.query('SELECT FROM archived_event')
    return { end: () => reader.query('COMMIT') }
  }
  const isWaitedFor = async () => {
    const { rowCount } = await owner.query(
      `SELECT FROM pg_locks WHERE relation = 'archived_event'::regclass AND NOT granted
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    )
    return rowCount !== 0
  }

  it('waits for a report that reads the archive, with pauses for other readers', async () => {
    await archiveSome()
    expect((await run('--write')).code).to.equal(0)
    const reader = await startReader()
    const removed = run('--remove')
    await eventually('it waits', isWaitedFor)
    await eventually('it lets others read', async () => !(await isWaitedFor()))
    expect(await isThere()).to.equal(true)
    await reader.end()
    expect(await removed).to.deep.include({ code: 0 })
    expect(await isThere()).to.equal(false)
  })

  it('keeps a month while a report reads the archive all the time', async () => {
    await archiveSome()
    const reader = await startReader()
    const patience = { attemptsMax: 2, pauseMs: 1 }
    expect(await removeMonth(service.database, month, 10, patience)).to.equal('read')
    expect(await rowsOf()).to.have.length(5)
    await reader.end()
    expect(await removeMonth(service.database, month, 10, patience)).to.equal(undefined)
    expect(await isThere()).to.equal(false)
  })

  it('continues a removal and a restoration that were stopped half-way', async () => {
    await archiveSome()
    const before = await rowsOf()
    expect((await run('--write')).code).to.equal(0)
    await owner.query(`SELECT detach_archive_month('${month}-01')`)
    expect((await run('--remove')).code).to.equal(0)
    expect(await isThere()).to.equal(false)

    await owner.query(`SELECT make_archive_month('${month}-01')`)
    await owner.query(`SELECT fill_archive_month('event', '${month}-01', $1)`, [
      JSON.stringify(before.slice(0, 2)),
    ])
    expect(await rowsOf()).to.deep.equal([])
    expect((await run('--restore')).code).to.equal(0)
    expect(await rowsOf()).to.deep.equal(before)
  })

  itInLongForm('restores nothing into a table that differs from the file', async () => {
    await archiveSome()
    const before = await rowsOf()
    expect((await run('--write')).code).to.equal(0)
    expect((await run('--remove')).code).to.equal(0)
    // A row of the file with another reason: it is there already, so the file's is not added.
    await owner.query(`SELECT make_archive_month('${month}-01')`)
    await owner.query(
      `SELECT fill_archive_month('event', '${month}-01', jsonb_set($1, '{0,reason}', '"other"'))`,
      [JSON.stringify(before.slice(0, 1))],
    )
    const restored = await run('--restore')
    expect(restored).to.deep.include({ code: 1 })
    expect(restored.text).to.contain(`the tables of the month, such as ${table}, differ from the file`)
    expect(await rowsOf()).to.deep.equal([])

    await owner.query(`SELECT drop_archive_month('${month}-01')`)
    expect((await run('--restore')).code).to.equal(0)
    expect(await rowsOf()).to.deep.equal(before)
  })

  itInLongForm('neither removes nor restores a month by the file of another database', async () => {
    await archiveSome()
    expect((await run('--write')).code).to.equal(0)
    // Without its entry in the trail, the file is like that of a copy with the same secret.
    await owner.query('BEGIN')
    await owner.query(`SET LOCAL session_replication_role = 'replica'`)
    await owner.query(`DELETE FROM audit_entry WHERE action = 'archive --write'`)
    await owner.query('COMMIT')
    expect((await run('--remove')).text).to.contain('the audit trail has no --write')
    expect(await rowsOf()).to.have.length(5)
    await owner.query(`SELECT detach_archive_month('${month}-01')`)
    expect((await run('--restore')).text).to.contain('the audit trail has no --write')
    expect(await rowsOf()).to.deep.equal([])
  })

  itInLongForm(
    'replaces no file of another database, and that of a run that was stopped before its outcome',
    async () => {
      await archiveSome()
      expect((await run('--write')).code).to.equal(0)
      await owner.query('BEGIN')
      await owner.query(`SET LOCAL session_replication_role = 'replica'`)
      await owner.query(`DELETE FROM audit_entry WHERE action = 'archive --write'`)
      await owner.query(
        `UPDATE ${table} SET reason = 'of another database' WHERE id = (SELECT max(id) FROM ${table})`,
      )
      await owner.query('COMMIT')
      const files = await readFolder()
      for (const attempt of [1, 2]) {
        const written = await run('--write')
        expect(written, `attempt ${attempt}`).to.deep.include({ code: 1 })
        expect(written.text).to.contain('is not replaced, since the audit trail has no --write')
      }
      expect(await readFolder()).to.deep.equal(files)

      await owner.query('BEGIN')
      await owner.query(`SET LOCAL session_replication_role = 'replica'`)
      await owner.query(`UPDATE ${table} SET reason = $1`, ['a\u2028b\nc "d" \\'])
      await owner.query('COMMIT')
      expect((await run('--write')).code).to.equal(0)
      expect((await run('--remove')).code).to.equal(0)
    },
  )

  it('refuses a month that is not over, or unknown, and wrong options, before it does anything', async () => {
    await archiveSome()
    const now = new Date().toISOString().slice(0, 7)
    const open = await runProgram('--write', now)
    expect(open).to.deep.include({ code: 2 })
    expect(open.text).to.contain('the month is not over yet')
    const none = await runProgram('--restore', '2025-01')
    expect(none).to.deep.include({ code: 2 })
    expect(none.text).to.contain('there is no ')
    expect((await runProgram('--write', '2025-13')).text).to.contain('--month needs a month such as 2030-01')
    const absent = await runProgram('--write', '2025-01')
    expect(absent).to.deep.include({ code: 1 })
    expect(absent.text).to.contain('the database does not have this month')
    expect(await readdir(folder)).to.deep.equal([])
  })
})
