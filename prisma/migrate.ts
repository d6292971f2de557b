import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type pg from 'pg'
import { readMigrationConfig } from '../core/platform/config.ts'
import { translateDriverError } from '../core/platform/database-error.ts'
import { exitCodes, runMain } from '../core/platform/main-program.ts'
import type { ExitCode } from '../core/platform/main-program.ts'
import { migrationsDir, readMigrationNames } from '../core/platform/migrations.ts'
import { Pool } from '../core/platform/pool.ts'
import { ownSession, unlimitedSettings } from '../core/platform/session-settings.ts'
import { createVerify } from '../core/platform/verify-connections.ts'
import { migrateQueueTables } from '../core/queue/queue-backend.ts'
import { setRoleSettings } from './role-settings.ts'
import { grantRuntimeRole, roleOf } from './runtime-role.ts'
import { keepEventOrder } from './event-order.ts'
import { refuseOtherHistory } from './own-history.ts'
import type { OwnMigration } from './own-history.ts'
import { createSchemaEngine } from './schema-engine.ts'
import { waitForSchema } from './wait-for-schema.ts'

/** Any number, as long as no other program uses it: processes that migrate at the same time take turns on it. */
const migrationLockId = 7_236_201_914
const turnPollMs = 200

/**
 * Applies the migrations that the database has not had yet, in order, and returns their names; then sees to it that new
 * events follow the old ones, also after a dump was restored. Rejects when the database has had others than these. Safe to run from several processes at the same time: they take
 * turns, and all but the first find nothing to do.
 */
export async function migrateDatabase(
  databaseUrl: string,
  migrations: Migrations | Promise<Migrations> = readMigrations(),
): Promise<string[]> {
  // A lost idle connection shows again, with its reason, in the next query.
  const config = {
    connectionString: databaseUrl,
    max: 2,
    connectionTimeoutMillis: 10_000,
    // The role may be the service's too, with its settings.
    verify: createVerify(ownSession(unlimitedSettings, 'migrations need')),
  }
  const pool = new Pool(config, () => undefined)
  try {
    const turn = await pool.connect().catch((error: unknown) => {
      throw translateDriverError(error)
    })
    try {
      await waitForTurn(turn)
      const migrationsList = await migrations
      await refuseOtherHistory(turn, migrationsList.migrationDirectories.map(toOwnMigration))
      const engine = await createSchemaEngine(pool)
      const { appliedMigrationNames } = await engine.applyMigrations({
        migrationsList,
        filters: { externalTables: [], externalEnums: [] },
      })
      await keepEventOrder(turn)
      return appliedMigrationNames
    } finally {
      turn.release(true) // ends the session, and the lock with it
    }
  } finally {
    await pool.end()
  }
}

/**
 * Asks again and again: one statement that waits would be a transaction, and the migration that has the turn may have to wait for all
 * transactions (CREATE INDEX CONCURRENTLY), without an end then.
 */
async function waitForTurn(client: pg.PoolClient): Promise<void> {
  for (;;) {
    const text = 'SELECT pg_try_advisory_lock($1) AS is_taken'
    const { rows } = await client.query<{ is_taken: boolean }>(text, [migrationLockId])
    if (rows[0]?.is_taken === true) return
    await setTimeout(turnPollMs)
  }
}

type Migrations = Awaited<ReturnType<typeof readMigrations>>

function toOwnMigration({
  path,
  migrationFile: { content },
}: Migrations['migrationDirectories'][number]): OwnMigration {
  return { name: path, script: content.value }
}

/** The migrations on disk, in the form in which the engine wants them. */
export async function readMigrations() {
  const lockfilePath = 'migration_lock.toml'
  return {
    baseDir: migrationsDir,
    lockfile: { path: lockfilePath, content: await readFile(join(migrationsDir, lockfilePath), 'utf8') },
    shadowDbInitScript: '',
    migrationDirectories: await Promise.all(
      readMigrationNames().map(async (path) => ({
        path,
        migrationFile: {
          path: 'migration.sql',
          content: {
            tag: 'ok' as const,
            value: await readFile(join(migrationsDir, path, 'migration.sql'), 'utf8'),
          },
        },
      })),
    ),
  }
}

const usage = `npm run migrate [-- --wait]

Applies the migrations that the database has not had yet, as the owner in MIGRATE_DATABASE_URL, and lets the role in
DATABASE_URL, which is made if need be, do what the service needs and no more. Without MIGRATE_DATABASE_URL the role in
DATABASE_URL does and owns everything. With DATABASE_DIRECT_URL it goes past the pooler in DATABASE_URL. Safe to run several times, and from several places at the same time.

With --wait it changes nothing: it waits, as the role in DATABASE_URL, until somebody else has migrated the database to
this version. It gives up after ten minutes.`

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await runMain({ usage }, (args) => {
    const { values } = parseArgs({ args, options: { wait: { type: 'boolean', default: false } } })
    return values.wait ? wait() : migrate()
  })
}

async function migrate(): Promise<ExitCode> {
  const { ownerUrl, directUrl, hasPooler, queue } = readMigrationConfig()
  const applied = await migrateDatabase(ownerUrl)
  if (queue.backend === 'postgres') await migrateQueueTables(ownerUrl)
  const role = roleOf(directUrl)
  const isServiceAlone = role !== undefined && (await grantRuntimeRole(ownerUrl, role))
  if (isServiceAlone) console.log(`Granted to ${role.name} what the service needs.`)
  // Without a pooler, the service sets what its role lacks; an owner is also somebody's who works by hand.
  if (isServiceAlone || hasPooler) await setRoleSettings(directUrl)
  console.log(applied.length === 0 ? 'Nothing to migrate.' : `Applied: ${applied.join(', ')}`)
  return exitCodes.done
}

async function wait(): Promise<ExitCode> {
  const { directUrl, hasPooler, queue } = readMigrationConfig()
  const stopping = new AbortController()
  // The first process of a container ignores signals that it does not listen to.
  for (const name of ['SIGTERM', 'SIGINT'] as const) {
    process.once(name, () => {
      stopping.abort()
    })
  }
  const report = (reason: string) => {
    console.log(`Waiting: ${reason}`)
  }
  await waitForSchema({
    directUrl,
    hasPooler,
    hasQueueTables: queue.backend === 'postgres',
    report,
    stopping: stopping.signal,
  })
  console.log('The database is ready for this version.')
  return exitCodes.done
}
