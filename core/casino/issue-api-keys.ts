import { RewardsError } from '../errors.ts'
import { heldClaim, markedClaim } from '../idempotency/claim-steps.ts'
import type { HeldClaim } from '../idempotency/claim-steps.ts'
import type { Database, Prisma } from '../platform/database.ts'
import { singleRow } from '../platform/single-row.ts'
import { instant, sql, textArray } from '../platform/sql.ts'
import { formatApiKey, generateApiKey, hashApiKeySecret } from './api-key.ts'
import type { ApiKeyMode, ApiKeyScope } from './api-key.ts'
import { getApiKey, shownColumns } from './api-keys.ts'
import type { ApiKeyRecord } from './api-keys.ts'
import { inCasinoTurn } from './casino-turn.ts'
import { exceededBound } from './key-bounds.ts'
import type { KeyBounds } from './key-bounds.ts'
import { keyLine } from './key-line.ts'

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

/** What a new key shall be. A test key's casino is a sandbox. */
export interface ApiKeyWish {
  casinoId: string
  mode: ApiKeyMode
  name: string | null
  scopes: readonly ApiKeyScope[]
  /** The three operations are refused without an Idempotency-Key. */
  requiresIdempotencyKey: boolean
  /** Null for as long as the maker lives. */
  expiresAt: Date | null
  /** As `normaliseNetwork` writes them; null for those of the maker. */
  allowedAddresses: readonly string[] | null
  maker: KeyMaker
  claim: HeldClaim | undefined
}

/** Of a casino and its sandbox together. More are not needed, and each is one more that can leak. docs/limits.md has it. */
export const liveKeysMax = 100

/** Says which wish of the caller goes too far. */
export class KeyBoundError extends Error {
  readonly parameter: 'expires_at' | 'allowed_addresses'

  constructor(parameter: 'expires_at' | 'allowed_addresses') {
    super(`${parameter} goes further than that of the key which makes it`)
    this.parameter = parameter
  }
}

/**
 * Makes a key. One that is made by a key ends no later than it, and may be used from where it may be used only. Throws
 * `api_key_limit`, `api_key_invalid` when the maker has just been revoked or expired, or a KeyBoundError.
 */
export async function createApiKey(
  { database, hashSecret }: ApiKeysDeps,
  now: Date,
  wanted: ApiKeyWish,
): Promise<NewApiKey> {
  const maker = wanted.maker === 'admin' ? null : await findBounds(database, wanted.maker.keyId)
  const bounds: KeyBounds = {
    expiresAt: wanted.expiresAt ?? maker?.expiresAt ?? null,
    allowedAddresses: wanted.allowedAddresses ?? maker?.allowedAddresses ?? [],
  }
  refuseExceeding(bounds, maker)
  const makerId = wanted.maker === 'admin' ? null : wanted.maker.keyId
  const key = generateApiKey(wanted.mode)
  const rows = await inCasinoTurn(
    database,
    wanted.casinoId,
    [],
    database.$queryRaw<(Outcome & ApiKeyRecord)[]>`
    WITH ${heldClaim(wanted.claim)},
    maker AS (
      SELECT expires_at FROM api_key
       WHERE id = ${makerId}::text AND ${isLive(now)}
    ),
    leave AS (
      SELECT (${countLive(wanted.casinoId, now)}) < ${liveKeysMax}::int AS has_room,
             ${makerId}::text IS NULL OR EXISTS (SELECT FROM maker) AS is_allowed
    ),
    created AS (
      INSERT INTO api_key (id, casino_id, name, mode, scopes, requires_idempotency_key, secret_hash, created_at,
                           expires_at, allowed_addresses, created_by)
      SELECT ${key.id}::text, ${wanted.casinoId}::text, ${wanted.name}::text, ${wanted.mode}::text,
             ${textArray(wanted.scopes)}, ${wanted.requiresIdempotencyKey}::boolean,
             ${hashApiKeySecret(hashSecret, key)}::bytea, ${instant(now)},
             LEAST(${instant(bounds.expiresAt)}, (SELECT expires_at FROM maker)),
             ${textArray(bounds.allowedAddresses)}, COALESCE(${makerId}::text, 'admin')
        FROM claim_held CROSS JOIN leave
       WHERE leave.has_room AND leave.is_allowed
      RETURNING *
    ),
    ${markedClaim(wanted.claim, 'created')}
    SELECT leave.has_room AS "hasRoom", leave.is_allowed AS "isAllowed", id IS NOT NULL AS "isMade",
           ${shownColumns}
      FROM leave LEFT JOIN created ON true`,
  )
  return { record: recordOf(singleRow(rows)), apiKey: formatApiKey(key) }
}

/**
 * Replaces a key: a new one with the same maker, name, mode, scopes and, unless told otherwise, allowed addresses and need
 * of an Idempotency-Key, while the old one lives on for `overlapMs` and no longer. The new key expires when the old one
 * would have, unless the admin says otherwise: rotating must not make a temporary key permanent. What the old one made ends
 * with the new one at the latest. A key can be rotated only by one that reaches as far. Throws `api_key_unknown`, `api_key_wider`, `api_key_limit`, a KeyBoundError, or
 * `transition_illegal` when the old key is expired or revoked.
 */
export async function rotateApiKey(
  { database, hashSecret }: ApiKeysDeps,
  now: Date,
  wanted: {
    casinoId: string
    keyId: string
    overlapMs: number
    expiresAt: Date | null
    allowedAddresses: readonly string[] | null
    requiresIdempotencyKey: boolean | null
    maker: KeyMaker
    claim: HeldClaim | undefined
  },
): Promise<NewApiKey> {
  // All but the expiry of a key never changes, and that only comes nearer: what is read here holds in the statement below.
  const old = await getApiKey(database, wanted.casinoId, wanted.keyId)
  await refuseWiderSuccessor(database, old, wanted)
  const key = generateApiKey(old.mode === 'test' ? 'test' : 'live')
  const oldEndsAt = new Date(now.getTime() + wanted.overlapMs)
  const rows = await inCasinoTurn(
    database,
    wanted.casinoId,
    [],
    database.$queryRaw<(Outcome & ApiKeyRecord)[]>`
    WITH RECURSIVE ${heldClaim(wanted.claim)},
    old AS (
      SELECT id, casino_id, name, mode, scopes, requires_idempotency_key, expires_at, allowed_addresses, created_by
        FROM api_key
       WHERE id = ${wanted.keyId}::text AND mode = ${key.mode}::text AND ${isLive(now)}
         AND EXISTS (SELECT FROM claim_held)
         FOR UPDATE
    ),
    leave AS (
      SELECT (${countLive(wanted.casinoId, now)}) - ${wanted.overlapMs === 0 ? 1 : 0}::int < ${liveKeysMax}::int
               AS has_room,
             EXISTS (SELECT FROM old) AS is_allowed
    ),
    old_shortened AS (
      UPDATE api_key SET expires_at = LEAST(old.expires_at, ${instant(oldEndsAt)})
        FROM old CROSS JOIN leave WHERE api_key.id = old.id AND leave.has_room
    ),
    rotated AS (
      INSERT INTO api_key (id, casino_id, name, mode, scopes, requires_idempotency_key, secret_hash, created_at,
                           expires_at, allowed_addresses, created_by, rotated_from)
      SELECT ${key.id}::text, casino_id, name, mode, scopes,
             COALESCE(${wanted.requiresIdempotencyKey}::boolean, requires_idempotency_key),
             ${hashApiKeySecret(hashSecret, key)}::bytea, ${instant(now)},
             COALESCE(${instant(wanted.expiresAt)}, expires_at),
             COALESCE(${textArray(wanted.allowedAddresses)}, allowed_addresses), created_by, id
        FROM old CROSS JOIN leave WHERE leave.has_room
      RETURNING *
    ),
    ${keyLine(wanted.keyId)},
    made_shortened AS (
      UPDATE api_key SET expires_at = LEAST(api_key.expires_at, rotated.expires_at)
        FROM rotated
       WHERE api_key.id IN (SELECT id FROM line WHERE ends) AND api_key.id <> ${wanted.keyId}::text
         AND rotated.expires_at IS NOT NULL
    ),
    ${markedClaim(wanted.claim, 'rotated')}
    SELECT leave.has_room AS "hasRoom", leave.is_allowed AS "isAllowed", id IS NOT NULL AS "isMade",
           ${shownColumns}
      FROM leave LEFT JOIN rotated ON true`,
  )
  const row = singleRow(rows)
  if (!row.isAllowed) throw new RewardsError('transition_illegal', 'The API key is expired or revoked')
  return { record: recordOf(row), apiKey: formatApiKey(key) }
}

interface Outcome {
  hasRoom: boolean
  isAllowed: boolean
  isMade: boolean
}

function recordOf({ hasRoom, isAllowed, isMade, ...record }: Outcome & ApiKeyRecord): ApiKeyRecord {
  if (!isAllowed) throw new RewardsError('api_key_invalid')
  if (!hasRoom) {
    throw new RewardsError(
      'api_key_limit',
      `The casino and its sandbox have ${liveKeysMax} keys that work, as many as they may: revoke one, or rotate one with overlap_seconds 0`,
    )
  }
  if (!isMade) throw new Error('another attempt carries the request out')
  return record
}

/** Who asks must reach as far as the key does, and the successor no further than they, the key's maker, and the key's end. */
async function refuseWiderSuccessor(
  database: Database,
  old: ApiKeyRecord,
  wanted: { expiresAt: Date | null; allowedAddresses: readonly string[] | null; maker: KeyMaker },
): Promise<void> {
  const successor: KeyBounds = {
    expiresAt: wanted.expiresAt ?? old.expiresAt,
    allowedAddresses: wanted.allowedAddresses ?? old.allowedAddresses,
  }
  const isMadeByKey = old.createdBy !== null && old.createdBy !== 'admin'
  if (wanted.maker !== 'admin') {
    const caller = await findBounds(database, wanted.maker.keyId)
    if (exceededBound(old, caller) !== null) throw new RewardsError('api_key_wider')
    refuseExceeding(successor, caller)
  }
  if (isMadeByKey) {
    const { allowedAddresses } = await findBounds(database, old.createdBy ?? '')
    refuseExceeding(successor, { expiresAt: null, allowedAddresses })
  }
  if (isMadeByKey || wanted.maker !== 'admin') {
    refuseExceeding(successor, { expiresAt: old.expiresAt, allowedAddresses: [] })
  }
}

function refuseExceeding(wanted: KeyBounds, of: KeyBounds | null): void {
  const exceeded = of === null ? null : exceededBound(wanted, of)
  if (exceeded !== null) throw new KeyBoundError(exceeded)
}

/** Throws `api_key_invalid` for a key that there is not. */
async function findBounds(database: Database, keyId: string): Promise<KeyBounds> {
  const bounds = await database.apiKey.findUnique({
    where: { id: keyId },
    select: { expiresAt: true, allowedAddresses: true },
  })
  if (bounds === null) throw new RewardsError('api_key_invalid')
  return bounds
}

function isLive(now: Date): Prisma.Sql {
  return sql`api_key.revoked_at IS NULL AND (api_key.expires_at IS NULL OR api_key.expires_at > ${instant(now)})`
}

/** How many keys of the casino and its sandbox work. */
function countLive(casinoId: string, now: Date): Prisma.Sql {
  return sql`SELECT count(*)
        FROM casino AS named
        JOIN casino ON casino.id = COALESCE(named.sandbox_of, named.id)
                    OR casino.sandbox_of = COALESCE(named.sandbox_of, named.id)
        JOIN api_key ON api_key.casino_id = casino.id AND ${isLive(now)}
       WHERE named.id = ${casinoId}::text`
}
