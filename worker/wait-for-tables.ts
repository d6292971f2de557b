import { setTimeout as pause } from 'node:timers/promises'
import { NotMigratedError } from '../core/platform/migrations.ts'
import type { WorkerDeps } from './deps.ts'

/** How soon to check again: after a migration, the work begins within this time. */
const lookEveryMs = 1_000

/**
 * Waits until the database can be worked with: it answers, and has the tables of this version. Before that every job and
 * loop would only fail. Resolves to false when `signal` ends the waiting. A Redis that is away is not waited for: BullMQ
 * does that by itself, and there is work that needs none.
 */
export async function waitForTables(
  { pingDatabase, backend, log }: Pick<WorkerDeps, 'pingDatabase' | 'backend' | 'log'>,
  signal: AbortSignal,
): Promise<boolean> {
  let isSaid = false
  while (!signal.aborted) {
    try {
      await pingDatabase()
      if (backend.kind === 'postgres') await backend.ping()
      return !signal.aborted
    } catch (error) {
      // A missing migration is already logged, with what to do.
      if (!isSaid && !(error instanceof NotMigratedError)) {
        log.warn({ err: error }, 'waiting for the database before any work begins')
        isSaid = true
      }
    }
    await pause(lookEveryMs, undefined, { signal }).catch(() => undefined) // the signal ends the loop
  }
  return false
}
