import { expect } from 'chai'
import { loadOpeners } from '../../../core/box/load-openers.ts'
import type { OpenBoxRequest } from '../../../core/box/load-openers.ts'
import type { Prisma } from '../../../core/platform/database.ts'
import { joined, sql } from '../../../core/platform/sql.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import type { TestCasino } from '../../support/factory.ts'
import { changeAsOwner } from '../../support/owner.ts'
import { rowsReadBy, stepsOf } from '../../support/plans.ts'
import type { Step } from '../../support/plans.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { watchDatabase } from '../../support/watched-database.ts'

/** The number of rows of each kind, on which the cost of an opening must not depend. */
const many = 2_000
const rowsMax = 20

describe('the data that is loaded for a player who opens a box', () => {
  const now = new Date('2030-01-01T00:00:00Z')
  let service: TestService
  let casino: TestCasino
  let itemId: string

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
    casino = await service.factory.casino()
    itemId = await service.factory.item(casino.id)
  })

  /** Returns the grant to use, and the number of rows of a table that were read for it. */
  const load = async (playerId: string, boxId: string, table: string) => {
    const request: OpenBoxRequest = {
      casinoId: casino.id,
      playerId,
      boxId,
      forcedItemId: undefined,
      claim: undefined,
      actor: 'test',
      requestId: 'r',
    }
    const queries: Prisma.Sql[] = []
    const watched = watchDatabase(service.database, { before: (_, query) => queries.push(query) })
    const opener = (await loadOpeners(watched, [request], now)).get(request)
    let rowsRead = 0
    for (const query of queries) {
      const explained = joined([sql`EXPLAIN (ANALYZE, FORMAT JSON)`, query], ' ')
      const [row] = await service.database.$queryRaw<{ 'QUERY PLAN': [{ Plan: Step }] }[]>(explained)
      for (const step of row === undefined ? [] : stepsOf(row['QUERY PLAN'][0].Plan)) {
        if (step['Relation Name'] === table) rowsRead += rowsReadBy(step)
      }
    }
    return { entitlement: opener?.entitlement, rowsRead }
  }

  it('includes the grant that expires first, without reading the others', async () => {
    const boxId = await service.factory.box(casino.id, { entries: [{ itemId, weight: 1 }] })
    const give = (name: string, used: number, expiresAt: string) => service.database.$executeRaw`
      INSERT INTO opening_grant (casino_id, id, player_id, box_id, count, used, created_at, expires_at)
      SELECT ${casino.id}, ${name} || '-' || n, 'rich', ${boxId}, 1, ${used},
             timestamptz '2029-01-01Z' + n * interval '1 second', ${expiresAt}::timestamptz + n * interval '1 minute'
        FROM generate_series(1, ${many}) AS n`
    await give('expired', 0, '2029-01-01Z')
    await give('used', 1, '2030-01-02Z')
    await give('without-end', 0, 'infinity')
    await service.database.grant.updateMany({
      where: { id: { startsWith: 'without-end-' } },
      data: { expiresAt: null },
    })
    await service.database.$executeRaw`ANALYZE opening_grant`
    const before = await load('rich', boxId, 'opening_grant')
    expect(before.entitlement?.grantId).to.equal('without-end-1')
    expect(before.rowsRead).to.be.within(1, rowsMax)

    await give('expiring', 0, '2030-01-03Z')
    await service.factory.grant(casino.id, 'rich', boxId, 1, new Date('2030-01-02T00:00:00Z'))
    const first = await load('rich', boxId, 'opening_grant')
    expect(first.entitlement?.grantId).to.match(/^grant-/)
    expect(first.rowsRead).to.be.within(1, rowsMax)
    expect((await load('poor', boxId, 'opening_grant')).entitlement?.grantId).to.equal(null)
  })

  it('includes no more openings than the limit', async () => {
    const boxId = await service.factory.box(casino.id, {
      entries: [{ itemId, weight: 1 }],
      limit: { count: 5, period: 'lifetime' },
    })
    const open = (player: string, count: number) =>
      changeAsOwner(
        service.database,
        sql`
          INSERT INTO opening (id, casino_id, player_id, sequence, box_id, version, position, item_id, substituted,
                               prize_id, request_id, odds_hash, opened_at)
          SELECT ${player} || n, ${casino.id}, ${player}, n, ${boxId}, 1, 1, ${itemId}, false, ${player} || n, 'r', '',
                 timestamptz '2029-01-01Z'
            FROM generate_series(1, ${count}::int) AS n`,
      )
    await open('busy', many)
    await open('new', 3)
    await service.database.$executeRaw`ANALYZE opening`
    const busy = await load('busy', boxId, 'opening')
    expect(busy.entitlement?.openedInPeriod).to.equal(5)
    expect(busy.rowsRead).to.be.within(5, rowsMax)
    expect((await load('new', boxId, 'opening')).entitlement?.openedInPeriod).to.equal(3)
  })
})
