import type { Envelope, EnvelopeCipher } from '../crypto/envelope.ts'
import type { Database, Prisma } from '../platform/database.ts'
import { newId } from '../platform/ids.ts'
import { batchInput, instant, sql, text } from '../platform/sql.ts'
import { insertInto } from '../platform/sql-insert.ts'
import { endpointKeyOf } from './delivery.ts'

/** An encrypted signing secret; several are valid during a rotation. */
export interface SealedSecret {
  id: string
  casinoId: string
  endpointId: string
  envelope: Envelope
  createdAt: Date
  /** Null for the current one. */
  expiresAt: Date | null
}

/** Encrypts a secret of the endpoint. */
export function sealSecret(
  cipher: EnvelopeCipher,
  endpoint: { casinoId: string; endpointId: string },
  secret: string,
): { id: string; envelope: Envelope } {
  const id = newId('wsc')
  return { id, envelope: cipher.seal(secret, boundTo({ ...endpoint, id })) }
}

/** Inserts the secret of `endpoint`, a row of `from`. */
export function addedSecret(
  from: Prisma.Sql,
  { id, envelope }: { id: string; envelope: Envelope },
  now: Date,
): Prisma.Sql {
  return insertInto('webhook_secret', {
    from,
    columns: {
      id: sql`${id}::text`,
      casino_id: sql`endpoint.casino_id`,
      endpoint_id: sql`endpoint.id`,
      sealed_secret: sql`${envelope.ciphertext}::bytea`,
      sealed_key: sql`${envelope.wrappedKey}::bytea`,
      sealed_key_id: sql`${envelope.keyId}::text`,
      created_at: instant(now),
    },
  })
}

/** Throws if the key that it is encrypted with is not configured. */
export function openSecret(cipher: EnvelopeCipher, sealed: SealedSecret): string {
  return cipher.open(sealed.envelope, boundTo(sealed))
}

/** Binds a secret to its row, so that it cannot be moved to another endpoint. */
export function boundTo(of: { casinoId: string; endpointId: string; id: string }): string {
  return `webhook_secret/${of.id}/${of.casinoId}/${of.endpointId}`
}

/** The secrets that are valid at a moment, newest first, keyed by endpoint. */
export async function loadSecrets(
  database: Database,
  now: Date,
  endpoints: readonly { casinoId: string; endpointId: string }[],
): Promise<Map<string, SealedSecret[]>> {
  const wanted = [...new Map(endpoints.map((endpoint) => [endpointKeyOf(endpoint), endpoint])).values()]
  const rows = await database.$queryRaw<Row[]>`
    SELECT secret.id, secret.casino_id, secret.endpoint_id, secret.sealed_secret, secret.sealed_key,
           secret.sealed_key_id, secret.created_at, secret.expires_at
      FROM ${batchInput(wanted, {
        casino_id: text((endpoint) => endpoint.casinoId),
        endpoint_id: text((endpoint) => endpoint.endpointId),
      })}
      JOIN webhook_secret AS secret
        ON secret.casino_id = input.casino_id AND secret.endpoint_id = input.endpoint_id
     WHERE secret.expires_at IS NULL OR secret.expires_at > ${instant(now)}
     ORDER BY secret.created_at DESC, secret.id DESC`
  const secretsOf = new Map<string, SealedSecret[]>()
  for (const secret of rows.map(toSealed)) {
    const key = endpointKeyOf(secret)
    secretsOf.set(key, [...(secretsOf.get(key) ?? []), secret])
  }
  return secretsOf
}

interface Row {
  id: string
  casino_id: string
  endpoint_id: string
  sealed_secret: Uint8Array
  sealed_key: Uint8Array
  sealed_key_id: string
  created_at: Date
  expires_at: Date | null
}

function toSealed(row: Row): SealedSecret {
  return {
    id: row.id,
    casinoId: row.casino_id,
    endpointId: row.endpoint_id,
    envelope: { ciphertext: row.sealed_secret, wrappedKey: row.sealed_key, keyId: row.sealed_key_id },
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }
}
