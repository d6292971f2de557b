import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { migrateQueueTables } from '../../core/queue/queue-backend.ts'
import { startPostgres } from '../../local/postgres.ts'
import type { RunningPostgres } from '../../local/postgres.ts'
import { findRedisServer, startRedis } from '../../local/redis.ts'
import type { RunningRedis } from '../../local/redis.ts'
import { migrateDatabase } from '../../prisma/migrate.ts'

/** The servers that all test files of a run share; each file has its own database and its own queue prefix in them. */
interface Environment {
  postgres: RunningPostgres
  templateUrl: string
  redis: RunningRedis | undefined
}

/** A folder for each run, so that two runs at once do not take away each other's servers. */
const folder = join(import.meta.dirname, `../../.local/test-${process.pid}`)
const templateName = 'template_migrated'
let environment: Environment | undefined

/** Starts PostgreSQL with a migrated template database, and Redis where there is one. */
export async function startEnvironment(): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  // Durability costs time and is not what tests in this folder are about: they kill our processes, not PostgreSQL.
  const flags = ['-c', 'fsync=off', '-c', 'max_connections=400', '-c', 'autovacuum_naptime=5s']
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), flags })
  const templateUrl = await postgres.createDatabase(templateName)
  await migrateDatabase(templateUrl)
  await migrateQueueTables(templateUrl)
  environment = { postgres, templateUrl, redis: await startRedisIfThere() }
}

async function startRedisIfThere(): Promise<RunningRedis | undefined> {
  const binary = findRedisServer()
  if (binary !== undefined) return startRedis({ binary, dataDir: join(folder, 'redis') })
  if (process.env['CI'] === 'true') throw new Error('CI needs a redis-server or valkey-server on the PATH')
  console.log('No redis-server on the PATH: everything runs on the PostgreSQL queue backend only.')
  return undefined
}

/** Stops what was started. After a failure the databases stay there to be looked into. */
export async function stopEnvironment(hasFailures: boolean): Promise<void> {
  await environment?.redis?.stop()
  await environment?.postgres.stop()
  environment = undefined
  if (!hasFailures) rmSync(folder, { recursive: true, force: true })
  else console.log(`The databases of the failed tests are in ${folder}.`)
}

/** The URL of a new, migrated, empty database. */
export function createTestDatabase(): Promise<string> {
  return createDatabaseFrom(new URL(getEnvironment().templateUrl).pathname.slice(1))
}

/** The URL of a new database that nobody has migrated: without a single table. */
export function createUnmigratedDatabase(): Promise<string> {
  return createDatabaseFrom('template0')
}

async function createDatabaseFrom(template: string): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`
  const admin = new pg.Client({ connectionString: urlOf('postgres') })
  await admin.connect()
  try {
    await admin.query(`CREATE DATABASE ${name} TEMPLATE ${template}`)
  } finally {
    await admin.end()
  }
  return urlOf(name)
}

/** The URLs of all databases that were made for tests and are still there. */
export async function listTestDatabases(): Promise<string[]> {
  const admin = new pg.Client({ connectionString: urlOf('postgres') })
  await admin.connect()
  try {
    const { rows } = await admin.query<{ name: string }>(
      String.raw`SELECT datname AS name FROM pg_database WHERE datname LIKE 'test\_%' AND datallowconn`,
    )
    return rows.map(({ name }) => urlOf(name))
  } finally {
    await admin.end()
  }
}

function urlOf(database: string): string {
  const url = new URL(getEnvironment().postgres.url)
  url.pathname = `/${database}`
  return url.href
}

/** The queue backends that this machine can run. Asked for while test files are being read, before anything runs. */
export const queueBackends: readonly ('redis' | 'postgres')[] =
  findRedisServer() === undefined ? ['postgres'] : ['redis', 'postgres']

export function redisUrl(): string {
  const { redis } = getEnvironment()
  if (redis === undefined) throw new Error('there is no Redis in this run')
  return redis.url
}

function getEnvironment(): Environment {
  if (environment === undefined) throw new Error('the test environment is not running')
  return environment
}
