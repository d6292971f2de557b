import { RewardsError } from '../errors.ts'
import { listSql, toPage } from '../page.ts'
import type { ListRequest, Page } from '../page.ts'
import type { Database } from '../platform/database.ts'
import { sql } from '../platform/sql.ts'

/** A key without its secret. */
export interface ApiKeyRecord {
  id: string
  name: string | null
  mode: string
  scopes: string[]
  requiresIdempotencyKey: boolean
  createdAt: Date
  expiresAt: Date | null
  revokedAt: Date | null
  /** Networks in CIDR form; empty for any address. */
  allowedAddresses: string[]
  /** Up to half a minute late; null if never used. */
  lastUsedAt: Date | null
  /** `admin`, or the id of the key that created it, or of the key that it replaced; null if not recorded. */
  createdBy: string | null
  /** The key that it replaced. */
  rotatedFrom: string | null
  /** `admin`, or the id of the key that requested the rotation; null if not recorded. */
  rotatedBy: string | null
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
  createdBy: true,
  rotatedFrom: true,
  rotatedBy: true,
}

/** The columns of an ApiKeyRecord. */
export const shownColumns = sql`id, name, mode, scopes, requires_idempotency_key AS "requiresIdempotencyKey",
           created_at AS "createdAt", expires_at AS "expiresAt", revoked_at AS "revokedAt",
           allowed_addresses AS "allowedAddresses", last_used_at AS "lastUsedAt",
           created_by AS "createdBy", rotated_from AS "rotatedFrom", rotated_by AS "rotatedBy"`

/** All keys of the casino and its sandbox, including expired and revoked ones. */
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

/** Throws `api_key_unknown`. */
export async function getApiKey(database: Database, casinoId: string, keyId: string): Promise<ApiKeyRecord> {
  const record = await database.apiKey.findFirst({
    where: { ...ofCasino(casinoId), id: keyId },
    select: shown,
  })
  if (record === null) throw new RewardsError('api_key_unknown')
  return record
}

/** A casino's keys are its own and its sandbox's; a sandbox's are only its own. */
function ofCasino(casinoId: string) {
  return { casino: { OR: [{ id: casinoId }, { sandboxOf: casinoId }] } }
}
