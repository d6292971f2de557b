import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { migrateQueueTables } from '../../core/queue/queue-backend.ts'
import { startPostgres } from '../../local/postgres.ts'
import { findRedisServer, startRedis } from '../../local/redis.ts'
import type { RunningRedis } from '../../local/redis.ts'
import { migrateDatabase } from '../../prisma/migrate.ts'
import { grantRuntimeRole } from '../../prisma/runtime-role.ts'
import { announceEnvironment, serviceRole, templateName } from './environment.ts'
import { withoutRedis } from './need-program.ts'
import { makeServerFolder } from './server-folder.ts'

/** The servers of a run, in the process that was called. */
export interface Servers {
  /** Stopping them also deletes what they hold, unless that is to be looked into. */
  stop(keepFolder: boolean): Promise<void>
}

/**
 * Durability costs time and is not what these tests are about: they kill our processes, not this PostgreSQL. Nothing
 * copies its log, so it holds no more than a crash needs.
 */
const undurable = ['fsync=off', 'full_page_writes=off', 'wal_level=minimal', 'max_wal_senders=0']

/**
 * Hundreds of databases that live for seconds: looking through all of them for tables to vacuum takes a tenth of the CPU of
 * a run. Tests that need statistics make them. Nobody reads the titles of these processes.
 */
const unattended = ['autovacuum=off', 'update_process_title=off']

/** The read data is in memory: handing it to other processes costs more than reading it. */
const synchronous = 'io_method=sync'

/** Thousands of connections would each hash a password 4,096 times, on both sides. */
const cheapLogIns = 'scram_iterations=1'

/** The time zone of PostgreSQL, whose default is UTC: nothing that the service does may depend on it. */
const timeZone = 'TEST_TIMEZONE'

/** Starts PostgreSQL with a migrated template database, and Redis where there is one, and announces both. */
export async function startServers(): Promise<Servers> {
  const redisServer = findRedisServer()
  if (redisServer === undefined) acceptNoRedis()
  // A folder for each run, so that two simultaneous runs do not take away each other's servers.
  const folder = join(import.meta.dirname, `../../.local/test-${process.pid}`)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const dataFolder = makeServerFolder(folder)
  const settings = [...undurable, ...unattended, synchronous, cheapLogIns, 'max_connections=600']
  const flags = settings.flatMap((setting) => ['-c', setting])
  const zone = process.env[timeZone]
  if (zone !== undefined) flags.push('-c', `timezone=${zone}`)
  const postgres = await startPostgres({ dataDir: join(dataFolder, 'postgres'), flags })
  let redis: RunningRedis | undefined
  const stop = async (keepFolder: boolean) => {
    announceEnvironment(undefined)
    await redis?.stop()
    await postgres.stop()
    if (keepFolder) {
      console.log(`The databases of the failed tests are in ${dataFolder}, until the next run.`)
    } else {
      for (const one of [folder, dataFolder]) rmSync(one, { recursive: true, force: true })
    }
  }
  try {
    await hashPasswordAgain(postgres.url)
    const templateUrl = await postgres.createDatabase(templateName)
    await migrateDatabase(templateUrl)
    await migrateQueueTables(templateUrl)
    await grantRuntimeRole(templateUrl, serviceRole)
    if (redisServer !== undefined) {
      redis = await startRedis({ binary: redisServer, dataDir: join(dataFolder, 'redis') })
    }
  } catch (error) {
    await stop(false)
    throw error
  }
  announceEnvironment({
    folder,
    postgresUrl: postgres.url,
    ...(redis === undefined ? {} : { redisUrl: redis.url }),
  })
  return { stop }
}

/** The superuser's is older than the setting: stored again, it takes as few iterations as later ones. */
async function hashPasswordAgain(superuserUrl: string): Promise<void> {
  const admin = new pg.Client({ connectionString: superuserUrl })
  await admin.connect()
  try {
    const password = admin.escapeLiteral(new URL(superuserUrl).password)
    await admin.query(`ALTER ROLE CURRENT_USER PASSWORD ${password}`)
  } finally {
    await admin.end()
  }
}

function acceptNoRedis(): void {
  const isWanted = process.env[withoutRedis] === 'true'
  if (process.env['CI'] === 'true' && !isWanted) {
    throw new Error(
      `CI needs a redis-server or valkey-server on the PATH; ${withoutRedis}=true is for a run without it`,
    )
  }
  console.log(
    'No redis-server or valkey-server on the PATH: the tests on Redis are left out, all others use PostgreSQL.',
  )
}
