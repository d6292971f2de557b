import { timingSafeEqual } from 'node:crypto'
import { createBatcher } from '../batch/batcher.ts'
import type { Settled } from '../batch/batcher.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import { textArray } from '../platform/sql.ts'
import { parseNetworks } from './allowed-addresses.ts'
import type { Network } from './allowed-addresses.ts'
import { hashApiKeySecret, parseApiKey } from './api-key.ts'
import type { ApiKeyMode, ApiKeyScope } from './api-key.ts'
import { parseStoredValue } from './setting-values.ts'
import type { SettingValues } from './setting-values.ts'

/** A casino that has shown a valid key. */
export interface Caller {
  /** The casino that the key reaches: with a test key a sandbox. */
  casinoId: string
  /** With a test key the casino whose sandbox that is; null with a live one. */
  sandboxOf: string | null
  keyId: string
  scopes: readonly ApiKeyScope[]
  /** The three operations are refused without an Idempotency-Key. */
  requiresIdempotencyKey: boolean
  /** Where the key may be used from; null for anywhere. */
  allowedNetworks: readonly Network[] | null
  /** What the setting of the casino says about limits, with a test key that of its sandbox's casino; nothing about most. */
  limits: SettingValues['limits']
  /** What the sandbox's own setting says; nothing with a live key. */
  sandboxLimits: SettingValues['limits']
}

/** Told of what is stored for a casino and cannot be read. */
interface SettingLog {
  error(fields: object, message: string): void
}

/** Resolves a key to its casino; undefined when the key is unknown, wrong, expired or revoked. */
export type FindCaller = (apiKey: string) => Promise<Caller | undefined>

/** A revoked key stops working everywhere within this time. */
const cacheMs = 2_000
/** A bound for those who try many ids; real keys are fewer. */
const cacheSizeMax = 10_000

interface StoredKey {
  casinoId: string
  sandboxOf: string | null
  mode: ApiKeyMode
  scopes: readonly ApiKeyScope[]
  requiresIdempotencyKey: boolean
  secretHash: Uint8Array
  expiresAt: Date | null
  revokedAt: Date | null
  allowedNetworks: readonly Network[] | null
  limits: SettingValues['limits']
  sandboxLimits: SettingValues['limits']
}

/** Of the connections that requests share. A second look-up need not wait for one that hangs. */
const lookUpsMax = 2

/** Keys that nobody has looked up lately are looked up together, so that who tries many ids takes few connections. */
export function createFindCaller(deps: {
  database: Database
  clock: Clock
  hashSecret: string
  log: SettingLog
}): FindCaller {
  const loads = createBatcher<string, StoredKey | null>({
    process: (keyIds) => loadKeys(deps, keyIds),
    exclusiveKeyOf: (keyId) => keyId,
    inFlightMax: lookUpsMax,
    worthwhileSize: 1,
  })
  const cache = new Map<string, { storedKey: Promise<StoredKey | null>; askedAt: number }>()

  /** Concurrent callers share one look-up, found or not. */
  const loadCached = (keyId: string, now: number): Promise<StoredKey | null> => {
    const cached = cache.get(keyId)
    const ageMs = now - (cached?.askedAt ?? now)
    // From before the clock was put back it may be of any age.
    if (cached !== undefined && ageMs >= 0 && ageMs < cacheMs) return cached.storedKey
    const storedKey = loads.run(keyId)
    if (cache.size >= cacheSizeMax) cache.clear()
    cache.set(keyId, { storedKey, askedAt: now })
    storedKey.catch(() => cache.delete(keyId)) // the caller hears of the error; the next one tries again
    return storedKey
  }

  return async (text) => {
    const key = parseApiKey(text)
    if (key === undefined) return undefined
    const stored = await loadCached(key.id, deps.clock.now().getTime())
    if (stored === null || stored.revokedAt !== null) return undefined
    if (stored.expiresAt !== null && stored.expiresAt <= deps.clock.now()) return undefined
    if (!timingSafeEqual(hashApiKeySecret(deps.hashSecret, key), stored.secretHash)) return undefined
    const { casinoId, sandboxOf, mode, scopes, requiresIdempotencyKey, allowedNetworks } = stored
    const { limits, sandboxLimits } = stored
    // A test key reaches a sandbox and a live key never does. A row that says otherwise is a mistake: the key is none.
    if (mode !== key.mode || (mode === 'test') !== (sandboxOf !== null)) return undefined
    return {
      casinoId,
      sandboxOf,
      keyId: key.id,
      scopes,
      requiresIdempotencyKey,
      allowedNetworks,
      limits,
      sandboxLimits,
    }
  }
}

/** What is read of a key. */
interface KeyRow {
  id: string
  casinoId: string
  sandboxOf: string | null
  /** The settings of the casino (of a sandbox's casino) and of the sandbox, null without one. */
  limits: unknown
  sandboxLimits: unknown
  mode: ApiKeyMode
  scopes: ApiKeyScope[]
  requiresIdempotencyKey: boolean
  secretHash: Uint8Array
  expiresAt: Date | null
  revokedAt: Date | null
  allowedAddresses: string[]
}

/** One statement, whose text is the same for any number of keys: each connection keeps it prepared. */
async function loadKeys(
  { database, log }: { database: Database; log: SettingLog },
  keyIds: readonly string[],
): Promise<Settled<StoredKey | null>[]> {
  const rows = await database.$queryRaw<KeyRow[]>`
    SELECT key.id, key.casino_id AS "casinoId", casino.sandbox_of AS "sandboxOf", setting.value AS limits,
           sandbox_setting.value AS "sandboxLimits", key.mode,
           key.scopes, key.requires_idempotency_key AS "requiresIdempotencyKey", key.secret_hash AS "secretHash",
           key.expires_at AS "expiresAt", key.revoked_at AS "revokedAt", key.allowed_addresses AS "allowedAddresses"
      FROM api_key AS key
      JOIN casino ON casino.id = key.casino_id
      LEFT JOIN casino_setting AS setting
        ON setting.casino_id = COALESCE(casino.sandbox_of, casino.id) AND setting.name = 'limits'
      LEFT JOIN casino_setting AS sandbox_setting
        ON sandbox_setting.casino_id = casino.id AND sandbox_setting.name = 'limits' AND casino.sandbox_of IS NOT NULL
     WHERE key.id = ANY(${textArray(keyIds)})`
  const rowsById = new Map(rows.map((row) => [row.id, row]))
  return keyIds.map((keyId) => {
    const row = rowsById.get(keyId)
    try {
      return { value: row === undefined ? null : toStoredKey(row, log) }
    } catch (error) {
      return { error } // of this key alone
    }
  })
}

function toStoredKey(
  { allowedAddresses, limits, sandboxLimits, ...key }: KeyRow,
  log: SettingLog,
): StoredKey {
  return {
    ...key,
    allowedNetworks: allowedAddresses.length === 0 ? null : parseNetworks(allowedAddresses),
    limits: readLimits(key.sandboxOf ?? key.casinoId, limits, log),
    sandboxLimits: readLimits(key.casinoId, sandboxLimits, log),
  }
}

/** What cannot be read says nothing: the limits are those of all casinos then, and the log has it. */
function readLimits(casinoId: string, stored: unknown, log: SettingLog): SettingValues['limits'] {
  const limits = parseStoredValue('limits', stored ?? {})
  if (limits === undefined) log.error({ casinoId, setting: 'limits' }, 'setting unreadable')
  return limits ?? {}
}
