import { PrismaPg } from '@prisma/adapter-pg'
import type pg from 'pg'
import { PrismaClient } from '../../prisma/generated/client.ts'
import { monotonicMs } from './clock.ts'
import { createDatabaseClock } from './database-clock.ts'
import type { ClockReading, DatabaseClock } from './database-clock.ts'
import { findSqlState, translateDriverError } from './database-error.ts'
import type { Logger } from './logger.ts'
import { findMissingMigrations, lacksMigrations, readMigrationNames } from './migrations.ts'
import { Pool } from './pool.ts'
import type { PoolUse } from './pool.ts'
import { RawStatements } from './raw-statements.ts'
import {
  findDifferent,
  findUnusable,
  isOwnSession,
  needsOwnSession,
  scanSettings,
  serviceSettings,
  setInSession,
  settingsInJson,
} from './session-settings.ts'
import type { SessionSettings } from './session-settings.ts'
import { singleRow } from './single-row.ts'
import { createStatementNames } from './statement-names.ts'
import type { StatementNames } from './statement-names.ts'
import { createMigrationCheck, createVerify } from './verify-connections.ts'

export { Prisma } from '../../prisma/generated/client.ts'

/**
 * The client's own limit is for a server or network that does not answer at all. The server gives up first
 * (`statement_timeout`), so that it is known whether the statement took effect.
 */
const queryTimeoutMs = 8_000
const scanTimeoutMs = 30 * 60_000
const connectTimeoutMs = 3_000

/** The Prisma client, with raw statements of our own. */
export type Database = Omit<PrismaClient, keyof RawStatements> & RawStatements

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
  const { log } = options
  const refuseUnmigrated = createMigrationCheck<pg.PoolClient>({
    findMissing: (client) => findMissingMigrations(client, needed),
    what: lacksMigrations,
    log,
  })
  const refuseUnset = createMigrationCheck<FoundSettings>({
    findMissing: (found) => Promise.resolve(findUnusable(serviceSettings, found)),
    what: lacksSettings,
    more: ', and RECONNECT in the console of PgBouncer if it has run',
    log,
  })
  return openPool(options, {
    ...createDatabaseClock(),
    refuseUnmigrated,
    refuseUnset,
    statementNames: createStatementNames(log),
  })
}

/** Describes the sessions of a pooler that were opened without the settings of the service's role. */
const lacksSettings = 'the pooler has sessions without the settings of the role in DATABASE_URL'

/** Shared by the pools of one database. */
interface Shared {
  clock: DatabaseClock
  learn: (reading: ClockReading) => void
  refuseUnmigrated: (client: pg.PoolClient) => Promise<void>
  refuseUnset: (found: FoundSettings) => Promise<void>
  statementNames: StatementNames
}

function openPool(options: DatabaseOptions, shared: Shared): OpenDatabase {
  const { isForScans = false } = options
  const { clock, learn, refuseUnmigrated, statementNames } = shared
  const poolConfig: pg.PoolConfig = {
    connectionString: options.url,
    max: options.poolMax,
    connectionTimeoutMillis: connectTimeoutMs,
    // Such a program may have a lock that belongs to its session, and work elsewhere meanwhile.
    idleTimeoutMillis: isForScans ? 0 : 60_000,
    query_timeout: isForScans ? scanTimeoutMs : queryTimeoutMs,
    keepAlive: true,
    verify: createVerify(async (client: pg.PoolClient) => {
      learn(await askAtFirst(client, isForScans ? scanSettings : serviceSettings, shared))
      await refuseUnmigrated(client)
    }),
  }
  const pool = new Pool(poolConfig, (error) => {
    options.log.warn({ err: error }, 'lost an idle database connection')
  })
  let prisma: PrismaClient | undefined
  const openPrisma = () =>
    (prisma ??= new PrismaClient({
      adapter: new PrismaPg(pool, { statementNameGenerator: ({ sql }) => statementNames.of(sql) }),
    }))
  const database = withModels(new RawStatements(pool, statementNames), openPrisma)
  const close = async () => {
    await prisma?.$disconnect()
    await pool.end()
  }
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
    close: () => (closing ??= close()),
  }
}

/**
 * The raw statements, and otherwise Prisma's client. The client is made when something needs it: each describes all models
 * to itself, which takes megabytes, and players' requests need raw statements only. The raw ones are not on the client itself,
 * since those of its transactions would get them too.
 */
function withModels(raw: RawStatements, openPrisma: () => PrismaClient): Database {
  return new Proxy(raw, {
    get: (target, name) => {
      if (!(name in target)) return Reflect.get(openPrisma(), name) as unknown
      const statements = Reflect.get(target, name) as unknown
      return typeof statements === 'function' ? (statements.bind(target) as unknown) : statements
    },
  }) as Database
}

const question = 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms'

interface Answer {
  ms: number
}

type FoundSettings = Record<string, string>

/**
 * Checked on every new connection. A session of the connection's own gets the settings that it lacks. One of a pooler
 * has those of the role, or is refused.
 */
async function askAtFirst(
  client: pg.PoolClient,
  wanted: SessionSettings,
  { refuseUnset, statementNames }: Shared,
): Promise<ClockReading> {
  const sentMs = monotonicMs()
  const answer = await client.query<Answer & { process_id: number; settings: FoundSettings }>(
    `${question}, pg_backend_pid() AS process_id, ${settingsInJson(wanted)} AS settings`,
  )
  const reading = toReading(sentMs, answer)
  const { process_id: processId, settings } = singleRow(answer.rows)
  if (isOwnSession(client, processId)) {
    if (findDifferent(wanted, settings).length > 0) await setInSession(client, wanted)
    return reading
  }
  if (wanted === scanSettings) throw needsOwnSession('this program needs')
  await refuseUnset(settings)
  await statementNames.learn(client)
  return reading
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
