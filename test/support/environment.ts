import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { findRedisServer } from '../../local/redis.ts'

/**
 * The servers that all test files of a run share; each file has its own databases and its own queue prefix in them.
 * They are started by the process that was called (`servers.ts`). Files that run in other processes read here where.
 */
export interface Environment {
  folder: string
  /** Superuser, database `postgres`. */
  postgresUrl: string
  /** Absent on a machine without a Redis. */
  redisUrl?: string
}

/** A migrated database without rows, of which the others are copies. */
export const templateName = 'template_migrated'

/** The role that the service works as in production, in every copy of the template: it owns nothing. */
export const serviceRole = { name: 'test_service', password: 'test_service' }

/** The same database, as that role. */
export function asServiceRole(databaseUrl: string): string {
  const url = new URL(databaseUrl)
  url.username = serviceRole.name
  url.password = serviceRole.password
  return url.href
}

const variable = 'TEST_ENVIRONMENT'

/** Tells this process, and those that it starts from now on, where the servers are. */
export function announceEnvironment(environment: Environment | undefined): void {
  if (environment === undefined) Reflect.deleteProperty(process.env, variable)
  else process.env[variable] = JSON.stringify(environment)
}

function readEnvironment(): Environment {
  const text = process.env[variable]
  if (text === undefined) throw new Error('no servers run for tests: start them by npm test or npx mocha')
  return JSON.parse(text) as Environment
}

/** The databases that this process has made and no test has taken yet. */
const made: string[] = []

/** The URL of a new, migrated, empty database. */
export function createTestDatabase(): Promise<string> {
  return createDatabaseFrom(templateName)
}

/** The URL of a new database that is not migrated: without a single table. */
export function createUnmigratedDatabase(): Promise<string> {
  return createDatabaseFrom('template0')
}

async function createDatabaseFrom(template: string): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`
  // By default every page of the template goes through the log, which takes twice as long as copying its files.
  await asSuperuser((admin) => admin.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`))
  const url = urlOf(name)
  made.push(url)
  return url
}

/** The URLs of those; they are the caller's from now on. */
export function takeMadeDatabases(): string[] {
  return made.splice(0)
}

/** Rejects when a client is still connected: then a test has left something running. */
export async function dropTestDatabase(url: string): Promise<void> {
  await asSuperuser((admin) => admin.query(`DROP DATABASE ${new URL(url).pathname.slice(1)}`))
}

/** The URLs of all databases of the run that were made for tests and are still there. */
export async function listTestDatabases(): Promise<string[]> {
  return asSuperuser(async (admin) => {
    const { rows } = await admin.query<{ name: string }>(
      String.raw`SELECT datname AS name FROM pg_database WHERE datname LIKE 'test\_%' AND datallowconn`,
    )
    return rows.map(({ name }) => urlOf(name))
  })
}

/** One connection for all that this process makes and drops: each new one costs the server a process. */
let superuser: pg.Pool | undefined

function asSuperuser<Value>(use: (admin: pg.Pool) => Promise<Value>): Promise<Value> {
  superuser ??= new pg.Pool({
    connectionString: urlOf('postgres'),
    max: 1,
    idleTimeoutMillis: 60_000,
    allowExitOnIdle: true,
  }).on('error', () => undefined) // the server has stopped
  return use(superuser)
}

function urlOf(database: string): string {
  const url = new URL(readEnvironment().postgresUrl)
  url.pathname = `/${database}`
  return url.href
}

/** For a run beside another one that has PostgreSQL's queues. */
const onlyRedis = 'TEST_ONLY_REDIS_QUEUES'

/** The queue backends that this machine can run. Asked for while test files are being read, before anything runs. */
export const queueBackends: readonly ('redis' | 'postgres')[] = findQueueBackends()

/**
 * The queues of tests that any queues would do for. In PostgreSQL they take a dozen connections of each service, which
 * are a process each.
 */
export const usualBackend = queueBackends[0] ?? 'postgres'

function findQueueBackends(): ('redis' | 'postgres')[] {
  if (findRedisServer() === undefined) return ['postgres']
  return process.env[onlyRedis] === 'true' ? ['redis'] : ['redis', 'postgres']
}

export function redisUrl(): string {
  const { redisUrl: url } = readEnvironment()
  if (url === undefined) throw new Error('there is no Redis in this run')
  return url
}
