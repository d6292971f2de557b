import { RewardsError } from '../errors.ts'
import type { Database, Prisma } from '../platform/database.ts'
import { instant, sql } from '../platform/sql.ts'
import { formatApiKey, generateApiKey, hashApiKeySecret } from './api-key.ts'
import type { ApiKeyMode } from './api-key.ts'
import type { ApiKeyRecord } from './api-keys.ts'
import { exceededBound } from './key-bounds.ts'
import type { KeyBounds } from './key-bounds.ts'

/** A key together with the text that its holder sends, which exists only in this answer. */
export interface NewApiKey {
  record: ApiKeyRecord
  apiKey: string
}

export interface ApiKeysDeps {
  database: Database
  hashSecret: string
}

/** Who asks for a key: the service's admin, or the holder of a key. */
export type KeyMaker = 'admin' | { keyId: string }

/**
 * Of a casino and its sandbox together. More are not needed, and each is one more that can leak. docs/operate/limits.md
 * has it.
 */
export const liveKeysMax = 100
/**
 * Keys that keys make or rotate within a day, of a casino and its sandbox together: twice as many as can work. The rows
 * stay, and revoking a key goes through all that came of it. The admin's are not counted. docs/operate/limits.md has
 * it.
 */
export const keysPerDayMax = 200
const dayMs = 86_400_000

/** Says which wish of the caller goes too far. */
export class KeyBoundError extends Error {
  readonly parameter: 'expires_at' | 'allowed_addresses'

  constructor(parameter: 'expires_at' | 'allowed_addresses') {
    super(`${parameter} goes further than that of the key which makes it`)
    this.parameter = parameter
  }
}

/** A key's id, the text that its holder sends, and what is stored instead of its secret. */
export function makeKey(
  hashSecret: string,
  mode: ApiKeyMode,
): { id: string; apiKey: string; stored: Buffer } {
  const key = generateApiKey(mode)
  return { id: key.id, apiKey: formatApiKey(key), stored: hashApiKeySecret(hashSecret, key) }
}

/** What became of the statement that makes a key. */
export interface Outcome {
  hasRoom: boolean
  /** Whether a key has made or rotated as many as keys may in a day. */
  isSpent: boolean
  isAllowed: boolean
  isMade: boolean
}

/** The key that was made. Throws `api_key_invalid` or `api_key_limit`. */
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
      `The casino's keys have made or rotated ${keysPerDayMax} keys within a day, as many as they may`,
    )
  }
  if (!hasRoom) {
    throw new RewardsError(
      'api_key_limit',
      `The casino and its sandbox have ${liveKeysMax} keys that work, as many as they may: revoke one, or rotate one with overlap_seconds 0`,
    )
  }
  if (!isMade) throw new Error('another attempt carries the request out')
  return record
}

/** Throws a KeyBoundError. */
export function refuseExceeding(wanted: KeyBounds, of: KeyBounds | null): void {
  const exceeded = of === null ? null : exceededBound(wanted, of)
  if (exceeded !== null) throw new KeyBoundError(exceeded)
}

/** Throws `api_key_invalid` for a key that there is not. */
export async function findBounds(database: Database, keyId: string): Promise<KeyBounds> {
  const bounds = await database.apiKey.findUnique({
    where: { id: keyId },
    select: { expiresAt: true, allowedAddresses: true },
  })
  if (bounds === null) throw new RewardsError('api_key_invalid')
  return bounds
}

/** Which keys work. The index `api_key_unended` has this expression, so that those that have ended are not looked at. */
export function isLive(now: Date): Prisma.Sql {
  return sql`api_key.revoked_at IS NULL AND COALESCE(api_key.expires_at, 'infinity') > ${instant(now)}`
}

/** How many keys of the casino and its sandbox work. */
export function countLive(casinoId: string, now: Date): Prisma.Sql {
  return countKeys(casinoId, isLive(now))
}

/** Whether keys have made or rotated as many keys of the casino and its sandbox within a day as they may. */
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
