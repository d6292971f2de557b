import { expect } from 'chai'
import pg from 'pg'
import { findDifferent, serviceSettings, settingsInJson } from '../../core/platform/session-settings.ts'
import type { SessionSettings } from '../../core/platform/session-settings.ts'
import { startChild } from '../../local/child.ts'
import { setRoleSettings } from '../../prisma/role-settings.ts'
import { asServiceRole, createTestDatabase } from '../support/environment.ts'
import { itInLongForm } from '../support/runs.ts'

async function differencesIn(connectionString: string): Promise<string[]> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    const { rows } = await client.query<{ settings: SessionSettings }>(
      `SELECT ${settingsInJson(serviceSettings)} AS settings`,
    )
    return findDifferent(serviceSettings, rows[0]?.settings ?? {})
  } finally {
    await client.end()
  }
}

describe('the settings of the role of the service', function () {
  this.timeout(60_000)

  it('are those of all its later sessions in this database, and of no others', async () => {
    const [ownerUrl, otherUrl] = [await createTestDatabase(), await createTestDatabase()]
    const others = () =>
      Promise.all([ownerUrl, otherUrl, asServiceRole(otherUrl)].map((url) => differencesIn(url)))
    const before = await others()
    for (const differences of before) expect(differences).to.include('jit is on instead of off')
    await setRoleSettings(asServiceRole(ownerUrl))
    expect(await differencesIn(asServiceRole(ownerUrl))).to.deep.equal([])
    expect(await others()).to.deep.equal(before)
  })

  it('can be set by several deployments at the same time', async () => {
    const url = asServiceRole(await createTestDatabase())
    await Promise.all(Array.from({ length: 5 }, () => setRoleSettings(url)))
    expect(await differencesIn(url)).to.deep.equal([])
  })

  const migrate = async (env: Record<string, string>) => {
    const child = await startChild({
      command: process.execPath,
      args: ['--import', 'tsx', 'prisma/migrate.ts'],
      env: { PATH: process.env['PATH'], REDIS_URL: 'redis://127.0.0.1:1', ...env },
      stdio: 'ignore',
      stopSteps: [{ signal: 'SIGKILL', waitMs: 5_000 }],
    })
    expect(await child.ended).to.deep.equal({ code: 0, signal: null })
  }

  itInLongForm('are set by npm run migrate, which can run again with them', async () => {
    const ownerUrl = await createTestDatabase()
    const url = asServiceRole(ownerUrl)
    const env = { DATABASE_URL: url, MIGRATE_DATABASE_URL: ownerUrl }
    await migrate(env)
    expect(await differencesIn(url)).to.deep.equal([])
    await migrate(env)
    expect(await differencesIn(url)).to.deep.equal([])
  })

  itInLongForm('are not set where the role is also the owner, unless there is a pooler', async () => {
    const ownerUrl = await createTestDatabase()
    await migrate({ DATABASE_URL: ownerUrl })
    expect(await differencesIn(ownerUrl)).to.include('jit is on instead of off')
    const env = { DATABASE_URL: 'postgresql://127.0.0.1:1/pooled', DATABASE_DIRECT_URL: ownerUrl }
    await migrate(env)
    expect(await differencesIn(ownerUrl)).to.deep.equal([])
    await migrate(env)
  })
})
