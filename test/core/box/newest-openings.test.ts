import pg from 'pg'
import { expect } from 'chai'
import { loadOpeners } from '../../../core/box/load-openers.ts'
import { readOpeningsLeft } from '../../../core/box/read-openings-left.ts'
import type { Database, Prisma } from '../../../core/platform/database.ts'
import { plannerSettings } from '../../../core/platform/session-settings.ts'
import { sql } from '../../../core/platform/sql.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import { changeAsOwner } from '../../support/owner.ts'
import { stepsOf } from '../../support/plans.ts'
import type { Step } from '../../support/plans.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { watchDatabase } from '../../support/watched-database.ts'

describe('a player’s openings of a box', () => {
  const casinoId = 'casino'
  const now = new Date('2030-01-01T00:00:00Z')
  let service: TestService
  let client: pg.Client

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
    client = new pg.Client({ connectionString: service.env['DATABASE_URL'] })
    await client.connect()
    atEnd(() => client.end())
    for (const [name, value] of Object.entries(plannerSettings)) await client.query(`SET ${name} = ${value}`)
    // Most players have one opening, and no vacuum has seen any.
    await changeAsOwner(
      service.database,
      sql`
        INSERT INTO opening (id, casino_id, player_id, sequence, box_id, version, position, item_id, substituted,
                             prize_id, request_id, odds_hash, seed_id, nonce, opened_at)
        SELECT n, ${casinoId}, 'player-' || n % 3000, n, 'box', 1, 1, 'item', false, n, 'r', '', 'seed', n,
               timestamptz '2029-12-31Z'
          FROM generate_series(1, 3000) AS n`,
    )
    await service.database.$executeRaw`ANALYZE opening`
  })

  /** The indexes by which openings are found in the plan that the server makes for any values. */
  const indexesOf = async (read: (database: Database) => Promise<unknown>) => {
    const statements: Prisma.Sql[] = []
    await read(watchDatabase(service.database, { before: (_, statement) => statements.push(statement) }))
    const indexes: unknown[] = []
    for (const { text } of statements) {
      const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Step }] }>(
        `EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${text}`,
      )
      for (const step of rows.flatMap((row) => stepsOf(row['QUERY PLAN'][0].Plan)))
        if (step['Relation Name'] === 'opening') indexes.push(step['Index Name'])
    }
    return indexes
  }

  it('are counted by the index with the time also in a plan for any values', async () => {
    const request = {
      casinoId,
      playerId: 'player-1',
      boxId: 'box',
      forcedItemId: undefined,
      claim: undefined,
      actor: 'test',
      requestId: 'r',
    }
    const limit = { count: 5, period: 'day', timeZone: 'UTC' } as const
    const index = ['opening_casino_id_player_id_box_id_opened_at_idx']
    expect(await indexesOf((database) => loadOpeners(database, [request], now))).to.deep.equal(index)
    expect(
      await indexesOf((database) => readOpeningsLeft(database, request, [{ boxId: 'box', limit }], now)),
    ).to.deep.equal(index)
  })
})
