import { RewardsError } from '../errors.ts'
import type { Database, Prisma } from '../platform/database.ts'
import { instant, sql } from '../platform/sql.ts'
import { formatApiKey, generateApiKey, hashApiKeySecret } from './api-key.ts'
import type { ApiKeyMode } from './api-key.ts'
import type { ApiKeyRecord } from './api-keys.ts'
import { exceededBound } from './key-bounds.ts'
import type { KeyBounds } from './key-bounds.ts'

/** A key with its text, which exists only in this answer. */
export interface NewApiKey {
  record: ApiKeyRecord
  apiKey: string
}

export interface ApiKeysDeps {
  database: Database
  hashSecret: string
}

/** The creator of a key: the service's admin, or the holder of a key. */
export type KeyMaker = 'admin' | { keyId: string }

/** The limit for a casino and its sandbox together: each key is one more that can leak. See docs/operate/limits.md. */
export const liveKeysMax = 100
/**
 * The limit of keys that keys create or rotate within a day, for a casino and its sandbox together: twice the number
 * that can be live. Rows are kept, and revoking a key goes through all its descendants. Keys from the admin are not
 * counted. See docs/operate/limits.md.
 */
export const keysPerDayMax = 200
const dayMs = 86_400_000

/** Names the parameter that exceeds its limit. */
export class KeyBoundError extends Error {
  readonly parameter: 'expires_at' | 'allowed_addresses'

  constructor(parameter: 'expires_at' | 'allowed_addresses') {
    super(`${parameter} must not exceed the limits of the key that creates it`)
    this.parameter = parameter
  }
}

/** A key's id, its text, and the stored hash of its secret. */
export function makeKey(
  hashSecret: string,
  mode: ApiKeyMode,
): { id: string; apiKey: string; stored: Buffer } {
  const key = generateApiKey(mode)
  return { id: key.id, apiKey: formatApiKey(key), stored: hashApiKeySecret(hashSecret, key) }
}

/** The result of the statement that creates a key. */
export interface Outcome {
  hasRoom: boolean
  /** True if keys have created or rotated the daily maximum. */
  isSpent: boolean
  isAllowed: boolean
  isMade: boolean
}

/** The created key. Throws `api_key_invalid` or `api_key_limit`. */
export function recordOf({
  hasRoom,
  isSpent,
  isAllowed,
  isMade,
  ...record
}: Outcome & ApiKeyRecord): ApiKeyRecord {
  if (!isAllowed) throw new RewardsError('api_key_invalid')
  if (isSpent) {
    throw new RewardsError(
      'api_key_limit',
      `Keys of the casino have created or rotated the maximum of ${keysPerDayMax} keys within a day: try again later, or ask the operator`,
    )
  }
  if (!hasRoom) {
    throw new RewardsError(
      'api_key_limit',
      `The casino and its sandbox have the maximum of ${liveKeysMax} live keys: revoke one, or rotate one with overlap_seconds 0`,
    )
  }
  if (!isMade) throw new Error('another attempt is processing this request')
  return record
}

/** Throws a KeyBoundError. */
export function refuseExceeding(wanted: KeyBounds, of: KeyBounds | null): void {
  const exceeded = of === null ? null : exceededBound(wanted, of)
  if (exceeded !== null) throw new KeyBoundError(exceeded)
}

/** Throws `api_key_invalid` if the key does not exist. */
export async function findBounds(database: Database, keyId: string): Promise<KeyBounds> {
  const bounds = await database.apiKey.findUnique({
    where: { id: keyId },
    select: { expiresAt: true, allowedAddresses: true },
  })
  if (bounds === null) throw new RewardsError('api_key_invalid')
  return bounds
}

/** The condition of a live key. The index `api_key_unended` has the same expression, so that ended keys are skipped. */
export function isLive(now: Date): Prisma.Sql {
  return sql`api_key.revoked_at IS NULL AND COALESCE(api_key.expires_at, 'infinity') > ${instant(now)}`
}

/** The number of live keys of the casino and its sandbox. */
export function countLive(casinoId: string, now: Date): Prisma.Sql {
  return countKeys(casinoId, isLive(now))
}

/** Whether keys have created or rotated the daily maximum in the casino and its sandbox. */
export function isDaySpent(casinoId: string, maker: KeyMaker, now: Date): Prisma.Sql {
  if (maker === 'admin') return sql`false`
  const isOfDay = sql`COALESCE(api_key.rotated_by, api_key.created_by) <> 'admin'
                 AND api_key.created_at > ${instant(new Date(now.getTime() - dayMs))}`
  return sql`(${countKeys(casinoId, isOfDay)}) >= ${keysPerDayMax}::int`
}

function countKeys(casinoId: string, condition: Prisma.Sql): Prisma.Sql {
  return sql`SELECT count(*)
        FROM casino AS named
        JOIN casino ON casino.id = COALESCE(named.sandbox_of, named.id)
                    OR casino.sandbox_of = COALESCE(named.sandbox_of, named.id)
        JOIN api_key ON api_key.casino_id = casino.id AND ${condition}
       WHERE named.id = ${casinoId}::text`
}
