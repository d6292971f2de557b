import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { Pool } from '../../../core/platform/pool.ts'
import { createSchemaEngine } from '../../../prisma/schema-engine.ts'
import { atEndOfTest } from '../../support/at-end.ts'
import { createTestDatabase, createUnmigratedDatabase } from '../../support/environment.ts'

const schemaFile = new URL('../../../prisma/schema.prisma', import.meta.url)

/** The functions of our migrations that defaults in the schema call. */
const functions = ['event_txid_offset', 'new_outbox_id']

describe('prisma/schema.prisma and the migrations', () => {
  const atEnd = atEndOfTest()
  const connect = (connectionString: string) => {
    const pool = new Pool({ connectionString, max: 2 }, () => undefined)
    atEnd(() => pool.end())
    return pool
  }

  it('make the same tables, columns, defaults, keys and indexes, as far as Prisma’s language can say them', async () => {
    const migrated = connect(await createTestDatabase())
    const declared = connect(await createUnmigratedDatabase())
    for (const name of functions) {
      await declared.query(`CREATE FUNCTION ${name}() RETURNS bigint LANGUAGE sql AS 'SELECT 0::bigint'`)
    }
    await declared.query(await scriptOfSchema(declared))
    const expected = await describeTables(declared)
    expect(expected.length).to.be.greaterThan(400)
    const found = await describeTables(migrated)
    expect({
      onlyInSchema: expected.filter((line) => !found.includes(line)),
      onlyInMigrations: found.filter((line) => !expected.includes(line)),
    }).to.deep.equal({ onlyInSchema: [], onlyInMigrations: [] })
  })
})

/** The SQL that Prisma makes of the schema alone. */
async function scriptOfSchema(pool: Pool): Promise<string> {
  const engine = await createSchemaEngine(pool)
  const file = { path: 'schema.prisma', content: readFileSync(schemaFile, 'utf8') }
  const { stdout } = await engine.diff({
    from: { tag: 'empty' },
    to: { tag: 'schemaDatamodel', files: [file] },
    script: true,
    exitCode: null,
    filters: { externalTables: [], externalEnums: [] },
  })
  return stdout ?? ''
}

/**
 * A line for each thing, without the order of columns. Things that the schema cannot express are left out: partial
 * indexes, indexes of expressions, checks, and arrays that are never null.
 */
async function describeTables(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ line: string }>(`
    WITH tables AS (
      SELECT oid, relname AS name FROM pg_class
       WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname <> '_prisma_migrations'
    )
    SELECT concat_ws(' ', 'column', tables.name, attname, format_type(atttypid, atttypmod),
                     CASE WHEN attnotnull AND attndims = 0 THEN 'NOT NULL' END,
                     'DEFAULT ' || pg_get_expr(adbin, adrelid)) AS line
      FROM tables
      JOIN pg_attribute ON attrelid = tables.oid AND attnum > 0 AND NOT attisdropped
      LEFT JOIN pg_attrdef ON adrelid = tables.oid AND adnum = attnum
     UNION ALL
    SELECT concat_ws(' ', 'constraint', tables.name, conname, pg_get_constraintdef(pg_constraint.oid))
      FROM tables JOIN pg_constraint ON conrelid = tables.oid AND contype IN ('p', 'f')
     UNION ALL
    SELECT pg_get_indexdef(indexrelid)
      FROM tables JOIN pg_index ON indrelid = tables.oid AND indpred IS NULL AND indexprs IS NULL
     ORDER BY line`)
  return rows.map(({ line }) => line)
}
