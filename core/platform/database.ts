import { createHash } from 'node:crypto'
import { PrismaPg } from '@prisma/adapter-pg'
import type pg from 'pg'
import { PrismaClient } from '../../prisma/generated/client.ts'
import type { Prisma } from '../../prisma/generated/client.ts'
import { monotonicMs } from './clock.ts'
import { createDatabaseClock } from './database-clock.ts'
import type { ClockReading, DatabaseClock } from './database-clock.ts'
import { findSqlState, translateDriverError } from './database-error.ts'
import type { Logger } from './logger.ts'
import { findMissingMigrations, lacksMigrations, readMigrationNames } from './migrations.ts'
import { Pool } from './pool.ts'
import type { PoolUse } from './pool.ts'
import { singleRow } from './single-row.ts'
import type { SqlValue } from './sql.ts'
import { createMigrationCheck, createVerify } from './verify-connections.ts'

export { Prisma } from '../../prisma/generated/client.ts'

/**
 * The time limit of a request's statement; the batches of the write path take milliseconds. The server gives up first
 * (`statement_timeout`), so that it is known whether the statement took effect; the client's own limit is for a server
 * or network that does not answer at all.
 */
const statementTimeoutMs = 5_000
/** Our own statements lock a row for milliseconds; a longer lock must not delay a whole batch. */
const lockTimeoutMs = 500
const queryTimeoutMs = 8_000
const connectTimeoutMs = 3_000

/**
 * The statements of the write path always touch few rows by key, so nested loops over indexes are always right. By
 * itself the server plans a prepared statement while a table is small, finds a sequential scan cheaper, and keeps that
 * plan while the table grows: for minutes, until the next ANALYZE.
 */
export const plannerOptions =
  '-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off -c jit=off -c plan_cache_mode=force_generic_plan'

/** For scans of whole tables, which take minutes on large ones: there the planner decides best. */
const scanTimeoutMs = 30 * 60_000
const scanLockTimeoutMs = 10_000
const scanOptions = '-c jit=off'

/** Sends our own SQL. It takes no arrays and no times: sql.ts explains why, and encodes them. */
interface RawQueries {
  $queryRaw<Row = unknown>(
    query: TemplateStringsArray | Prisma.Sql,
    ...values: readonly SqlValue[]
  ): Prisma.PrismaPromise<Row>
  $executeRaw(
    query: TemplateStringsArray | Prisma.Sql,
    ...values: readonly SqlValue[]
  ): Prisma.PrismaPromise<number>
}

/** The Prisma client; the raw queries of the write path go through it too. */
export type Database = Omit<PrismaClient, keyof RawQueries> & RawQueries

export interface OpenDatabase {
  database: Database
  /** The database's time. Known as soon as there is a connection, so before any other read. */
  clock: DatabaseClock
  /**
   * Asks the database for its time, for `clock`. Resolves when it answers and is migrated; otherwise rejects, with a
   * NotMigratedError if it is not migrated.
   */
  ping: () => Promise<void>
  /** Another pool of the same database, for work that must not wait for this pool's. They share the clock. */
  openAnother: (poolMax: number) => OpenDatabase
  inUse: () => PoolUse
  /** Idempotent. */
  close: () => Promise<void>
}

interface DatabaseOptions {
  url: string
  poolMax: number
  log: Logger
  isForScans?: boolean
}

/**
 * Opens a pool of at most `poolMax` connections, lazily: an unreachable database shows in the first query. `isForScans`
 * is for programs that read whole tables and are run by hand.
 */
export function openDatabase(options: DatabaseOptions): OpenDatabase {
  const needed = readMigrationNames()
  const refuseUnmigrated = createMigrationCheck<pg.PoolClient>({
    findMissing: (client) => findMissingMigrations(client, needed),
    what: lacksMigrations,
    log: options.log,
  })
  return openPool(options, { ...createDatabaseClock(), refuseUnmigrated })
}

/** Shared by the pools of one database. */
interface Shared {
  clock: DatabaseClock
  learn: (reading: ClockReading) => void
  refuseUnmigrated: (client: pg.PoolClient) => Promise<void>
}

function openPool(options: DatabaseOptions, shared: Shared): OpenDatabase {
  const { isForScans = false } = options
  const { clock, learn, refuseUnmigrated } = shared
  const poolConfig: pg.PoolConfig = {
    connectionString: options.url,
    max: options.poolMax,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: 60_000,
    statement_timeout: isForScans ? scanTimeoutMs : statementTimeoutMs,
    lock_timeout: isForScans ? scanLockTimeoutMs : lockTimeoutMs,
    idle_in_transaction_session_timeout: 10_000,
    query_timeout: isForScans ? scanTimeoutMs : queryTimeoutMs,
    keepAlive: true,
    options: `${sessionOptions} ${isForScans ? scanOptions : plannerOptions}`,
    verify: createVerify(async (client: pg.PoolClient) => {
      learn(await askAtFirst(client))
      await refuseUnmigrated(client)
    }),
  }
  const pool = new Pool(poolConfig, (error) => {
    options.log.warn({ err: error }, 'lost an idle database connection')
  })
  const database = new PrismaClient({
    adapter: new PrismaPg(pool, { statementNameGenerator: ({ sql }) => statementName(sql) }),
  })
  let closing: Promise<void> | undefined
  return {
    database,
    clock,
    ping: async () => {
      const sentMs = monotonicMs()
      const answer = await pool.query<Answer>(question).catch((error: unknown) => {
        throw translateDriverError(error)
      })
      learn(toReading(sentMs, answer))
    },
    inUse: () => pool.inUse(),
    openAnother: (poolMax) => openPool({ ...options, poolMax }, shared),
    close: () => (closing ??= database.$disconnect().then(() => pool.end())),
  }
}

/**
 * The required session settings. The adapter drops the offset of the times that it reads, so they are right only in
 * UTC, and it reads them only in ISO format. Acknowledged writes must be on disk, whatever the database's own setting.
 */
const sessionSettings = { TimeZone: 'UTC', DateStyle: 'ISO, MDY', synchronous_commit: 'on' } as const

/** As start-up options, separated by spaces. */
const sessionOptions = Object.entries(sessionSettings)
  .map(([name, value]) => `-c ${name}=${value.replaceAll(' ', '')}`)
  .join(' ')

const settingsInJson = `json_build_object(${Object.keys(sessionSettings)
  .map((name) => `'${name}', current_setting('${name}')`)
  .join()})`
const question = `
  SELECT ${settingsInJson} AS settings, (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms`

interface Answer {
  settings: Record<keyof typeof sessionSettings, string>
  ms: number
}

/** Checked on every new connection: a pooler between us and the server, or the URL, may have dropped our options. */
async function askAtFirst(client: pg.PoolClient): Promise<ClockReading> {
  const sentMs = monotonicMs()
  const answer = await client.query<Answer>(question)
  const { settings } = singleRow(answer.rows)
  for (const [name, wanted] of Object.entries(sessionSettings)) {
    const is = settings[name as keyof typeof sessionSettings]
    if (is !== wanted) {
      throw new Error(
        `the database session's ${name} is ${is} instead of ${wanted}: do DATABASE_URL or a pooler set its options?`,
      )
    }
  }
  return toReading(sentMs, answer)
}

function toReading(sentMs: number, { rows }: pg.QueryResult<Answer>): ClockReading {
  return { sentMs, receivedMs: monotonicMs(), databaseMs: singleRow(rows).ms }
}

/**
 * How a failed statement may be handled:
 * - `bad_data`: one of the rows can never be stored; the others of the batch can.
 * - `transient`: it took no effect and may succeed if retried immediately (deadlock, serialization).
 * - `locked`: it took no effect, because one of its rows is locked for long; the other rows can be stored.
 * - `unknown`: it may or may not have taken effect (connection lost, server away, time-out).
 */
export type FailureKind = 'bad_data' | 'transient' | 'locked' | 'unknown'

export function classifyFailure(error: unknown): FailureKind {
  const sqlState = findSqlState(error)
  if (sqlState === undefined) return 'unknown'
  if (sqlState === '40001' || sqlState === '40P01') return 'transient'
  if (sqlState === '55P03') return 'locked'
  if (sqlState.startsWith('22') || sqlState.startsWith('23') || sqlState.startsWith('54')) return 'bad_data'
  return 'unknown'
}

/** The SQL texts are few and constant, so their names (and the server's plans for them) are too. */
const statementNames = new Map<string, string>()
const statementNamesMax = 1_000

function statementName(sql: string): string {
  const known = statementNames.get(sql)
  if (known !== undefined) return known
  const name = createHash('sha256').update(sql).digest('hex').slice(0, 32)
  if (statementNames.size < statementNamesMax) statementNames.set(sql, name)
  return name
}
