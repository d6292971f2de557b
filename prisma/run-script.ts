import { setTimeout } from 'node:timers/promises'
import type pg from 'pg'

/**
 * While a migration waits for a lock, all statements on the same tables wait behind it, or it and a statement wait for
 * each other. So it gives way well before the service's statements do (core/platform/session-settings.ts), and tries
 * again.
 */
const lockTimeoutMs = 100
/**
 * Beside a vacuum, after some attempts: longer than the server's `deadlock_timeout` of one second. An autovacuum that is
 * in the way may last for hours on a large table, and is ended only for somebody who waits that long.
 */
const vacuumLockTimeoutMs = 2_000
const briefAttemptsMax = 30
const pauseMs = 1_000
/** About a minute, beside a vacuum a minute and a half. Then an operator has to find the holder of the lock. */
const attemptsMax = 50

/**
 * Runs the SQL of a migration. Sent whole, it is one transaction; a single statement alone is in none, which indexes that
 * are made CONCURRENTLY need. These wait for others without holding them up, and an index that is given up stays behind
 * half-made: so they wait as long as it takes.
 */
export async function runScript(
  pool: pg.Pool,
  script: string,
  briefAttempts = briefAttemptsMax,
): Promise<void> {
  const client = await pool.connect()
  try {
    const isConcurrent = /\bCONCURRENTLY\b/i.test(script.replaceAll(/--.*/g, ''))
    for (let attempt = 1; ; attempt++) {
      const mayWait = attempt > briefAttempts && (await isVacuumed(client, script))
      const timeoutMs = mayWait ? vacuumLockTimeoutMs : lockTimeoutMs
      await client.query(`SET lock_timeout = ${isConcurrent ? 0 : timeoutMs}`)
      try {
        await client.query(script)
        return
      } catch (error) {
        if (attempt === attemptsMax || !isOfLocks(error, isConcurrent)) throw error
      }
      await setTimeout(pauseMs)
    }
  } finally {
    client.release(true) // the setting ends with the session
  }
}

/** A lock did not come in time, or the wait for it was a deadlock, after which nothing of a transaction is left. */
function isOfLocks(error: unknown, isConcurrent: boolean): boolean {
  if (!(error instanceof Error && 'code' in error)) return false
  return error.code === '55P03' || (error.code === '40P01' && !isConcurrent)
}

/** Whether a table that the script names is being vacuumed, or something holds the same lock on it. */
async function isVacuumed(client: pg.PoolClient, script: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `SELECT FROM pg_locks JOIN pg_class ON pg_class.oid = relation
      WHERE mode = 'ShareUpdateExclusiveLock' AND granted AND relkind IN ('r', 'p', 'm')
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND $1 ~ ('\\m' || relname || '\\M') -- as a whole word
      LIMIT 1`,
    [script],
  )
  return rowCount !== 0
}
