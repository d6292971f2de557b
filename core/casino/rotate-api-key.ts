import { RewardsError } from '../errors.ts'
import { heldClaim, markedClaim } from '../idempotency/claim-steps.ts'
import type { HeldClaim } from '../idempotency/claim-steps.ts'
import type { Database } from '../platform/database.ts'
import { singleRow } from '../platform/single-row.ts'
import { instant, sql, textArray } from '../platform/sql.ts'
import { insertInto, sameColumns } from '../platform/sql-insert.ts'
import { getApiKey, shownColumns } from './api-keys.ts'
import type { ApiKeyRecord } from './api-keys.ts'
import { inCasinoTurn } from './casino-turn.ts'
import { exceededBound } from './key-bounds.ts'
import type { KeyBounds } from './key-bounds.ts'
import { keyLine } from './key-line.ts'
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

/**
 * Replaces a key with a new one of the same creator, name, mode, scopes and, by default, allowed addresses and
 * idempotency requirement. The old one stays valid for `overlapMs`. The new key keeps the old one's expiry unless the
 * admin changes it: a rotation must not make a temporary key permanent. Keys created by the old one expire with the new
 * one at the latest. Only a key with limits at least as wide can rotate it. Throws `api_key_unknown`, `api_key_wider`,
 * `api_key_limit`, a KeyBoundError, or `transition_illegal` if the old key is expired or revoked.
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
  // Only the expiry of a key can change, and only to an earlier time, so this read holds for the statement below.
  const old = await getApiKey(database, wanted.casinoId, wanted.keyId)
  await refuseWiderSuccessor(database, old, wanted)
  const mode = old.mode === 'test' ? 'test' : 'live'
  const key = makeKey(hashSecret, mode)
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
       WHERE id = ${wanted.keyId}::text AND mode = ${mode}::text AND ${isLive(now)}
         AND EXISTS (SELECT FROM claim_held)
         FOR UPDATE
    ),
    leave AS (
      SELECT (${countLive(wanted.casinoId, now)}) - ${wanted.overlapMs === 0 ? 1 : 0}::int < ${liveKeysMax}::int
               AS has_room,
             ${isDaySpent(wanted.casinoId, wanted.maker, now)} AS is_spent,
             EXISTS (SELECT FROM old) AS is_allowed
    ),
    old_shortened AS (
      UPDATE api_key SET expires_at = LEAST(old.expires_at, ${instant(oldEndsAt)})
        FROM old CROSS JOIN leave WHERE api_key.id = old.id AND leave.has_room AND NOT leave.is_spent
    ),
    rotated AS (
      ${insertInto('api_key', {
        from: sql`old CROSS JOIN leave WHERE leave.has_room AND NOT leave.is_spent`,
        columns: {
          id: sql`${key.id}::text`,
          ...sameColumns('casino_id', 'name', 'mode', 'scopes', 'created_by'),
          requires_idempotency_key: sql`COALESCE(${wanted.requiresIdempotencyKey}::boolean, requires_idempotency_key)`,
          secret_hash: sql`${key.stored}::bytea`,
          created_at: instant(now),
          expires_at: sql`COALESCE(${instant(wanted.expiresAt)}, expires_at)`,
          allowed_addresses: sql`COALESCE(${textArray(wanted.allowedAddresses)}, allowed_addresses)`,
          rotated_from: sql`old.id`,
          rotated_by: sql`${wanted.maker === 'admin' ? 'admin' : wanted.maker.keyId}::text`,
        },
      })}
      RETURNING *
    ),
    ${keyLine(wanted.keyId, 'made')},
    made_shortened AS (
      UPDATE api_key SET expires_at = LEAST(api_key.expires_at, rotated.expires_at)
        FROM rotated
       WHERE api_key.id IN (SELECT id FROM line WHERE ends) AND api_key.id <> ${wanted.keyId}::text
         AND rotated.expires_at IS NOT NULL
    ),
    ${markedClaim(wanted.claim, 'rotated')}
    SELECT leave.has_room AS "hasRoom", leave.is_spent AS "isSpent", leave.is_allowed AS "isAllowed", id IS NOT NULL AS "isMade",
           ${shownColumns}
      FROM leave LEFT JOIN rotated ON true`,
  )
  const row = singleRow(rows)
  if (!row.isAllowed)
    throw new RewardsError('transition_illegal', 'The API key is expired or revoked: create a new one')
  return { record: recordOf(row), apiKey: key.apiKey }
}

/**
 * The requesting key must have limits at least as wide as the key; the successor must not exceed the limits of either,
 * nor of the key's creator.
 */
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
