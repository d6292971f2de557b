import { createHash } from 'node:crypto'
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { expect } from 'chai'
import pg from 'pg'
import { createSigner } from '../../../core/crypto/signer.ts'
import { runArchive } from '../../support/archive-run.ts'
import { archivedKinds, archiveLockId } from '../../../core/archive/archived-month.ts'
import type { WorkerDeps } from '../../../worker/deps.ts'
import { createFolderStore } from '../../../tools/archive/folder-store.ts'
import type { Store } from '../../../tools/archive/store.ts'
import { actions } from '../../../tools/archive/move-month.ts'
import { sql } from '../../../core/platform/sql.ts'
import { eventually } from '../../support/eventually.ts'
import { changeAsOwner } from '../../support/owner.ts'
import { at, fieldOf, listAt } from '../../api/admin/operator.ts'
import { createArchiveTools } from '../../support/archived-world.ts'
import type { EndedWorld } from '../../support/archived-world.ts'
import { atEndOfTest } from '../../support/at-end.ts'
import { isLongForm } from '../../support/runs.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { runTool } from '../../tools/run-tool.ts'

const month = '2025-03'

describe('moving months of whole prizes', function () {
  this.timeout(120_000)
  let service: TestService
  let deps: WorkerDeps
  let tools: ReturnType<typeof createArchiveTools>
  let world: EndedWorld
  let owner: pg.Client
  let folder: string

  const atEnd = atEndOfTest()
  beforeEach(async () => {
    service = await startService({ env: { ARCHIVE_AFTER_DAYS: '410' } })
    atEnd(() => service.stop())
    ;({ deps } = service.startWorker())
    tools = createArchiveTools(service, deps)
    owner = new pg.Client({ connectionString: service.env['DATABASE_URL'] })
    await owner.connect()
    atEnd(() => owner.end())
    folder = await mkdtemp(join(tmpdir(), 'archive-test-'))
    atEnd(() => rm(folder, { recursive: true }))
    world = await tools.makeEnded()
    await tools.prepare(world.casino.id)
    await tools.archiveAll()
    await owner.query('BEGIN')
    await owner.query(`SET LOCAL session_replication_role = 'replica'`)
    await owner.query(`SELECT make_archive_month('${month}-01'), attach_archive_month('${month}-01')`)
    for (const kind of archivedKinds)
      await owner.query(`UPDATE archived_${kind} SET archived_month = '${month}-01'`)
    await owner.query('COMMIT')
  })

  const run = async (action: '--write' | '--remove' | '--restore') => {
    const outcome = await runArchive(service, createFolderStore(folder), {
      action: actions.find((name) => `--${name}` === action) ?? 'write',
      month,
    })
    return { code: outcome.isDone ? 0 : 1, text: outcome.text }
  }
  const filePath = () => join(folder, `archive-${month}.ndjson.gz`)
  const manifestPath = () => join(folder, `archive-${month}.manifest.json`)
  const verify = () => runTool('tools/verify.mjs', ['--archive', manifestPath()])
  const readManifest = async () =>
    JSON.parse(await readFile(manifestPath(), 'utf8')) as Record<string, unknown> & {
      tables: Record<string, number>
    }
  const readLines = async () =>
    gunzipSync(await readFile(filePath()))
      .toString()
      .split('\n')
      .slice(0, -1)
  const rowsOf = async () => {
    const found: Record<string, unknown[]> = {}
    for (const kind of archivedKinds) {
      const { rows } = await owner.query<{ row: unknown }>(
        `SELECT to_jsonb(one) AS row FROM archived_${kind} AS one ORDER BY id`,
      )
      found[kind] = rows.map(({ row }) => row)
    }
    return found
  }
  const prizesOfAnn = async () =>
    fieldOf(listAt(await world.operator.get(`/${world.casino.id}/players/ann/prizes`)), 'prize_id')

  it('writes a month, removes it, and restores exactly the rows that each table had', async () => {
    const [before, prizes] = [await rowsOf(), await prizesOfAnn()]
    expect(prizes).to.have.length(4)
    const written = await run('--write')
    expect(written.code, written.text).to.equal(0)
    const { tables } = await readManifest()
    expect(tables).to.deep.include({ prize: 5, prize_order: 2, cashback: 1, opening: 4 })
    expect(tables['event']).to.be.greaterThan(10)
    expect(await verify()).to.include({ code: 0 })

    expect(await run('--remove')).to.deep.include({ code: 0 })
    expect(Object.values(await rowsOf()).flat()).to.deep.equal([])
    expect(await prizesOfAnn()).to.deep.equal([])
    const { rows } = await owner.query<{ name: string | null }>(
      `SELECT to_regclass('archive.' || archive_table(kind, '${month}-01'))::text AS name FROM unnest(archived_kinds()) AS kind`,
    )
    expect(rows.map(({ name }) => name)).to.deep.equal([null, null, null, null, null])

    expect(await run('--restore')).to.deep.include({ code: 0 })
    expect(await rowsOf()).to.deep.equal(before)
    expect(await prizesOfAnn()).to.deep.equal(prizes)
  })

  it('removes nothing if a prize has come back since the file was written, until it is written again', async () => {
    expect((await run('--write')).code).to.equal(0)
    await owner.query(`SELECT bring_back_prizes($1, 'prize', $2)`, [world.casino.id, [world.voided]])
    const before = await rowsOf()
    const refused = await run('--remove')
    expect(refused).to.deep.include({ code: 1 })
    expect(refused.text).to.contain('write it again')
    expect(await rowsOf()).to.deep.equal(before)
    expect((await run('--write')).code).to.equal(0)
    expect((await readManifest()).tables).to.deep.include({ prize: 4, opening: 3 })
    expect((await run('--remove')).code).to.equal(0)
    expect(await prizesOfAnn()).to.deep.equal([world.voided])
    expect((await run('--restore')).code).to.equal(0)
    expect(await prizesOfAnn()).to.have.length(4)
  })

  it('removes the oldest month first, and shows no event without its prize', async () => {
    const { casino, operator, delivered } = world
    await owner.query(`SELECT make_archive_month('2025-01-01'), attach_archive_month('2025-01-01')`)
    expect((await run('--write')).code).to.equal(0)
    const refused = await run('--remove')
    expect(refused).to.deep.include({ code: 1 })
    expect(refused.text).to.contain('remove 2025-01 first')
    const { rows } = await owner.query<{ id: string }>(
      `SELECT id FROM archived_event WHERE object_id = $1 AND type = 'prize_order.delivered'`,
      [delivered.orderIds[1]],
    )
    const path = `/${casino.id}/events/evt_${rows[0]?.id ?? ''}`
    expect((await operator.get(path)).status).to.equal(200)
    await owner.query('BEGIN')
    await owner.query(`SET LOCAL session_replication_role = 'replica'`)
    await owner.query('DELETE FROM archived_prize')
    await owner.query('COMMIT')
    expect((await operator.get(path)).headers.get('x-error-code')).to.equal('event_unknown')
  })

  it('is written with whole histories: events that moved before their prize follow it', async () => {
    const { casino, operator, delivered, voided, cashed } = world
    const storyOf = async (prizeId: string) => {
      const path = `/${casino.id}/prizes/${prizeId}/timeline`
      return fieldOf(listAt(await operator.get(path), 'data.entries'), 'what')
    }
    const prizes = [delivered.prizeId, voided, cashed.prizeId]
    const stories = await Promise.all(prizes.map(storyOf))
    expect(stories.every((story) => story.length > 0)).to.equal(true)
    // All but one prize moved a month later than their events; one came back and is live.
    await owner.query('BEGIN')
    await owner.query(`SET LOCAL session_replication_role = 'replica'`)
    await owner.query(`SELECT make_archive_month('2025-04-01'), attach_archive_month('2025-04-01')`)
    for (const [kind, prizeId] of [
      ['prize', 'id'],
      ['prize_order', 'prize_id'],
      ['cashback', 'prize_id'],
      ['opening', 'prize_id'],
    ])
      await owner.query(`UPDATE archived_${kind} SET archived_month = '2025-04-01' WHERE ${prizeId} <> $1`, [
        world.given,
      ])
    await owner.query('COMMIT')
    await owner.query(`SELECT bring_back_prizes($1, 'prize', $2)`, [casino.id, [voided]])
    const ids = await owner.query<{ id: string }>(
      `SELECT id FROM archived_event WHERE archived_month = '${month}-01' ORDER BY id`,
    )
    // A page looks at the given number of events after an id.
    const page = await owner.query(`SELECT * FROM move_early_events('${month}-01', $1, 3)`, [ids.rows[0]?.id])
    expect(page.rows).to.deep.equal([{ last_id: ids.rows[3]?.id, moved: 3 }])
    const written = await run('--write')
    expect(written.text).to.match(
      /^wrote \d+ rows, sha256 \w+, after \d+ events had moved to the later months/,
    )
    expect((await run('--remove')).code).to.equal(0)
    expect(await Promise.all(prizes.map(storyOf))).to.deep.equal(stories)
    const { rows } = await owner.query(
      `SELECT count(*)::int AS count FROM archived_event WHERE archived_month = date_trunc('month', now() AT TIME ZONE 'UTC')`,
    )
    expect(rows).to.deep.equal([{ count: 2 }])
    expect((await run('--restore')).code).to.equal(0)
    expect(await Promise.all(prizes.map(storyOf))).to.deep.equal(stories)
  })

  it('is named in exports while it is removed', async () => {
    const removedMonths = async () => {
      const reply = await world.operator.post(`/${world.casino.id}/players/ann/export`, {
        reason: 'asked for',
      })
      return at(reply, 'data.removed_months')
    }
    expect(await removedMonths()).to.deep.equal([])
    expect((await run('--write')).code).to.equal(0)
    expect((await run('--remove')).code).to.equal(0)
    // The player was first seen later.
    expect(await removedMonths()).to.deep.equal([])
    await changeAsOwner(service.database, sql`UPDATE player SET created_at = '2025-03-31T23:59:59Z'`)
    expect(await removedMonths()).to.deep.equal([month])
    expect((await run('--restore')).code).to.equal(0)
    expect(await removedMonths()).to.deep.equal([])
  })

  it('is found in the audit trail if an earlier release removed it', async () => {
    const migrate = async () => {
      await owner.query('DELETE FROM removed_month')
      await owner.query(
        await readFile('prisma/migrations/20261127032000_removed_months_before/migration.sql', 'utf8'),
      )
      const { rows } = await owner.query<{ month: string }>(
        `SELECT to_char(first_day, 'YYYY-MM') AS month FROM removed_month`,
      )
      return rows.map((row) => row.month)
    }
    expect((await run('--write')).code).to.equal(0)
    expect(await migrate()).to.deep.equal([])
    expect((await run('--remove')).code).to.equal(0)
    expect(await migrate()).to.deep.equal([month])
    expect((await run('--restore')).code).to.equal(0)
    expect(await migrate()).to.deep.equal([])
  })

  it('is not made again while it is removed, as by a clock that was put back', async () => {
    const current = new Date().toISOString().slice(0, 7)
    await owner.query(`SELECT detach_archive_month($1), drop_archive_month($1)`, [`${current}-01`])
    await owner.query('SELECT prepare_event_archive(), prepare_prize_archive()')
    const { rows } = await owner.query('SELECT to_regclass($1) AS event, to_regclass($2) AS prize', [
      `archive.event_${current.replace('-', '_')}`,
      `archive.prize_${current.replace('-', '_')}`,
    ])
    expect(rows).to.deep.equal([{ event: null, prize: null }])
  })

  it('has a file that is never replaced once it is the only copy', async () => {
    expect((await run('--write')).code).to.equal(0)
    const file = await readFile(filePath())
    expect((await run('--remove')).code).to.equal(0)
    await owner.query(`SELECT make_archive_month('${month}-01'), attach_archive_month('${month}-01')`)
    const refused = await run('--write')
    expect(refused).to.deep.include({ code: 1 })
    expect(refused.text).to.contain('has the only copy')
    expect(await readFile(filePath())).to.deep.equal(file)
    await owner.query(`SELECT detach_archive_month('${month}-01')`)
    expect((await run('--restore')).code).to.equal(0)
    expect(await prizesOfAnn()).not.to.deep.equal([])

    // As after a restoration that was stopped before its outcome.
    await owner.query('BEGIN')
    await owner.query(`SET LOCAL session_replication_role = 'replica'`)
    await owner.query(`DELETE FROM audit_entry WHERE action = 'archive --restore'`)
    await owner.query('COMMIT')
    expect((await run('--write')).code).to.equal(0)
  })

  it('is moved by one run at a time, and never filled once it is a partition', async () => {
    await owner.query('SELECT pg_advisory_lock($1)', [archiveLockId])
    for (const action of ['--write', '--remove', '--restore'] as const) {
      const refused = await run(action)
      expect(refused.code, action).to.equal(1)
      expect(refused.text, action).to.contain('another run is moving a month')
    }
    expect(await readdir(folder)).to.deep.equal([])
    const filled = await owner
      .query(`SELECT fill_archive_month('prize', '${month}-01', '[]')`)
      .catch((error: unknown) => String(error))
    expect(filled).to.contain('is a partition')
  })

  it('is in no file if another run may have begun while it was read', async () => {
    const store = createFolderStore(folder)
    const cut: Store = {
      ...store,
      put: async (...args) => {
        await owner.query(
          `SELECT pg_terminate_backend(pid) FROM pg_locks
            WHERE locktype = 'advisory' AND objid = $1
              AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
          [archiveLockId % 2 ** 32],
        )
        await store.put(...args)
      },
    }
    const failure = await runArchive(service, cut, { action: 'write', month }).catch(
      (error: unknown) => error,
    )
    expect(String(failure)).to.match(/connection/)
    expect(await readdir(folder)).to.deep.equal([`archive-${month}.ndjson.gz.partial`])
    // The server says that a session has ended before it frees its locks.
    await eventually('it is repeated', async () => {
      const { code, text } = await run('--write')
      if (code !== 0) expect(text).to.contain('another run is moving a month')
      return code === 0
    })
  })

  it('leaves no id that a casino chose to be given again', async () => {
    const { casino, operator, itemId, given } = world
    const give = () =>
      operator.post(`/${casino.id}/prizes`, {
        player_id: 'ben',
        item_id: itemId,
        prize_id: given,
        reason: 'x',
      })
    expect((await give()).headers.get('x-error-code')).to.equal('prize_exists')
    expect((await run('--write')).code).to.equal(0)
    // As a run that was stopped half-way leaves it.
    await owner.query(`SELECT detach_archive_month('${month}-01')`)
    expect((await give()).headers.get('x-error-code')).to.equal('prize_exists')
    expect((await run('--remove')).code).to.equal(0)
    expect((await give()).headers.get('x-error-code')).to.equal('prize_exists')
    expect((await run('--restore')).code).to.equal(0)
    expect((await give()).headers.get('x-error-code')).to.equal('prize_exists')
  })

  it('restores no file from before a prize came back, in which it would be there twice', async () => {
    expect((await run('--write')).code).to.equal(0)
    const [file, manifest] = [await readFile(filePath()), await readFile(manifestPath())]
    await owner.query(`SELECT bring_back_prizes($1, 'prize', $2)`, [world.casino.id, [world.voided]])
    expect((await run('--write')).code).to.equal(0)
    expect((await run('--remove')).code).to.equal(0)
    await writeFile(filePath(), file)
    await writeFile(manifestPath(), manifest)
    const refused = await run('--restore')
    expect(refused).to.deep.include({ code: 1 })
    expect(refused.text).to.contain('written again after this file')
    expect(await prizesOfAnn()).to.deep.equal([world.voided])
  })

  it('is attached only if its rows are neither live nor in another month', async () => {
    const attach = async (kind: string, from: string) => {
      await owner.query(`SELECT make_archive_month('2025-01-01')`)
      await owner.query(`
        INSERT INTO archive.${kind}_2025_01
        SELECT (jsonb_populate_record(NULL::archived_${kind}, to_jsonb(one) || '{"archived_month": "2025-01-01"}')).*
          FROM ${from} AS one LIMIT 1`)
      const refusal = await owner
        .query(`SELECT attach_archive_month('2025-01-01')`)
        .catch((error: unknown) => error)
      await owner.query(`SELECT drop_archive_month('2025-01-01')`)
      return refusal
    }
    await owner.query(`SELECT bring_back_prizes($1, 'prize', $2)`, [world.casino.id, [world.voided]])
    for (const [kind, from] of [
      ['prize', 'prize'],
      ['opening', 'opening'],
      ...archivedKinds.map((each) => [each, `archived_${each}`] as const),
    ] as const) {
      expect(await attach(kind, from), from).to.have.property('code', '23505')
    }
  })

  it('has files in which npm run verify finds a damaged line of each table', async () => {
    expect((await run('--write')).code).to.equal(0)
    const [file, manifest, lines] = [await readFile(filePath()), await readManifest(), await readLines()]
    const kinds = archivedKinds.filter((kind) => isLongForm || kind === 'event' || kind === 'prize')
    for (const kind of kinds) {
      const damaged = lines.map((line) =>
        (JSON.parse(line) as { table: string }).table === kind
          ? line.replace('"casino_id": "', '"casino_id": "x')
          : line,
      )
      expect(damaged).to.not.deep.equal(lines)
      await writeFile(filePath(), gzipSync(`${damaged.join('\n')}\n`))
      const found = await verify()
      expect(found).to.include({ code: 1 })
      expect(found.stderr, kind).to.contain(': sha256\n')
      expect((await run('--remove')).text).to.contain('the file was altered')
    }
    await writeFile(filePath(), file)
    expect(await verify()).to.include({ code: 0 })

    /** A file and a manifest that are signed together, so that only the lines can be wrong. */
    const signer = createSigner(service.deps.config.hashSecret, 'event-archive')
    const signed = async (changed: string[], tables = manifest.tables) => {
      const text = `${changed.join('\n')}\n`
      const packed = gzipSync(text)
      const sha256Of = (data: Buffer | string) => createHash('sha256').update(data).digest('hex')
      const rest = Object.fromEntries(Object.entries(manifest).filter(([name]) => name !== 'signature'))
      const unsigned: Record<string, unknown> = {
        ...rest,
        tables,
        rows: changed.length,
        sha256: sha256Of(packed),
        content_sha256: sha256Of(text),
      }
      const sorted = Object.fromEntries(Object.entries(unsigned).sort(([a], [b]) => (a < b ? -1 : 1)))
      await writeFile(filePath(), packed)
      await writeFile(
        manifestPath(),
        JSON.stringify({ ...unsigned, signature: signer.sign(JSON.stringify(sorted)) }),
      )
      return (await verify()).stderr
    }
    for (const kind of kinds) {
      const first = lines.findIndex((line) => (JSON.parse(line) as { table: string }).table === kind)
      const repeated = [...lines.slice(0, first + 1), ...lines.slice(first)]
      const counted = { ...manifest.tables, [kind]: (manifest.tables[kind] ?? 0) + 1 }
      expect(await signed(repeated, counted), `a line twice: ${kind}`).to.contain('once and in order')
      const moved = lines.map((line, index) =>
        index === first ? line.replaceAll(`${month}-01`, '2025-04-01') : line,
      )
      expect(await signed(moved), `another month: ${kind}`).to.contain('once and in order')
      expect(await signed(lines.filter((_, index) => index !== first)), `a line less: ${kind}`).to.contain(
        ': tables',
      )
    }
    expect(await signed([...lines].reverse())).to.contain('once and in order')
    expect(await signed(lines)).to.not.contain('once and in order')
  })
})
