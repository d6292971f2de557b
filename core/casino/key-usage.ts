import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import type { Logger } from '../platform/logger.ts'
import { batchInput, float8, text } from '../platform/sql.ts'

export interface KeyUsage {
  /** Records in memory that the key was used now. */
  record(keyId: string): void
  /** Writes the recorded uses. Called automatically every half a minute, if there are any. */
  flush(): Promise<void>
  /** Writes the remaining ones. */
  stop(): Promise<void>
}

/** Last use is shown only to this precision; one small statement covers all keys. */
const flushEveryMs = 30_000

/** The time of each key's last use: in memory first, so that a request costs no write. */
export function createKeyUsage(deps: { database: Database; clock: Clock; log: Logger }): KeyUsage {
  let usedAtMs = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined

  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    if (usedAtMs.size === 0) return
    const written = usedAtMs
    usedAtMs = new Map()
    try {
      await storeUsage(deps.database, written)
    } catch (error) {
      deps.log.warn({ err: error }, 'last use of API keys not written')
      // Kept for the next time, unless there is a newer time by now.
      usedAtMs = new Map([...written, ...usedAtMs])
      schedule()
    }
  }

  function schedule(): void {
    timer ??= setTimeout(() => void flush(), flushEveryMs).unref()
  }

  return {
    record: (keyId) => {
      usedAtMs.set(keyId, deps.clock.now().getTime())
      schedule()
    },
    flush,
    stop: async () => {
      await flush()
      clearTimeout(timer)
    },
  }
}

/** In the order of ids, to avoid deadlocks between processes. Never sets a time back. */
async function storeUsage(database: Database, usedAtMs: ReadonlyMap<string, number>): Promise<void> {
  const uses = [...usedAtMs].sort(([a], [b]) => (a < b ? -1 : 1))
  await database.$executeRaw`
    WITH input AS (
      SELECT id, to_timestamp(used_at_ms / 1000) AS used_at
        FROM ${batchInput(uses, {
          id: text(([id]) => id),
          used_at_ms: float8(([, ms]) => ms),
        })}
    ),
    locked AS (
      SELECT api_key.id, input.used_at
        FROM input JOIN api_key ON api_key.id = input.id
       WHERE api_key.last_used_at IS NULL OR api_key.last_used_at < input.used_at
       ORDER BY api_key.id
         FOR NO KEY UPDATE OF api_key
    )
    UPDATE api_key SET last_used_at = locked.used_at FROM locked WHERE api_key.id = locked.id`
}
