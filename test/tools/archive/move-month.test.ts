import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect } from 'chai'
import pg from 'pg'
import { archivePrizes } from '../../../core/archive/archive-prizes.ts'
import { archiveEvents } from '../../../core/archive/archive-events.ts'
import { sql } from '../../../core/platform/sql.ts'
import { findProgram } from '../../../local/programs.mjs'
import { createFolderStore } from '../../../tools/archive/folder-store.ts'
import type { Move } from '../../../tools/archive/move-month.ts'
import { createS3Store } from '../../../tools/archive/s3-store.ts'
import type { Store } from '../../../tools/archive/store.ts'
import { runArchive } from '../../support/archive-run.ts'
import { atEndOfTest } from '../../support/at-end.ts'
import { changeAsOwner } from '../../support/owner.ts'
import { itInLongForm } from '../../support/runs.ts'
import { startS3Front } from '../../support/s3-front.ts'
import {
  bucket,
  readObjects,
  removeObject,
  settingsOf,
  startS3Server,
  variablesOf,
  writeObject,
} from '../../support/s3-server.ts'
import type { S3Server } from '../../support/s3-server.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { runTool } from '../run-tool.ts'

const day = 86_400_000
const month = '2025-03'
const fileKey = `casinos/archive/archive-${month}.ndjson.gz`
const manifestKey = `casinos/archive/archive-${month}.manifest.json`
const url = `s3://${bucket}/casinos/archive`

describe('A month in a bucket', function () {
  this.timeout(120_000)
  let service: TestService
  let owner: pg.Client
  let folder: string
  let server: S3Server

  const atEnd = atEndOfTest()
  beforeEach(async () => {
    service = await startService({ env: { ARCHIVE_AFTER_DAYS: '410' } })
    atEnd(() => service.stop())
    owner = new pg.Client({ connectionString: service.env['DATABASE_URL'] })
    await owner.connect()
    atEnd(() => owner.end())
    folder = await mkdtemp(join(tmpdir(), 'move-month-test-'))
    atEnd(() => rm(folder, { recursive: true }))
    server = await startS3Server(folder)
    atEnd(() => server.stop())
    await archiveSome()
  })

  /** Events of ended prizes, in a month that is over. */
  const archiveSome = async () => {
    const { deps } = service.startWorker()
    const casino = await service.factory.casino()
    for (let made = 0; made < 40; made++) await service.factory.prize(casino.id, { state: 'expired' })
    await changeAsOwner(
      service.database,
      sql`WITH aged AS (
            UPDATE prize SET updated_at = updated_at - interval '500 days', created_at = created_at - interval '500 days'
          )
          UPDATE event SET created_at = created_at - interval '500 days'`,
    )
    await service.factory.prize(casino.id)
    await archiveEvents(deps, 410 * day)
    await archivePrizes(deps, 410 * day)
    await owner.query('BEGIN')
    await owner.query(`SET LOCAL session_replication_role = 'replica'`)
    await owner.query(`SELECT make_archive_month('${month}-01'), attach_archive_month('${month}-01')`)
    for (const kind of ['event', 'prize'])
      await owner.query(`UPDATE archived_${kind} SET archived_month = '${month}-01'`)
    await owner.query('COMMIT')
  }
  const rowsOf = async () => (await owner.query('SELECT * FROM archived_event ORDER BY id')).rows as unknown[]
  const openBucket = (port = server.port) =>
    createS3Store({ bucket, prefix: 'casinos/archive/' }, { ...settingsOf(port), partBytes: 100 })
  const run = (action: Move['action'], store: Store = openBucket()) =>
    runArchive(service, store, { action, month })
  const runProgram = async (action: string, env: Record<string, string> = {}) => {
    const { code, stdout, stderr } = await runTool(
      'tools/archive.ts',
      ['--month', month, action, '--store', url],
      { ...service.env, ...variablesOf(server.port), ...env },
    )
    return { code, text: `${stdout}${stderr}` }
  }

  it('is written, removed and restored by npm run archive, whose output has no credentials', async () => {
    const before = await rowsOf()
    expect(before).to.have.length(40)
    const runs = []
    for (const action of ['--write', '--remove', '--restore']) {
      runs.push(await runProgram(action))
      expect(await rowsOf()).to.have.length(action === '--remove' ? 0 : 40)
    }
    expect(runs.map(({ code }) => code)).to.deep.equal([0, 0, 0])
    expect(runs.map(({ text }) => text).join('')).to.match(
      /^2025-03: wrote 80 rows, sha256 \w+\n2025-03: removed 80 rows, .*\n2025-03: restored 80 rows, .*\n$/,
    )
    expect(await rowsOf()).to.deep.equal(before)
    expect([...(await readObjects(folder)).keys()]).to.deep.equal([manifestKey, fileKey])

    const secret = 'a-very-secret-access-key'
    const refused = await runProgram('--write', { AWS_SECRET_ACCESS_KEY: secret })
    expect(refused).to.deep.include({ code: 3 })
    expect(refused.text).to.match(/^Failed: s3:.* refuses the credentials \(SignatureDoesNotMatch\): check/)
    expect(refused.text).not.to.contain(secret).and.not.to.contain('S3RVER')
  })

  itInLongForm('has the same files as in a folder', async () => {
    const other = await mkdtemp(join(tmpdir(), 'move-month-test-'))
    atEnd(() => rm(other, { recursive: true }))
    expect((await run('write')).isDone).to.equal(true)
    expect((await run('write', createFolderStore(other))).isDone).to.equal(true)
    expect(await readdir(other)).to.have.length(2)
    const objects = await readObjects(folder)
    expect(objects.get(fileKey)).to.deep.equal(await readFile(join(other, `archive-${month}.ndjson.gz`)))
    expect(objects.get(fileKey)?.length).to.be.greaterThan(700)
    const fixed = (manifest: Buffer | undefined) => ({
      ...(JSON.parse(String(manifest)) as object),
      written_at: '',
      signature: '',
    })
    const downloaded = join(folder, 'downloaded')
    await mkdir(downloaded)
    for (const [key, bytes] of objects) await writeFile(join(downloaded, basename(key)), bytes)
    expect(
      await runTool('tools/verify.mjs', ['--archive', join(downloaded, basename(manifestKey))]),
    ).to.deep.include({
      code: 0,
      stdout: '2025-03: 80 rows\n1 verified, 0 not verified\n',
    })
    expect(fixed(objects.get(manifestKey))).to.deep.equal(
      fixed(await readFile(join(other, `archive-${month}.manifest.json`))),
    )
  })

  itInLongForm('stays in the database while an object is damaged, cut off or missing', async () => {
    expect((await run('write')).isDone).to.equal(true)
    const objects = await readObjects(folder)
    const [file, manifest] = [objects.get(fileKey), objects.get(manifestKey)]
    if (file === undefined || manifest === undefined) throw new Error('the objects are not there')
    const changed = Buffer.from(file)
    changed[700] = (changed[700] ?? 0) ^ 1
    for (const damaged of [
      changed,
      file.subarray(0, -1),
      file.subarray(0, 500),
      Buffer.concat([file, file]),
    ]) {
      await writeObject(server.port, fileKey, damaged)
      expect((await run('remove')).text).to.equal('the file was altered')
    }
    await removeObject(server.port, fileKey)
    expect((await run('remove')).text).to.equal(`there is no ${url}/archive-${month}.ndjson.gz`)
    await writeObject(server.port, fileKey, file)
    await removeObject(server.port, manifestKey)
    expect((await run('remove')).text).to.equal(`there is no ${url}/archive-${month}.manifest.json`)
    await writeObject(server.port, manifestKey, manifest)
    expect(await rowsOf()).to.have.length(40)
    expect((await run('remove')).isDone).to.equal(true)
  })

  itInLongForm('stays in the database while an object cannot be read to its end', async () => {
    expect((await run('write')).isDone).to.equal(true)
    const front = await startS3Front(server.port, ({ url: asked, headers }) =>
      asked?.includes('.gz') === true && headers.range?.startsWith('bytes=500-') === true
        ? 'half an answer'
        : undefined,
    )
    atEnd(() => front.stop())
    const outcome = await run('remove', openBucket(front.port)).catch((error: unknown) => String(error))
    expect(outcome).to.match(/^S3Error: s3:.*\.gz: the store closed the connection/)
    expect(await rowsOf()).to.have.length(40)
  })

  itInLongForm(
    'has no manifest when the store fails before it, and is complete when the run is repeated',
    async () => {
      const before = await rowsOf()
      let isDying = true
      const front = await startS3Front(server.port, ({ method, url: asked }) => {
        if (!isDying || method !== 'PUT' || asked?.includes('manifest') !== true) return undefined
        return { status: 503, code: 'ServiceUnavailable' }
      })
      atEnd(() => front.stop())
      const outcome = await run('write', openBucket(front.port)).catch((error: unknown) => String(error))
      expect(outcome).to.match(/^S3Error: s3:.*manifest\.json: the store is not available/)
      expect([...(await readObjects(folder)).keys()]).to.deep.equal([fileKey])
      expect((await run('remove')).text).to.contain('there is no s3:')
      isDying = false
      for (const action of ['write', 'remove', 'restore'] as const)
        expect((await run(action, openBucket(front.port))).isDone, action).to.equal(true)
      expect(await rowsOf()).to.deep.equal(before)
    },
  )

  it('has no file of a run that was killed during its upload, and is complete when it is repeated', async () => {
    const before = await rowsOf()
    let kill: () => void = () => undefined
    const front = await startS3Front(server.port, ({ method }) => {
      if (method !== 'PUT') return undefined
      kill()
      return { status: 503, code: 'ServiceUnavailable' }
    })
    atEnd(() => front.stop())
    const program = await findProgram('archive')
    const child = spawn(process.execPath, [program, '--month', month, '--write', '--store', url], {
      env: { PATH: process.env['PATH'], ...service.env, ...variablesOf(front.port) },
      stdio: 'ignore',
    })
    kill = () => child.kill('SIGKILL')
    expect(await once(child, 'exit')).to.deep.equal([null, 'SIGKILL'])
    expect([...(await readObjects(folder)).keys()]).to.deep.equal([])
    for (const action of ['write', 'remove', 'restore'] as const)
      expect((await run(action)).isDone, action).to.equal(true)
    expect(await rowsOf()).to.deep.equal(before)
  })
})
