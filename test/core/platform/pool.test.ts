import { expect } from 'chai'
import { createLogger } from '../../../core/platform/logger.ts'
import { Pool } from '../../../core/platform/pool.ts'
import { RawStatements } from '../../../core/platform/raw-statements.ts'
import { sql, textArray } from '../../../core/platform/sql.ts'
import { createStatementNames } from '../../../core/platform/statement-names.ts'
import { createTestDatabase } from '../../support/environment.ts'
import { plannerOptions } from '../../support/read-plans.ts'

const find = sql`
  SELECT thing.n FROM unnest(${textArray(['1', '2'])}) AS input (id) JOIN thing ON thing.id = input.id`
const log = createLogger('test', 'silent')
const name = createStatementNames(log).of(find.text)

/** The plan of a connection for `find`: after a few rows were known, and after many more. */
async function plansOf(
  send: (raw: RawStatements) => Promise<unknown>,
  plansKeptMs: number,
): Promise<string[]> {
  const config = { connectionString: await createTestDatabase(), options: plannerOptions, max: 1 }
  const pool = new Pool(config, () => undefined, plansKeptMs)
  const planned = async () => {
    await send(new RawStatements(pool, createStatementNames(log)))
    const { rows } = await pool.query<{ 'QUERY PLAN': string }>(`EXPLAIN EXECUTE "${name}" ('{1,2}')`)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  }
  try {
    await pool.query('CREATE TABLE thing (id text PRIMARY KEY, n int) WITH (autovacuum_enabled = off)')
    await pool.query('INSERT INTO thing SELECT g, g FROM generate_series(1, 2) g')
    await pool.query('ANALYZE thing')
    const few = await planned()
    await pool.query('INSERT INTO thing SELECT g, g FROM generate_series(3, 5000) g')
    return [few, await planned()]
  } finally {
    await pool.end()
  }
}

const ways = {
  'of a statement': (raw: RawStatements) => raw.$queryRaw(find),
  'of a transaction': (raw: RawStatements) => raw.$inTransaction([raw.$queryRaw(find)]),
}

describe('a pool of connections', () => {
  for (const [whose, send] of Object.entries(ways)) {
    it(`makes the plans ${whose} again, for tables as they are now, when a connection has had them for long`, async () => {
      const [few, many] = await plansOf(send, 0)
      expect(few).to.not.include('Index Cond')
      expect(many).to.include('Index Cond: (id = input.id)')
    })
  }

  it('keeps the plans of a connection until then', async () => {
    const [few, many] = await plansOf(ways['of a statement'], 60_000)
    expect(few).to.not.include('Index Cond')
    expect(many).to.equal(few)
  })

  it('gives up a connection that turns out to be lost', async () => {
    const pool = new Pool({ connectionString: await createTestDatabase(), max: 1 }, () => undefined, 0)
    try {
      await pool.query('SELECT 1')
      pool.once('acquire', (client) => {
        Reflect.set(client, 'query', () => Promise.reject(new Error('the connection is lost')))
      })
      const raw = new RawStatements(pool, createStatementNames(log))
      expect(await raw.$queryRaw`SELECT 1`.catch(String)).to.include('the connection is lost')
      expect(await raw.$queryRaw`SELECT 1 AS one`).to.deep.equal([{ one: 1 }])
      expect(pool.inUse()).to.include({ busy: 0, idle: 1 })
    } finally {
      await pool.end()
    }
  })
})
