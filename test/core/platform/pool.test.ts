import { expect } from 'chai'
import { Pool } from '../../../core/platform/pool.ts'
import { createTestDatabase } from '../../support/environment.ts'
import { plannerOptions } from '../../support/read-plans.ts'

const find = {
  name: 'find',
  text: 'SELECT thing.n FROM unnest($1::text[]) AS input (id) JOIN thing ON thing.id = input.id',
  values: [['1', '2']],
}

/** The plan of a connection for `find`: after a few rows were known, and after many more. */
async function plansOf(plansKeptMs?: number): Promise<string[]> {
  const config = { connectionString: await createTestDatabase(), options: plannerOptions, max: 1 }
  const pool = new Pool(config, () => undefined, plansKeptMs)
  const planned = async () => {
    const client = await pool.connectToPlan()
    try {
      expect((await client.query(find)).rowCount).to.equal(2)
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN EXECUTE find ('{1,2}')`)
      return rows.map((row) => row['QUERY PLAN']).join('\n')
    } finally {
      client.release()
    }
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

describe('a pool of connections', () => {
  it('plans for tables as they are now, when a connection has kept its plans for long', async () => {
    const [few, many] = await plansOf(0)
    expect(few).to.not.include('Index Cond')
    expect(many).to.include('Index Cond: (id = input.id)')
  })

  it('keeps the plans of a connection until then', async () => {
    const [few, many] = await plansOf(60_000)
    expect(few).to.not.include('Index Cond')
    expect(many).to.equal(few)
  })
})
