import type { Database } from '../platform/database.ts'
import { instant } from '../platform/sql.ts'
import { getApiKey } from './api-keys.ts'
import type { ApiKeyRecord } from './api-keys.ts'
import { inCasinoTurn } from './casino-turn.ts'
import { keyLine } from './key-line.ts'
import { isLive } from './new-api-key.ts'

export interface RevokedKey {
  record: ApiKeyRecord
  /** The live keys that were revoked with it. */
  alsoRevoked: readonly string[]
}

/**
 * Revokes a key (see `createFindCaller` for how fast that takes effect), with all keys derived from it by creation or
 * rotation: the holder of a leaked key may hold all of them. A key that it created before its rotation counts as
 * created by its successor too; a successor that another key requested stays. Idempotent. Throws `api_key_unknown`.
 */
export async function revokeApiKey(
  database: Database,
  now: Date,
  { casinoId, keyId }: { casinoId: string; keyId: string },
): Promise<RevokedKey> {
  await getApiKey(database, casinoId, keyId) // is it theirs?
  const revoked = await inCasinoTurn(
    database,
    casinoId,
    [],
    database.$queryRaw<{ id: string }[]>`
    WITH RECURSIVE ${keyLine(keyId, 'held')}
    UPDATE api_key SET revoked_at = ${instant(now)}
     WHERE id IN (SELECT id FROM line WHERE ends) AND revoked_at IS NULL
       AND (id = ${keyId}::text OR ${isLive(now)})
    RETURNING id`,
  )
  const alsoRevoked = revoked.map(({ id }) => id).filter((id) => id !== keyId)
  return { record: await getApiKey(database, casinoId, keyId), alsoRevoked: alsoRevoked.sort() }
}
