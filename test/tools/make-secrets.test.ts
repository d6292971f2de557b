import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { isAdminKey } from '../../core/casino/api-key.ts'
import { readConfig } from '../../core/platform/config.ts'
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
    expect([owner.username, owner.password]).to.deep.equal(['rewards', made['postgres_password']?.trim()])
    expect(new URL(config.databaseUrl).username, 'the service is not the owner').to.equal('rewards_service')
    expect(made['redis_url']).to.contain(made['redis_password']?.trim())
    for (const secret of Object.values(made)) expect(run.stdout).not.to.contain(secret.trim())
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
