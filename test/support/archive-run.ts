import { openDatabase } from '../../core/platform/database.ts'
import { createLogger } from '../../core/platform/logger.ts'
import { moveMonth } from '../../tools/archive/move-month.ts'
import type { Move } from '../../tools/archive/move-month.ts'
import type { Store } from '../../tools/archive/store.ts'
import type { TestService } from './service.ts'

/** Moves a month as `npm run archive` does, over a connection of its own. */
export async function runArchive(
  service: Pick<TestService, 'deps' | 'env'>,
  store: Store,
  move: Move,
): ReturnType<typeof moveMonth> {
  const log = createLogger('archive', 'silent')
  const url = service.env['DATABASE_URL'] ?? ''
  const { database, clock, ping, close } = openDatabase({ url, poolMax: 1, log, isForScans: true })
  try {
    await ping() // so that the clock is known
    const { hashSecret } = service.deps.config
    return await moveMonth({ database, clock, hashSecret, store }, move)
  } finally {
    await close()
  }
}
