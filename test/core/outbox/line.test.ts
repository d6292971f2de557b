import { expect } from 'chai'
import { findLines, takeFromLines } from '../../../core/outbox/line.ts'
import { snoozedWork } from '../../../core/outbox/snooze.ts'
import type { Prisma } from '../../../core/platform/database.ts'
import { instant, joined, sql } from '../../../core/platform/sql.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import { rowsReadBy, stepsOf } from '../../support/plans.ts'
import type { Step } from '../../support/plans.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { watchDatabase } from '../../support/watched-database.ts'

const longLength = 20_000
const [longLine, shortLine] = ['webhook\nbusy\ncrm', 'webhook\nquiet\ncrm']

describe('a line beside a very long one of another casino', () => {
  let service: TestService

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
    await lengthen(longLine, longLength)
    await lengthen(shortLine, 5)
    await service.database.$executeRaw`ANALYZE outbox`
  })
  const lengthen = (line: string, length: number) => service.database.$executeRaw`
    INSERT INTO outbox (job_name, object_id, due_at, line)
    SELECT 'deliver-webhook', ${line} || n, now() + interval '1 hour', ${line}
      FROM generate_series(1, ${length}::int) AS n`

  /** How many rows of the outbox the statements of the action read when they are carried out once more. */
  const rowsReadAfter = async (action: (watched: TestService['database']) => Promise<unknown>) => {
    const queries: Prisma.Sql[] = []
    await action(watchDatabase(service.database, { before: (_, query) => queries.push(query) }))
    let rowsRead = 0
    for (const query of queries) {
      const explained = joined([sql`EXPLAIN (ANALYZE, FORMAT JSON)`, query], ' ')
      const [row] = await service.database.$queryRaw<{ 'QUERY PLAN': [{ Plan: Step }] }[]>(explained)
      for (const step of row === undefined ? [] : stepsOf(row['QUERY PLAN'][0].Plan)) {
        if (step['Relation Name'] === 'outbox') rowsRead += rowsReadBy(step)
      }
    }
    return rowsRead
  }

  it('is taken from without reading the other line', async () => {
    const wants = [
      { line: shortLine, count: 8 },
      { line: longLine, count: 2 },
    ]
    const rowsRead = await rowsReadAfter(async (database) => {
      const taken = await takeFromLines({ ...service.deps, database }, wants)
      expect(taken.map(({ line }) => line).sort()).to.deep.equal([
        longLine,
        longLine,
        ...Array.from({ length: 5 }, () => shortLine),
      ])
    })
    expect(rowsRead).to.be.within(2, 20)
  })

  it('is found without reading the other line', async () => {
    await lengthen(shortLine, 1)
    const rowsRead = await rowsReadAfter(async (database) => {
      expect(await findLines(database)).to.deep.equal([longLine, shortLine])
    })
    expect(rowsRead).to.be.within(2, 10)
  })
})

describe('the order of a line', () => {
  let service: TestService

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
  })

  it('depends on when each wait began: work that returns stands behind work that arrived while it was away', async () => {
    const { database } = service
    const line = 'provider\nlucky\npolls'
    await database.$executeRaw`
      INSERT INTO outbox (job_name, object_id, due_at) SELECT 'fulfil-prize-order', 'o' || n, now()
        FROM generate_series(1, 3) AS n`
    const snooze = async (objectId: string, until: Date, into: string | null) => {
      const { id } = await database.outbox.findFirstOrThrow({ where: { objectId } })
      await database.$executeRaw`
        WITH input AS (SELECT ${id}::bigint AS outbox_id, ${instant(until)} AS snooze_until, ${into}::text AS line),
        ${snoozedWork('input')}
        SELECT`
    }
    // The first has had its turn, and its time has come again; all three stand in the line then.
    const soon = new Date(Date.now() + 1_000)
    await snooze('o1', soon, null)
    for (const objectId of ['o1', 'o2', 'o3']) await snooze(objectId, new Date(Date.now() + 600_000), line)
    const take = async (count: number) =>
      (await takeFromLines(service.deps, [{ line, count }])).map(({ objectId }) => objectId)
    expect([await take(1), await take(2)]).to.deep.equal([['o2'], ['o3', 'o1']])
    expect(await take(1), 'none is taken twice').to.deep.equal([])
  })
})
