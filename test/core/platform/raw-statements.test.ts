import { expect } from 'chai'
import { openDatabase } from '../../../core/platform/database.ts'
import type { OpenDatabase } from '../../../core/platform/database.ts'
import { createLogger } from '../../../core/platform/logger.ts'
import { Statement } from '../../../core/platform/raw-statements.ts'
import { sql } from '../../../core/platform/sql.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import { createTestDatabase } from '../../support/environment.ts'

describe('raw statements', () => {
  let open: OpenDatabase
  const atEnd = atEndOfSuite()

  before(async () => {
    // With one connection a statement shows whether the one before gave it back.
    open = openDatabase({ url: await createTestDatabase(), poolMax: 1, log: createLogger('test', 'silent') })
    atEnd(() => open.close())
  })

  const countCasinos = () => open.database.casino.count()
  const casino = (id: string) =>
    sql`INSERT INTO casino (id, name, updated_at) VALUES (${id}, 'A casino', now())`

  it('give values of the same types as Prisma’s own', async () => {
    const values = sql`
      SELECT 'text'::text AS "aText", 'a name'::name AS "aName", 1::int2 AS small, 2::int4 AS "four", 0.1::float8 AS ratio,
             9007199254740993::int8 AS large, true AS yes, false AS no, '2026-07-01T12:00:00.123+02'::timestamptz AS at,
             '\\x00ff10'::bytea AS bytes, ''::bytea AS "noBytes", '{"a": [1, null, "é"]}'::jsonb AS json, '[]'::json AS "noJson",
             ARRAY['a', NULL, 'b,"{}\\'] AS texts, ARRAY[1, NULL] AS numbers, ARRAY[9007199254740993, NULL]::int8[] AS larges,
             ARRAY['{"a": 1}'::jsonb, 'null'] AS documents, '{}'::text[] AS none,
             NULL::int8 AS "noLarge", NULL::timestamptz AS never, NULL::bytea AS nothing, NULL::int8[] AS absent`
    const [ours] = await open.database.$queryRaw<object[]>(values)
    const [prismas] = await open.database.$transaction((transaction) =>
      transaction.$queryRaw<object[]>(values),
    )
    expect(ours).to.deep.equal(prismas)
    expect(ours).to.deep.include({ large: 9_007_199_254_740_993n, at: new Date('2026-07-01T10:00:00.123Z') })
  })

  it('are sent once, when they are awaited', async () => {
    const statement = open.database.$executeRaw(casino('once'))
    expect(statement).to.be.instanceOf(Statement)
    expect(await countCasinos()).to.equal(0)
    expect([await statement, await statement]).to.deep.equal([1, 1])
    expect(await countCasinos()).to.equal(1)
  })

  it('keep their connection when the server refuses one, and get another when it is lost', async () => {
    const { database } = open
    const session = async () => {
      const [row] = await database.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`
      return row?.pid
    }
    const first = await session()
    const refused = database.$queryRaw`SELECT 1 / (SELECT count(*) FROM casino WHERE id = 'none')`
    expect(await refused.catch((error: unknown) => error)).to.include({ code: '22012' })
    expect(await session()).to.equal(first)
    const lost = database.$queryRaw`SELECT pg_terminate_backend(pg_backend_pid())`
    expect(await lost.catch((error: unknown) => error)).to.include({ isAway: true })
    expect(await session()).not.to.equal(first)
  })

  it('work again after a migration has changed the table of a prepared one', async () => {
    const { database } = open
    await database.$executeRaw`CREATE TABLE probe AS SELECT 1 AS one`
    const read = () => database.$queryRaw<object[]>`SELECT * FROM probe`
    const readTogether = () => database.$inTransaction([database.$queryRaw<object[]>`SELECT * FROM probe`])
    for (let count = 0; count < 3; count++) await read()
    const changes = [
      { run: read, column: 'two', migration: sql`ALTER TABLE probe ADD COLUMN two INTEGER` },
      { run: readTogether, column: 'three', migration: sql`ALTER TABLE probe ADD COLUMN three INTEGER` },
    ]
    for (const { run, column, migration } of changes) {
      await database.$executeRaw(migration)
      expect(await run().catch((error: unknown) => error), column).to.include({ code: '0A000' })
      expect(JSON.stringify(await run()), column).to.contain(column)
    }
  })

  it('take effect together or not at all in one transaction', async () => {
    const { database } = open
    const before = await countCasinos()
    const twice = () =>
      database.$inTransaction([database.$executeRaw(casino('x')), database.$executeRaw(casino('x'))])
    const refusal = await twice().catch((error: unknown) => error)
    expect(refusal).to.include({ name: 'DatabaseError', code: '23505' })
    expect(await countCasinos()).to.equal(before)

    const rows = database.$queryRaw<{ name: string }[]>`SELECT name FROM casino WHERE id = 'y'`
    expect(await database.$inTransaction([database.$executeRaw(casino('y')), rows])).to.deep.equal([
      1,
      [{ name: 'A casino' }],
    ])
  })

  it('of a transaction whose connection is lost have no effect, and the next ones get another connection', async () => {
    const { database } = open
    const before = await countCasinos()
    const ended = database.$executeRaw`SELECT pg_terminate_backend(pg_backend_pid())`
    const loss = await database
      .$inTransaction([database.$executeRaw(casino('lost')), ended])
      .catch((error: unknown) => error)
    expect(loss).to.include({ name: 'DatabaseError', isAway: true })
    expect(await countCasinos()).to.equal(before)
  })
})
