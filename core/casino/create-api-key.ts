import { heldClaim, markedClaim } from '../idempotency/claim-steps.ts'
import type { HeldClaim } from '../idempotency/claim-steps.ts'
import { singleRow } from '../platform/single-row.ts'
import { instant, sql, textArray } from '../platform/sql.ts'
import { insertInto } from '../platform/sql-insert.ts'
import type { ApiKeyMode, ApiKeyScope } from './api-key.ts'
import { shownColumns } from './api-keys.ts'
import type { ApiKeyRecord } from './api-keys.ts'
import { inCasinoTurn } from './casino-turn.ts'
import type { KeyBounds } from './key-bounds.ts'
import {
  countLive,
  findBounds,
  isDaySpent,
  isLive,
  liveKeysMax,
  makeKey,
  recordOf,
  refuseExceeding,
} from './new-api-key.ts'
import type { ApiKeysDeps, KeyMaker, NewApiKey, Outcome } from './new-api-key.ts'

/** The properties of a new key. A test key's casino is a sandbox. */
export interface ApiKeyWish {
  casinoId: string
  mode: ApiKeyMode
  name: string | null
  scopes: readonly ApiKeyScope[]
  /** The three operations require an Idempotency-Key. */
  requiresIdempotencyKey: boolean
  /** Null for the expiry of the creating key. */
  expiresAt: Date | null
  /** Canonical (`normaliseNetwork`); null for those of the creating key. */
  allowedAddresses: readonly string[] | null
  maker: KeyMaker
  claim: HeldClaim | undefined
}

/**
 * Creates a key. One that is created by a key expires no later than it, and works only from its addresses. Throws
 * `api_key_limit`, `api_key_invalid` if the creating key has just been revoked or has expired, or a KeyBoundError.
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
  const key = makeKey(hashSecret, wanted.mode)
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
             ${isDaySpent(wanted.casinoId, wanted.maker, now)} AS is_spent,
             ${makerId}::text IS NULL OR EXISTS (SELECT FROM maker) AS is_allowed
    ),
    created AS (
      ${insertInto('api_key', {
        from: sql`claim_held CROSS JOIN leave
       WHERE leave.has_room AND leave.is_allowed AND NOT leave.is_spent`,
        columns: {
          id: sql`${key.id}::text`,
          casino_id: sql`${wanted.casinoId}::text`,
          name: sql`${wanted.name}::text`,
          mode: sql`${wanted.mode}::text`,
          scopes: textArray(wanted.scopes),
          requires_idempotency_key: sql`${wanted.requiresIdempotencyKey}::boolean`,
          secret_hash: sql`${key.stored}::bytea`,
          created_at: instant(now),
          expires_at: sql`LEAST(${instant(bounds.expiresAt)}, (SELECT expires_at FROM maker))`,
          allowed_addresses: textArray(bounds.allowedAddresses),
          created_by: sql`COALESCE(${makerId}::text, 'admin')`,
        },
      })}
      RETURNING *
    ),
    ${markedClaim(wanted.claim, 'created')}
    SELECT leave.has_room AS "hasRoom", leave.is_spent AS "isSpent", leave.is_allowed AS "isAllowed", id IS NOT NULL AS "isMade",
           ${shownColumns}
      FROM leave LEFT JOIN created ON true`,
  )
  return { record: recordOf(singleRow(rows)), apiKey: key.apiKey }
}
