import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { isAdminKey } from '../../core/casino/api-key.ts'
import { readConfig } from '../../core/platform/config.ts'
import { readBlocks, readDocument } from '../docs/markdown.ts'
import { runTool } from './run-tool.ts'
import { atEndOfTest } from '../support/at-end.ts'

describe('tools/make-secrets.mjs', () => {
  let parent: string
  let folder: string

  const atTestEnd = atEndOfTest()
  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), 'rewards-make-secrets-'))
    atTestEnd(() => {
      rmSync(parent, { recursive: true })
    })
    folder = join(parent, 'secrets')
  })

  const make = () => runTool('tools/make-secrets.mjs', [folder])
  const readAll = () =>
    Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]))

  it('makes secrets that a production start accepts, each different', async () => {
    const run = await make()
    expect(run.code, run.stderr).to.equal(0)
    const config = readConfig({
      NODE_ENV: 'production',
      DATABASE_URL_FILE: join(folder, 'database_url'),
      REDIS_URL_FILE: join(folder, 'redis_url'),
      ADMIN_API_KEY_FILE: join(folder, 'admin_api_key'),
      HASH_SECRET_FILE: join(folder, 'hash_secret'),
      ENCRYPTION_KEYS_FILE: join(folder, 'encryption_keys'),
    })
    const made = readAll()
    expect(isAdminKey(config.adminApiKey), 'an admin key that is recognised').to.equal(true)
    expect(new Set(Object.values(made)).size).to.equal(10)
    const owner = new URL(made['migrate_database_url'] ?? '')
    expect([owner.username, owner.password]).to.deep.equal(['rewards', made['postgres_password']])
    expect(new URL(config.databaseUrl).username, 'the service is not the owner').to.equal('rewards_service')
    expect(made['redis_url']).to.contain(made['redis_password'])
    for (const secret of Object.values(made)) expect(run.stdout).not.to.contain(secret)
  })

  it('makes files without a line break, which KEDA would take for a part of the secret', async () => {
    await make()
    const made = Object.entries(readAll())
    expect(made).to.have.length(10)
    for (const [name, secret] of made) expect(secret, name).to.match(/^[\x21-\x7e]+$/)
  })

  it('takes over a password from a file with a line break, as older ones have it', async () => {
    mkdirSync(folder)
    writeFileSync(join(folder, 'redis_password'), 'password\n')
    await make()
    expect(readAll()['redis_url']).to.equal('redis://default:password@redis:6379')
  })

  it('makes addresses that docs/operate/kubernetes.md replaces, still without a line break', async () => {
    await make()
    const [block = ''] = readBlocks(
      readDocument('docs/operate/kubernetes.md').replaceAll(/^ {3}/gm, ''),
      'sh',
    ).filter((text) => text.includes('make-secrets'))
    const commands = block.split('\n').filter((line) => /^(chmod|sed) /.test(line))
    expect(commands).to.have.length(3)
    execFileSync('bash', ['-euc', commands.join('\n')], { cwd: parent })
    const made = readAll()
    for (const name of ['database_url', 'migrate_database_url', 'redis_url'])
      expect(made[name], name).to.match(
        /^\w+:\/\/\w+:[\w-]+@(postgres|redis)\.stores\.example:\d+(\/rewards)?$/,
      )
  })

  it('makes files that only their owner and the containers can read', async () => {
    await make()
    expect(statSync(folder).mode & 0o777).to.equal(0o700)
    for (const name of readdirSync(folder)) {
      expect(statSync(join(folder, name)).mode & 0o777, name).to.equal(0o444)
    }
  })

  it('changes no existing file, and adds the missing ones to match', async () => {
    await make()
    const before = readAll()
    expect((await make()).stdout).to.contain('0 secrets made')
    expect(readAll()).to.deep.equal(before)
    rmSync(join(folder, 'database_url'))
    expect((await make()).stdout).to.contain('1 secrets made')
    expect(readAll()).to.deep.equal(before)
  })
})
