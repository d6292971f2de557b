import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { migrateQueueTables } from '../../core/queue/queue-backend.ts'
import { startPostgres } from '../../local/postgres.ts'
import { findRedisServer, startRedis } from '../../local/redis.ts'
import type { RunningRedis } from '../../local/redis.ts'
import { migrateDatabase } from '../../prisma/migrate.ts'
import { grantRuntimeRole } from '../../prisma/runtime-role.ts'
import { announceEnvironment, serviceRole, templateName } from './environment.ts'

/** The servers of a run, in the process that was called. */
export interface Servers {
  /** Stopping them also deletes what they hold, unless that is to be looked into. */
  stop(keepFolder: boolean): Promise<void>
}

/** For a run on a machine that is meant to have no Redis, where CI would otherwise miss it. */
const withoutRedis = 'TEST_WITHOUT_REDIS'

/** The time zone of PostgreSQL, whose default is UTC: nothing that the service does may depend on it. */
const timeZone = 'TEST_TIMEZONE'

/** Starts PostgreSQL with a migrated template database, and Redis where there is one, and announces both. */
export async function startServers(): Promise<Servers> {
  const redisServer = findRedisServer()
  if (redisServer === undefined) acceptNoRedis()
  // A folder for each run, so that two runs at once do not take away each other's servers.
  const folder = join(import.meta.dirname, `../../.local/test-${process.pid}`)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  // Durability costs time and is not what these tests are about: they kill our processes, not this PostgreSQL.
  const flags = ['-c', 'fsync=off', '-c', 'max_connections=400', '-c', 'autovacuum_naptime=5s']
  const zone = process.env[timeZone]
  if (zone !== undefined) flags.push('-c', `timezone=${zone}`)
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), flags })
  let redis: RunningRedis | undefined
  const stop = async (keepFolder: boolean) => {
    announceEnvironment(undefined)
    await redis?.stop()
    await postgres.stop()
    if (keepFolder) console.log(`The databases of the failed tests are in ${folder}.`)
    else rmSync(folder, { recursive: true, force: true })
  }
  try {
    const templateUrl = await postgres.createDatabase(templateName)
    await migrateDatabase(templateUrl)
    await migrateQueueTables(templateUrl)
    await grantRuntimeRole(templateUrl, serviceRole)
    if (redisServer !== undefined) {
      redis = await startRedis({ binary: redisServer, dataDir: join(folder, 'redis') })
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
