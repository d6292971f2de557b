import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { monotonicMs } from '../core/platform/clock.ts'
import { translateDriverError } from '../core/platform/database-error.ts'
import { describeError } from '../core/platform/logger.ts'
import {
  findMissingMigrations,
  lacksMigrations,
  NotMigratedError,
  readMigrationNames,
} from '../core/platform/migrations.ts'
import { Pool } from '../core/platform/pool.ts'
import { findUnusable, serviceSettings, settingsInJson } from '../core/platform/session-settings.ts'
import type { SessionSettings } from '../core/platform/session-settings.ts'
import { singleRow } from '../core/platform/single-row.ts'
import { findMissingQueueTables } from '../core/queue/queue-backend.ts'

interface Wait {
  /**
   * As the role of the service: a role that may not log in yet is waited for too. Never by way of a pooler, which would
   * keep a session that has begun too early.
   */
  directUrl: string
  /** Whether the role must have its settings, because a pooler opens its sessions. */
  hasPooler: boolean
  hasQueueTables: boolean
  /** Gets the reason for the waiting as a sentence, once until it changes. */
  report: (reason: string) => void
  stopping: AbortSignal
  timeoutMs?: number
}

/** A migration of large tables takes its time. The orchestrator begins a new wait after this one. */
const waitMs = 600_000
const lookEveryMs = 1_000
/** For one look, from connecting to the answer. */
const lookTimeoutMs = 5_000

/**
 * Resolves when the database has every migration of this version, and with `hasQueueTables` those of the queues. It
 * changes nothing. Rejects with the last reason when that takes longer than `timeoutMs`, or when `stopping` is aborted.
 */
export async function waitForSchema({
  report,
  stopping,
  timeoutMs = waitMs,
  ...target
}: Wait): Promise<void> {
  const needed = readMigrationNames()
  const end = monotonicMs() + timeoutMs
  let said: string | undefined
  for (;;) {
    const problem = await look(target, needed)
    if (problem === undefined) return
    const reason = String(describeError(problem)['message'])
    if (stopping.aborted) throw new Error(`stopped while waiting: ${reason}`)
    if (monotonicMs() + lookEveryMs > end) throw new Error(reason, { cause: problem })
    if (reason !== said) report(reason)
    said = reason
    await pause(lookEveryMs, undefined, { signal: stopping }).catch(() => undefined) // the next look is the last one
  }
}

/** The reason to wait on, or undefined if there is not one. */
async function look(
  { directUrl, hasPooler, hasQueueTables }: Pick<Wait, 'directUrl' | 'hasPooler' | 'hasQueueTables'>,
  needed: readonly string[],
): Promise<unknown> {
  // A connection of its own each time: the role may be made meanwhile, and the address may move to another server.
  const pool = new Pool(
    {
      connectionString: directUrl,
      max: 1,
      connectionTimeoutMillis: lookTimeoutMs,
      query_timeout: lookTimeoutMs,
    },
    () => undefined, // a lost idle connection shows again, with its reason, in the next query
  )
  try {
    const client = await pool.connect()
    try {
      if ((await findMissingMigrations(client, needed)).length > 0)
        return new NotMigratedError(lacksMigrations)
      if (hasQueueTables && (await findMissingQueueTables(client)).length > 0)
        return new NotMigratedError('the database lacks tables of the queues')
      if (hasPooler && (await findMissingSettings(client)).length > 0)
        return new NotMigratedError('the role in DATABASE_URL lacks the settings of the service')
      return undefined
    } finally {
      client.release(true)
    }
  } catch (error) {
    return translateDriverError(error)
  } finally {
    await pool.end()
  }
}

async function findMissingSettings(client: pg.PoolClient): Promise<string[]> {
  const { rows } = await client.query<{ settings: SessionSettings }>(
    `SELECT ${settingsInJson(serviceSettings)} AS settings`,
  )
  return findUnusable(serviceSettings, singleRow(rows).settings)
}
