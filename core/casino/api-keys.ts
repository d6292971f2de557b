import { RewardsError } from '../errors.ts'
import { listSql, toPage } from '../page.ts'
import type { ListRequest, Page } from '../page.ts'
import { heldClaim, markedClaim } from '../idempotency/claim-steps.ts'
import type { HeldClaim } from '../idempotency/claim-steps.ts'
import type { Database } from '../platform/database.ts'
import { singleRow } from '../platform/single-row.ts'
import { instant, sql, textArray } from '../platform/sql.ts'
import { formatApiKey, generateApiKey, hashApiKeySecret } from './api-key.ts'
import type { ApiKeyMode, ApiKeyScope } from './api-key.ts'

/** A key as it may be shown at any time: without its secret. */
export interface ApiKeyRecord {
  id: string
  name: string | null
  mode: string
  scopes: string[]
  requiresIdempotencyKey: boolean
  createdAt: Date
  expiresAt: Date | null
  revokedAt: Date | null
  /** Networks in CIDR form; empty for anywhere. */
  allowedAddresses: string[]
  /** Half a minute late at most; null while it was never used. */
  lastUsedAt: Date | null
}

/** A key together with the text that its holder sends, which exists only in this answer. */
export interface NewApiKey {
  record: ApiKeyRecord
  apiKey: string
}

export interface ApiKeysDeps {
  database: Database
  hashSecret: string
}

const shown = {
  id: true,
  name: true,
  mode: true,
  scopes: true,
  requiresIdempotencyKey: true,
  createdAt: true,
  expiresAt: true,
  revokedAt: true,
  allowedAddresses: true,
  lastUsedAt: true,
}

const shownColumns = sql`id, name, mode, scopes, requires_idempotency_key AS "requiresIdempotencyKey",
           created_at AS "createdAt", expires_at AS "expiresAt", revoked_at AS "revokedAt",
           allowed_addresses AS "allowedAddresses", last_used_at AS "lastUsedAt"`

/** What a new key shall be. A test key's casino is a sandbox. */
export interface ApiKeyWish {
  casinoId: string
  mode: ApiKeyMode
  name: string | null
  scopes: readonly ApiKeyScope[]
  /** The three operations are refused without an Idempotency-Key. */
  requiresIdempotencyKey: boolean
  expiresAt: Date | null
  /** As `normaliseNetwork` writes them. */
  allowedAddresses: readonly string[]
  claim: HeldClaim | undefined
}

export async function createApiKey(
  { database, hashSecret }: ApiKeysDeps,
  now: Date,
  wanted: ApiKeyWish,
): Promise<NewApiKey> {
  const key = generateApiKey(wanted.mode)
  const rows = await database.$queryRaw<ApiKeyRecord[]>`
    WITH ${heldClaim(wanted.claim)},
    created AS (
      INSERT INTO api_key (id, casino_id, name, mode, scopes, requires_idempotency_key, secret_hash, created_at,
                           expires_at, allowed_addresses)
      SELECT ${key.id}::text, ${wanted.casinoId}::text, ${wanted.name}::text, ${wanted.mode}::text,
             ${textArray(wanted.scopes)}, ${wanted.requiresIdempotencyKey}::boolean,
             ${hashApiKeySecret(hashSecret, key)}::bytea, ${instant(now)}, ${instant(wanted.expiresAt)},
             ${textArray(wanted.allowedAddresses)}
        FROM claim_held
      RETURNING *
    ),
    ${markedClaim(wanted.claim, 'created')}
    SELECT ${shownColumns} FROM created`
  return { record: singleRow(rows), apiKey: formatApiKey(key) }
}

/** All keys of the casino and of its sandbox, also those that are expired or revoked. */
export async function listApiKeys(
  database: Database,
  casinoId: string,
  page: ListRequest,
): Promise<Page<ApiKeyRecord>> {
  const { conditions, direction } = listSql(page, { id: sql`id`, createdAt: sql`created_at` })
  const limit = sql`LIMIT ${page.limit + 1}::int`
  const rows = await database.$queryRaw<ApiKeyRecord[]>`
    SELECT api_key.*
      FROM casino
     CROSS JOIN LATERAL (
       SELECT ${shownColumns} FROM api_key
        WHERE api_key.casino_id = casino.id ${conditions}
        ORDER BY casino_id ${direction}, id ${direction} ${limit}
     ) AS api_key
     WHERE casino.id = ${casinoId}::text OR casino.sandbox_of = ${casinoId}::text
     ORDER BY api_key.id ${direction} ${limit}`
  return toPage(rows, page)
}

/** Ends a key at once (see `createFindCaller` for how soon that is). Doing it again changes nothing. Throws `api_key_unknown`. */
export async function revokeApiKey(
  database: Database,
  now: Date,
  { casinoId, keyId }: { casinoId: string; keyId: string },
): Promise<ApiKeyRecord> {
  await database.apiKey.updateMany({
    where: { ...ofCasino(casinoId), id: keyId, revokedAt: null },
    data: { revokedAt: now },
  })
  return getApiKey(database, casinoId, keyId)
}

/**
 * Replaces a key: a new one with the same name, mode, scopes and, unless told otherwise, allowed addresses and need of an
 * Idempotency-Key, while the old one lives on for `overlapMs` and no longer. The new key expires when the old one would have, unless told otherwise: rotating must not make a temporary key
 * permanent. Throws `api_key_unknown`, or `transition_illegal` when the old key is expired or revoked.
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
    claim: HeldClaim | undefined
  },
): Promise<NewApiKey> {
  // A key's mode and casino never change, so what is read here holds in the statement below.
  const { mode } = await getApiKey(database, wanted.casinoId, wanted.keyId)
  const key = generateApiKey(mode === 'test' ? 'test' : 'live')
  const oldEndsAt = new Date(now.getTime() + wanted.overlapMs)
  const rows = await database.$queryRaw<ApiKeyRecord[]>`
    WITH ${heldClaim(wanted.claim)},
    old AS (
      SELECT id, casino_id, name, mode, scopes, requires_idempotency_key, expires_at, allowed_addresses FROM api_key
       WHERE id = ${wanted.keyId}::text AND mode = ${key.mode}::text AND revoked_at IS NULL
         AND (expires_at IS NULL OR expires_at > ${instant(now)}) AND EXISTS (SELECT FROM claim_held)
         FOR UPDATE
    ),
    old_shortened AS (
      UPDATE api_key SET expires_at = LEAST(old.expires_at, ${instant(oldEndsAt)})
        FROM old WHERE api_key.id = old.id
    ),
    rotated AS (
      INSERT INTO api_key (id, casino_id, name, mode, scopes, requires_idempotency_key, secret_hash, created_at,
                           expires_at, allowed_addresses)
      SELECT ${key.id}::text, casino_id, name, mode, scopes,
             COALESCE(${wanted.requiresIdempotencyKey}::boolean, requires_idempotency_key),
             ${hashApiKeySecret(hashSecret, key)}::bytea, ${instant(now)},
             COALESCE(${instant(wanted.expiresAt)}, expires_at),
             COALESCE(${textArray(wanted.allowedAddresses)}, allowed_addresses)
        FROM old
      RETURNING *
    ),
    ${markedClaim(wanted.claim, 'rotated')}
    SELECT ${shownColumns} FROM rotated`
  if (rows.length === 0) {
    throw new RewardsError('transition_illegal', 'The API key is expired or revoked')
  }
  return { record: singleRow(rows), apiKey: formatApiKey(key) }
}

async function getApiKey(database: Database, casinoId: string, keyId: string): Promise<ApiKeyRecord> {
  const record = await database.apiKey.findFirst({
    where: { ...ofCasino(casinoId), id: keyId },
    select: shown,
  })
  if (record === null) throw new RewardsError('api_key_unknown')
  return record
}

/** A casino's keys are its own and its sandbox's; a sandbox's are its own only. */
function ofCasino(casinoId: string) {
  return { casino: { OR: [{ id: casinoId }, { sandboxOf: casinoId }] } }
}
