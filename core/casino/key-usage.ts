import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import type { Logger } from '../platform/logger.ts'
import { batchInput, float8, text } from '../platform/sql.ts'

export interface KeyUsage {
  /** Remembers that the key was used just now. Writes nothing yet. */
  record(keyId: string): void
  /** Writes what was remembered. Called by itself every half a minute while there is something. */
  flush(): Promise<void>
  /** Writes what is left. */
  stop(): Promise<void>
}

/** Nobody needs to know the last use of a key more exactly; it is one small statement for all keys. */
const flushEveryMs = 30_000

/** When each key was last used: in memory first, so that a request costs no write. */
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
      deps.log.warn({ err: error }, 'could not write when API keys were last used')
      // Kept for the next time, but for what is known better by now.
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

/** In the order of ids, so that processes do not wait for each other in a circle. Never sets a time back. */
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
