import { expect } from 'chai'
import pg from 'pg'
import { readConfig } from '../../core/platform/config.ts'
import { grantRuntimeRole, roleOf } from '../../prisma/runtime-role.ts'
import { createWorkerDeps } from '../../worker/deps.ts'
import { createLoops } from '../../worker/loops.ts'
import { startLines } from '../../worker/workers.ts'
import { atEndOfTest } from '../support/at-end.ts'
import { createTestEnv } from '../support/config.ts'
import { asServiceRole, createTestDatabase, queueBackends, serviceRole } from '../support/environment.ts'

/** Those of which the service keeps every row as it was written. */
const appendOnly = [
  'audit_entry',
  'audit_link',
  'box_entry',
  'box_version',
  'event',
  'ledger_entry',
  'ledger_transaction',
  'opening',
  'wallet_answer',
]

/** Those whose rows change and stay. Prizes and what belongs to them leave for the archive only. */
const neverDeleted = ['audit_chain', 'cashback', 'operator', 'prize', 'prize_order', 'server_seed']

describe('the database role of the service', () => {
  const atEnd = atEndOfTest()

  const connect = async (connectionString: string) => {
    const client = new pg.Client({ connectionString })
    await client.connect()
    atEnd(() => client.end())
    return client
  }
  const refusalOf = async (client: pg.Client, text: string): Promise<unknown> => {
    try {
      await client.query(text)
      return 'done'
    } catch (error) {
      return error instanceof pg.DatabaseError ? error.code : error
    }
  }

  it('has the privileges that each table needs, and no others', async () => {
    const owner = await connect(await createTestDatabase())
    const { rows } = await owner.query<{ schema: string; table: string; privileges: string }>(
      `SELECT namespace.nspname AS schema, class.relname AS "table",
              COALESCE(string_agg(acl.privilege_type, ' ' ORDER BY acl.privilege_type)
                       FILTER (WHERE acl.grantee = $1::regrole), '') AS privileges
         FROM pg_class AS class
         JOIN pg_namespace AS namespace ON namespace.oid = class.relnamespace
         LEFT JOIN LATERAL aclexplode(class.relacl) AS acl ON true
        WHERE namespace.nspname IN ('public', 'bullmq') AND class.relkind IN ('r', 'p', 'v')
        GROUP BY 1, 2 ORDER BY 1, 2`,
      [serviceRole.name],
    )
    const all = 'DELETE INSERT SELECT UPDATE'
    const expected = rows.map(({ schema, table }) => {
      if (schema === 'bullmq') return [table, all]
      if (table === '_prisma_migrations' || /^(archived|removed)_|_archive$/.test(table))
        return [table, 'SELECT']
      if (appendOnly.includes(table)) return [table, 'INSERT SELECT']
      return [table, neverDeleted.includes(table) ? 'INSERT SELECT UPDATE' : all]
    })
    expect(rows.map(({ table, privileges }) => [table, privileges])).to.deep.equal(expected)
    expect(rows.map(({ table }) => table)).to.include.members([
      ...appendOnly,
      ...neverDeleted,
      'player',
      'archived_prize',
      'prize_archive',
    ])
    const { rows: role } = await owner.query(
      'SELECT rolsuper, rolcreatedb, rolcreaterole, rolbypassrls FROM pg_roles WHERE rolname = $1',
      [serviceRole.name],
    )
    expect(Object.values(role[0] as object)).to.deep.equal([false, false, false, false])
  })

  it('cannot change tables, triggers or functions, or append-only tables', async () => {
    const service = await connect(asServiceRole(await createTestDatabase()))
    const refused = [
      'CREATE TABLE own (id int)',
      'ALTER TABLE event DISABLE TRIGGER event_append_only',
      'DROP TRIGGER event_append_only ON event',
      'CREATE TRIGGER own BEFORE INSERT ON event EXECUTE FUNCTION refuse_rewriting_history()',
      'CREATE OR REPLACE FUNCTION refuse_rewriting_history() RETURNS trigger LANGUAGE sql AS $$ $$',
      "SET session_replication_role = 'replica'",
      'TRUNCATE player',
      ...neverDeleted.map((table) => `DELETE FROM ${table}`),
      'DELETE FROM _prisma_migrations',
      ...appendOnly.flatMap((table) => [`DELETE FROM ${table}`, `TRUNCATE ${table}`]),
      "UPDATE audit_entry SET actor = 'nobody'",
      "UPDATE event SET actor = 'nobody'",
      'UPDATE ledger_entry SET amount_minor = 0',
      'UPDATE opening SET position = 1',
    ]
    for (const text of refused) expect(await refusalOf(service, text), text).to.equal('42501')
    expect(await refusalOf(service, 'SELECT count(*) FROM event')).to.equal('done')
  })

  it('can read and add to a table of a later migration, and do the rest after the next migration', async () => {
    const ownerUrl = await createTestDatabase()
    const owner = await connect(ownerUrl)
    const service = await connect(asServiceRole(ownerUrl))
    await owner.query('CREATE TABLE later (id serial PRIMARY KEY)')
    expect(await refusalOf(service, 'INSERT INTO later DEFAULT VALUES')).to.equal('done')
    expect(await refusalOf(service, 'DELETE FROM later')).to.equal('42501')
    expect(await grantRuntimeRole(ownerUrl, serviceRole)).to.equal(true)
    expect(await refusalOf(service, 'DELETE FROM later')).to.equal('done')
    const same = roleOf(ownerUrl)
    if (same === undefined) throw new Error('the owner has no name')
    expect(await grantRuntimeRole(ownerUrl, same), 'the owner needs nothing').to.equal(false)
  })

  for (const backend of queueBackends) {
    it(`is enough for every loop of a worker, queues on ${backend}`, async () => {
      const env = await createTestEnv(backend, {
        DATABASE_URL: asServiceRole(await createTestDatabase()),
        ARCHIVE_AFTER_DAYS: '500',
      })
      const { deps, close } = createWorkerDeps(readConfig(env))
      atEnd(close)
      await deps.pingDatabase()
      const lines = startLines(deps)
      atEnd(() => lines.stop())
      for (const { name, runOnce } of createLoops(deps, lines, () => undefined)) {
        const outcome = await runOnce().then(
          () => 'done',
          (error: unknown) => error,
        )
        expect(outcome, name).to.equal('done')
      }
    })
  }
})
