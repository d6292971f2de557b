import { setTimeout } from 'node:timers/promises'
import type pg from 'pg'

/**
 * While a migration waits for a lock, all statements on the same tables wait behind it, or it and a statement wait for
 * each other. So it gives way well before the service's statements do (core/platform/session-settings.ts), and tries
 * again.
 */
const lockTimeoutMs = 100
const briefAttemptsMax = 30
/**
 * After that, longer than the server's `deadlock_timeout` of one second: an autovacuum that is in the way, which may
 * last for hours on a large table, is ended only for somebody who waits that long.
 */
const longLockTimeoutMs = 2_000
const pauseMs = 1_000
/** About a minute and a half. Then an operator has to find the holder of the lock. */
const attemptsMax = briefAttemptsMax + 20

/**
 * Runs the SQL of a migration. Sent whole, it is one transaction; a single statement alone is in none, which indexes that
 * are made CONCURRENTLY need. These wait for others without holding them up, and an index that is given up stays behind
 * half-made: so they wait as long as it takes.
 */
export async function runScript(pool: pg.Pool, script: string): Promise<void> {
  const client = await pool.connect()
  try {
    const isConcurrent = /\bCONCURRENTLY\b/i.test(script.replaceAll(/--.*/g, ''))
    const timeoutMs = (attempt: number) => (attempt <= briefAttemptsMax ? lockTimeoutMs : longLockTimeoutMs)
    for (let attempt = 1; ; attempt++) {
      await client.query(`SET lock_timeout = ${isConcurrent ? 0 : timeoutMs(attempt)}`)
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
