import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import pg from 'pg'
import { singleRow } from '../core/platform/single-row.ts'
import { startPostgres } from '../local/postgres.ts'
import type { RunningPostgres } from '../local/postgres.ts'
import { findRedisServer, startRedis } from '../local/redis.ts'
import type { RunningRedis } from '../local/redis.ts'

/** PostgreSQL and Redis of this run alone, the same ones for every service. */
export interface Servers {
  postgres: RunningPostgres
  redis: RunningRedis
  /** A connection for set-up and counting, never for the measured work. */
  admin: pg.Client
  redisClient: Redis
  /** Process ids of PostgreSQL's that serve the benchmark itself: their work does not count as the service's. */
  ownSessions: Set<number>
  urlOf(database: string): string
  stop(): Promise<void>
}

/**
 * As durable as in production (fsync and synchronous_commit stay on), with memory for the working set, and without a
 * checkpoint in the middle of a measurement. All files of the WAL are used again.
 */
const postgresFlags = [
  'shared_buffers=1GB',
  'checkpoint_timeout=30min',
  'max_wal_size=8GB',
  'min_wal_size=8GB',
].flatMap((setting) => ['-c', setting])
/** Of 16 MB each. */
const walFiles = 192

/** The programs of PostgreSQL are those of the npm package unless a folder with others is given. */
export async function startServers(runDir: string, programs?: string): Promise<Servers> {
  const binary = findRedisServer()
  if (binary === undefined) throw new Error('the benchmark needs redis-server or valkey-server on the PATH')
  if (programs !== undefined && !existsSync(join(programs, 'bin', 'postgres'))) {
    throw new Error(`there is no bin/postgres in ${programs}`)
  }
  const stops: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const step of stops.splice(0).reverse()) await step()
  }
  try {
    const postgres = await startPostgres({
      dataDir: join(runDir, 'postgres'),
      flags: postgresFlags,
      ...(programs === undefined ? {} : { programs }),
    })
    stops.push(() => postgres.stop())
    const redis = await startRedis({ binary, dataDir: join(runDir, 'redis') })
    stops.push(() => redis.stop())
    const admin = new pg.Client({ connectionString: postgres.url })
    await admin.connect()
    stops.push(() => admin.end())
    await makeWalFiles(admin)
    const redisClient = new Redis(redis.url, { protocol: 2, maxRetriesPerRequest: null })
    stops.push(() => {
      redisClient.disconnect()
      return Promise.resolve()
    })
    return {
      postgres,
      redis,
      admin,
      redisClient,
      ownSessions: new Set(),
      urlOf: (database) => {
        const url = new URL(postgres.url)
        url.pathname = `/${database}`
        return url.href
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/**
 * A server that has been running for a while uses the files of its WAL again. A new one has to make them: every commit waits
 * meanwhile, twice a second under load.
 */
async function makeWalFiles(admin: pg.Client): Promise<void> {
  for (let made = 0; made < walFiles; made++) {
    await admin.query(`SELECT pg_logical_emit_message(false, 'bench', 'a record')`)
    await admin.query('SELECT pg_switch_wal()')
  }
  await admin.query('CHECKPOINT')
}

/** Runs `work` with a session of the benchmark itself. */
export async function withSession<Result>(
  { ownSessions }: Pick<Servers, 'ownSessions'>,
  databaseUrl: string,
  work: (session: pg.Client) => Promise<Result>,
): Promise<Result> {
  const session = new pg.Client({ connectionString: databaseUrl })
  // Ctrl-C stops the servers first, and the loss must not end the program before it has removed its files.
  session.on('error', () => undefined)
  await session.connect()
  let pid: number | undefined
  try {
    const { rows } = await session.query<{ pid: number }>(
      // Parallel workers would count as the service's.
      `SELECT pg_backend_pid() AS pid, set_config('max_parallel_workers_per_gather', '0', false)`,
    )
    pid = singleRow(rows).pid
    ownSessions.add(pid)
    return await work(session)
  } finally {
    if (pid !== undefined) ownSessions.delete(pid)
    await session.end()
  }
}
