import type pg from 'pg'
import { Pool } from '../core/platform/pool.ts'
import { ownSession, unlimitedSettings } from '../core/platform/session-settings.ts'
import { createVerify } from '../core/platform/verify-connections.ts'

/** The role that the service works as. */
export interface RuntimeRole {
  name: string
  /** Given to a role that is made; one that is there keeps its own unless `isPasswordSet`. */
  password: string
  isPasswordSet?: boolean
}

/** The role that an address names; undefined when it names none. */
export function roleOf(databaseUrl: string): RuntimeRole | undefined {
  const { username, password } = new URL(databaseUrl)
  return username === ''
    ? undefined
    : { name: decodeURIComponent(username), password: decodeURIComponent(password) }
}

/** BullMQ's own, where the queues are in PostgreSQL. */
const queueSchema = 'bullmq'
/** So that deployments at the same time take turns: privileges of one table cannot be changed by two at a time. */
export const roleLockId = 7_236_201_916

/**
 * Lets the service's role read and write the tables, and nothing else: it owns nothing, makes and changes no tables,
 * triggers or functions, and cannot change append-only tables, even for an attacker with its password. Call it after
 * each migration: the role lacks the privileges for everything that the triggers of a table refuse. Makes the role if
 * it is not there, which the owner needs CREATEROLE for. Returns false when the role is the owner itself: then nothing
 * is done.
 */
export async function grantRuntimeRole(ownerUrl: string, role: RuntimeRole): Promise<boolean> {
  // A lost idle connection shows again, with its reason, in the next query.
  const pool = new Pool(
    {
      connectionString: ownerUrl,
      max: 1,
      connectionTimeoutMillis: 10_000,
      verify: createVerify(ownSession(unlimitedSettings, 'migrations need')),
    },
    () => undefined,
  )
  try {
    const client = await pool.connect()
    try {
      const { rows } = await client.query<{ owner: string }>('SELECT current_user AS owner')
      if (rows[0]?.owner === role.name) return false
      await client.query('BEGIN')
      await client.query('SELECT pg_advisory_xact_lock($1)', [roleLockId])
      await ensureRole(client, role)
      await grant(client, client.escapeIdentifier(role.name))
      await client.query('COMMIT')
      return true
    } finally {
      client.release(true)
    }
  } finally {
    await pool.end()
  }
}

async function ensureRole(client: pg.PoolClient, role: RuntimeRole): Promise<void> {
  const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [role.name])
  const name = client.escapeIdentifier(role.name)
  const login = `LOGIN PASSWORD ${client.escapeLiteral(role.password)}`
  if (rowCount === 0) {
    await client.query(
      `CREATE ROLE ${name} ${login} NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS`,
    )
  } else if (role.isPasswordSet === true) {
    await client.query(`ALTER ROLE ${name} ${login}`)
  }
}

async function grant(client: pg.PoolClient, name: string): Promise<void> {
  const { rows } = await client.query<{ database: string }>('SELECT current_database() AS database')
  const database = client.escapeIdentifier(rows[0]?.database ?? '')
  await client.query(`GRANT CONNECT ON DATABASE ${database} TO ${name}`)
  // Databases from before PostgreSQL 15 let everybody make tables.
  await client.query('REVOKE CREATE ON SCHEMA public FROM PUBLIC')
  await grantSchema(client, 'public', name)
  await grantGuarded(client, name)
  const queues = await client.query('SELECT FROM pg_namespace WHERE nspname = $1', [queueSchema])
  if (queues.rowCount !== 0) await grantSchema(client, queueSchema, name)
}

/** They do with the owner's rights, and within their own checks, what the role may not: nobody else gets them. */
const guardedFunctions = [
  'archive_events',
  'archive_prizes',
  'bring_back_prizes',
  'prepare_event_archive',
  'prepare_prize_archive',
]
/** The tables that only those functions change. */
const guardedTables = [
  'archived_cashback',
  'archived_draw_count',
  'archived_event',
  'archived_opening',
  'archived_opening_count',
  'archived_prize',
  'archived_prize_order',
  'event_archive',
  'prize_archive',
  'removed_month',
  'removed_prize',
]

async function grantGuarded(client: pg.PoolClient, name: string): Promise<void> {
  const { rows } = await client.query<{ signature: string }>(
    `SELECT oid::regprocedure::text AS signature FROM pg_proc
      WHERE prosecdef AND pronamespace = 'public'::regnamespace AND proname = ANY($1) ORDER BY 1`,
    [guardedFunctions],
  )
  for (const { signature } of rows) await client.query(`GRANT EXECUTE ON FUNCTION ${signature} TO ${name}`)
}

async function grantSchema(client: pg.PoolClient, schema: string, name: string): Promise<void> {
  await client.query(`REVOKE ALL ON SCHEMA ${schema} FROM ${name}`)
  await client.query(`GRANT USAGE ON SCHEMA ${schema} TO ${name}`)
  await client.query(`REVOKE ALL ON ALL TABLES IN SCHEMA ${schema} FROM ${name}`)
  await client.query(`REVOKE ALL ON ALL SEQUENCES IN SCHEMA ${schema} FROM ${name}`)
  await client.query(`GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA ${schema} TO ${name}`)
  for (const { table, privileges } of await findPrivileges(client, schema)) {
    await client.query(`GRANT ${privileges} ON ${schema}.${client.escapeIdentifier(table)} TO ${name}`)
  }
  // A table that is made before this is done again can be read and added to.
  const future = `ALTER DEFAULT PRIVILEGES IN SCHEMA ${schema}`
  const onTables = schema === queueSchema ? 'SELECT, INSERT, UPDATE, DELETE' : 'SELECT, INSERT'
  await client.query(`${future} GRANT ${onTables} ON TABLES TO ${name}`)
  await client.query(`${future} GRANT USAGE, SELECT ON SEQUENCES TO ${name}`)
}

/**
 * The privileges that each table needs. Tables that a trigger of ours keeps append-only, or from losing rows, say so
 * themselves: bits 3 and 4 of `tgtype` are DELETE and UPDATE (PostgreSQL, catalog/pg_trigger.h).
 */
async function findPrivileges(
  client: pg.PoolClient,
  schema: string,
): Promise<{ table: string; privileges: string }[]> {
  const { rows } = await client.query<{ table: string; refused: number }>(
    `SELECT class.relname AS "table",
            COALESCE(bit_or(trigger.tgtype) FILTER (WHERE function.proname = 'refuse_rewriting_history'), 0)::int AS refused
       FROM pg_class AS class
       JOIN pg_namespace AS namespace ON namespace.oid = class.relnamespace
       LEFT JOIN pg_trigger AS trigger ON trigger.tgrelid = class.oid AND NOT trigger.tgisinternal
       LEFT JOIN pg_proc AS function ON function.oid = trigger.tgfoid
      WHERE namespace.nspname = $1 AND class.relkind IN ('r', 'p', 'v')
      GROUP BY class.relname ORDER BY class.relname`,
    [schema],
  )
  return rows.map(({ table, refused }) => {
    if (['_prisma_migrations', ...guardedTables].includes(table)) return { table, privileges: 'SELECT' }
    const kinds = [
      'SELECT',
      'INSERT',
      ...((refused & 16) === 0 ? ['UPDATE'] : []),
      ...((refused & 8) === 0 ? ['DELETE'] : []),
    ]
    return { table, privileges: kinds.join(', ') }
  })
}
