import { expect } from 'chai'
import pg from 'pg'
import { openDatabase, Prisma } from '../../../core/platform/database.ts'
import { createLogger } from '../../../core/platform/logger.ts'
import { scanSettings, serviceSettings, settingsInJson } from '../../../core/platform/session-settings.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import { createTestDatabase } from '../../support/environment.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'

const hourMs = 3_600_000

describe('a database with its own time zone, date style and durability', function () {
  this.timeout(60_000)
  let service: TestService
  let url: string

  const atEnd = atEndOfSuite()
  before(async () => {
    url = await createTestDatabase()
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    for (const setting of [
      `timezone = 'America/New_York'`,
      `datestyle = 'German'`,
      'synchronous_commit = off',
    ]) {
      await client.query(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET ${setting}`)
    }
    await client.end()
    service = await startService({ env: { DATABASE_URL: url } })
    atEnd(() => service.stop())
    service.startWorker()
  })

  it('keeps and returns the moments of events and ends', async () => {
    const { factory, client, database } = service
    const casino = await factory.casino()
    const itemId = await factory.item(casino.id)
    const manage = (method: string, path: string, body: object) =>
      client.send(method, `/admin/casinos/${casino.id}${path}`, {
        headers: { Authorization: `Bearer ${casino.apiKey}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      })
    await manage('PUT', `/items/${itemId}`, { name: 'Mug', kind: 'physical', claim_days: 1 })
    await manage('PUT', '/boxes/box', {
      name: 'Box',
      access: 'granted',
      entries: [{ item_id: itemId, weight: 1 }],
    })
    const expiresAt = new Date(Date.now() + hourMs)
    const grants = [{ player_id: 'p', box_id: 'box', count: 1, expires_at: expiresAt.toISOString() }]
    expect((await manage('POST', '/grants', { grants })).status).to.be.oneOf([200, 201])

    const opened = await client.post('/box/open', casino.apiKey, { player_id: 'p', box_id: 'box' })
    expect(opened.status, opened.text).to.equal(200)
    await service.drain()

    const [moments] = await database.$queryRaw<
      { grant_left: number; prize_left: number; prize_age: number }[]
    >`
      SELECT extract(epoch FROM opening_grant.expires_at - now())::float8 AS grant_left,
             extract(epoch FROM prize.expires_at - now())::float8 AS prize_left,
             extract(epoch FROM now() - prize.created_at)::float8 AS prize_age
        FROM prize JOIN opening_grant USING (casino_id) WHERE casino_id = ${casino.id}`
    expect(moments?.grant_left).to.be.within(3_300, 3_600)
    expect(moments?.prize_left).to.be.within(24 * 3_600 - 300, 24 * 3_600)
    expect(moments?.prize_age).to.be.within(-5, 300)
    const prize = await database.prize.findFirstOrThrow({ where: { casinoId: casino.id } })
    expect(Math.abs(prize.createdAt.getTime() - Date.now())).to.be.below(300_000)
  })

  it('keeps acknowledged data on disk', async () => {
    const [setting] = await service.database.$queryRaw<{ value: string }[]>`
      SELECT current_setting('synchronous_commit') AS value`
    expect(setting?.value).to.equal('on')
  })

  it('does not reach the sessions of the service, nor do options in the URL', async () => {
    const asked = new URL(url)
    asked.searchParams.set('options', '-c TimeZone=Asia/Tokyo -c statement_timeout=0 -c lock_timeout=1h')
    for (const [isForScans, wanted] of [
      [false, serviceSettings],
      [true, scanSettings],
    ] as const) {
      const { database, close } = openDatabase({
        url: asked.href,
        poolMax: 1,
        log: createLogger('test', 'silent'),
        isForScans,
      })
      try {
        const [row] = await database.$queryRaw<{ settings: object }[]>(
          Prisma.raw(`SELECT ${settingsInJson(wanted)} AS settings`),
        )
        expect(row?.settings).to.deep.equal(wanted)
      } finally {
        await close()
      }
    }
  })
})
