import { EnvelopeError } from '../crypto/envelope.ts'
import type { EnvelopeCipher } from '../crypto/envelope.ts'
import type { Prisma, Database } from '../platform/database.ts'
import { byteaArray, instant, sql } from '../platform/sql.ts'
import { boundTo, sealedSecretsOf } from './settings.ts'
import type { SettingName } from './setting-values.ts'

/** Long enough for the slowest deployment of a new secret. */
const overlapMsDefault = 86_400_000

/**
 * The stored, encrypted secrets that matter: the current one if it equals the given one, so that repeating a request
 * rotates nothing; and those that cannot be decrypted (their key is gone), which must not be kept, or saving again
 * would not repair the setting.
 */
export async function readSealedSecrets(
  { database, cipher }: { database: Database; cipher: EnvelopeCipher },
  { casinoId, name }: { casinoId: string; name: SettingName },
  given: string | undefined,
): Promise<{ same: Uint8Array | null; unopened: Uint8Array[] }> {
  const row = await database.casinoSetting.findUnique({ where: { casinoId_name: { casinoId, name } } })
  const unopened: Uint8Array[] = []
  let same: Uint8Array | null = null
  for (const { envelope, expiresAt } of row === null ? [] : sealedSecretsOf(row)) {
    try {
      const secret = cipher.open(envelope, boundTo(casinoId, name))
      if (expiresAt === null && secret === given) same = envelope.ciphertext
    } catch (error) {
      if (!(error instanceof EnvelopeError)) throw error
      unopened.push(envelope.ciphertext)
    }
  }
  return { same, unopened }
}

/**
 * The previous secret of a changed row `setting`: the replaced one, for the overlap; or, if the secret stays, the
 * existing previous one for the rest of its overlap. By default there is no overlap if the URL changes too: the system
 * behind the old URL must neither sign for the new one nor receive the same signatures.
 */
export function previousSecret({
  isKeeping,
  unopened,
  overlapMs,
  now,
}: {
  isKeeping: Prisma.Sql
  unopened: readonly Uint8Array[]
  overlapMs: number | undefined
  now: Date
}): Prisma.Sql {
  const wantedEnd = overlapMs === undefined ? null : new Date(now.getTime() + overlapMs)
  const newEnd = sql`${instant(wantedEnd ?? new Date(now.getTime() + overlapMsDefault))}`
  const keptEnd = sql`least(setting.previous_expires_at, ${instant(wantedEnd)})`
  const isKept = sql`${isKeeping} AND setting.previous_expires_at IS NOT NULL
                 AND ${keptEnd} > ${instant(now)}
                 AND setting.previous_sealed_secret <> ALL(${byteaArray([...unopened])})`
  const isReplaced = sql`NOT ${isKeeping} AND setting.sealed_secret IS NOT NULL
                 AND EXCLUDED.sealed_secret IS NOT NULL AND ${newEnd} > ${instant(now)}
                 AND setting.sealed_secret <> ALL(${byteaArray([...unopened])})
                 AND (${overlapMs !== undefined}::boolean OR setting.value->'url' = EXCLUDED.value->'url')`
  const either = (kept: Prisma.Sql, replaced: Prisma.Sql) =>
    sql`CASE WHEN ${isKept} THEN ${kept} WHEN ${isReplaced} THEN ${replaced} END`
  return sql`
    previous_sealed_secret = ${either(sql`setting.previous_sealed_secret`, sql`setting.sealed_secret`)},
    previous_sealed_key = ${either(sql`setting.previous_sealed_key`, sql`setting.sealed_key`)},
    previous_sealed_key_id = ${either(sql`setting.previous_sealed_key_id`, sql`setting.sealed_key_id`)},
    previous_expires_at = ${either(keptEnd, newEnd)}`
}
