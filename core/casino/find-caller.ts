import { timingSafeEqual } from 'node:crypto'
import { createBatcher } from '../batch/batcher.ts'
import type { Settled } from '../batch/batcher.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import { textArray } from '../platform/sql.ts'
import { parseNetworks } from './allowed-addresses.ts'
import type { Network } from './allowed-addresses.ts'
import { hashApiKeySecret, keyIdIn, parseApiKey } from './api-key.ts'
import type { ApiKeyMode, ApiKeyScope } from './api-key.ts'
import { parseStoredValue } from './setting-values.ts'
import type { SettingValues } from './setting-values.ts'

/** A casino that was authenticated by a key. Requests share it. */
export interface Caller {
  /** The casino that the key gives access to: a sandbox for a test key. */
  readonly casinoId: string
  /** For a test key, the casino of the sandbox; null for a live key. */
  readonly sandboxOf: string | null
  readonly keyId: string
  readonly scopes: readonly ApiKeyScope[]
  /** The three operations require an Idempotency-Key. */
  readonly requiresIdempotencyKey: boolean
  /** The networks that the key works from; null for any. */
  readonly allowedNetworks: readonly Network[] | null
  /** The limits that the casino's setting overrides; for a test key, those of the sandbox's casino. */
  readonly limits: SettingValues['limits']
  /** The limits that the sandbox's own setting overrides; empty for a live key. */
  readonly sandboxLimits: SettingValues['limits']
}

/** Reports stored settings that cannot be read. */
interface SettingLog {
  error(fields: object, message: string): void
}

/** Resolves a key to its casino; undefined if the key is unknown, wrong, expired or revoked. */
export type FindCaller = (apiKey: string) => Promise<Caller | undefined>

/** A revoked key stops working in every process within this time. */
const cacheMs = 2_000
/** The limit against guessed ids; there are fewer real keys. */
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

/** The part of the shared connections used for it. A second look-up must not wait for one that hangs. */
const lookUpsMax = 2

/** Keys that are not cached are looked up together, so that guessed ids use few connections. */
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
  const cache = new Map<string, Cached>()

  const findCached = (keyId: string, now: number): Cached | undefined => {
    const cached = cache.get(keyId)
    const ageMs = now - (cached?.askedAt ?? now)
    // After the clock was set back, its age is unknown.
    return ageMs >= 0 && ageMs < cacheMs ? cached : undefined
  }
  /** Concurrent callers share one look-up, found or not. */
  const lookUp = (keyId: string, now: number): Cached => {
    const asked: Cached = { storedKey: loads.run(keyId), askedAt: now, proven: undefined }
    if (cache.size >= cacheSizeMax) cache.clear()
    cache.set(keyId, asked)
    asked.storedKey.catch(() => cache.delete(keyId)) // the caller gets the error; the next one tries again
    return asked
  }

  return async (text) => {
    const now = deps.clock.now()
    const cached = findCached(keyIdIn(text), now.getTime())
    if (cached?.proven !== undefined && isSameText(text, cached.proven.text)) {
      const { caller, expiresAt } = cached.proven
      return isOver(expiresAt, now) ? undefined : caller
    }
    const key = parseApiKey(text)
    if (key === undefined) return undefined
    const found = cached ?? lookUp(key.id, now.getTime())
    const stored = await found.storedKey
    if (stored === null || stored.revokedAt !== null || isOver(stored.expiresAt, deps.clock.now())) {
      return undefined
    }
    if (!timingSafeEqual(hashApiKeySecret(deps.hashSecret, key), stored.secretHash)) return undefined
    const { casinoId, sandboxOf, mode, scopes, requiresIdempotencyKey, allowedNetworks } = stored
    const { limits, sandboxLimits } = stored
    // A test key leads to a sandbox, and a live key never does. A row that contradicts this is a mistake: the key is
    // refused.
    if (mode !== key.mode || (mode === 'test') !== (sandboxOf !== null)) return undefined
    const caller: Caller = {
      casinoId,
      sandboxOf,
      keyId: key.id,
      scopes,
      requiresIdempotencyKey,
      allowedNetworks,
      limits,
      sandboxLimits,
    }
    if (found.proven === undefined)
      remember(found, { text: Buffer.from(text), caller, expiresAt: stored.expiresAt })
    return caller
  }
}

/** A look-up that answers for `cacheMs`, and the text that it has proven: the same text again needs no hash. */
interface Cached {
  storedKey: Promise<StoredKey | null>
  askedAt: number
  proven: Proven | undefined
}

interface Proven {
  text: Buffer
  caller: Caller
  expiresAt: Date | null
}

/** Not for longer: nobody may ask for the key again, and its text would stay in memory. */
function remember(found: Cached, proven: Proven): void {
  found.proven = proven
  setTimeout(() => {
    found.proven = undefined
  }, cacheMs).unref()
}

function isOver(expiresAt: Date | null, now: Date): boolean {
  return expiresAt !== null && expiresAt <= now
}

/** In constant time, for texts of one length. */
function isSameText(given: string, proven: Buffer): boolean {
  const bytes = Buffer.from(given)
  return bytes.length === proven.length && timingSafeEqual(bytes, proven)
}

/** The columns read of a key. */
interface KeyRow {
  id: string
  casinoId: string
  sandboxOf: string | null
  /** The settings of the casino (or of a sandbox's casino) and of the sandbox; null without one. */
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

/** One statement with the same text for any number of keys, so that each connection keeps it prepared. */
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

/** An unreadable setting is logged, and the default limits apply. */
function readLimits(casinoId: string, stored: unknown, log: SettingLog): SettingValues['limits'] {
  const limits = parseStoredValue('limits', stored ?? {})
  if (limits === undefined) log.error({ casinoId, setting: 'limits' }, 'setting unreadable')
  return limits ?? {}
}
