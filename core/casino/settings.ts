import type { Envelope, EnvelopeCipher } from '../crypto/envelope.ts'
import { RewardsError } from '../errors.ts'
import { monotonicMs } from '../platform/clock.ts'
import type { Clock } from '../platform/clock.ts'
import { Prisma } from '../platform/database.ts'
import type { Database } from '../platform/database.ts'
import { batchInput, sql, text } from '../platform/sql.ts'
import { parseStoredValue, partnerOf, unsetValue } from './setting-values.ts'
import type { SettingName, SettingValues } from './setting-values.ts'

/** A setting as workers use it. */
export interface Setting<Name extends SettingName> {
  value: SettingValues[Name]
  /**
   * The shared secrets, newest first; at least one if a partner is called. During the overlap after a rotation there
   * are two: requests are signed with both, and either is accepted.
   */
  secrets: readonly string[]
  /** The partner refuses our credentials or address: nothing is sent until an operator resumes the setting. */
  isPaused: boolean
  /** Increases with every change; a pause refers to it. 0 without a stored setting. */
  revision: number
}

export interface CasinoSettings {
  /** Throws `setting_unreadable` if the stored value is invalid, or its secret cannot be decrypted. */
  get<Name extends SettingName>(name: Name): Setting<Name>
}

/** The settings of each casino, at most two seconds old. Unknown casinos have defaults. */
export type FindSettings = (casinoIds: readonly string[]) => Promise<ReadonlyMap<string, CasinoSettings>>

/** A row of the table. */
export interface StoredSetting {
  casinoId: string
  name: string
  value: unknown
  sealedSecret: Uint8Array | null
  sealedKey: Uint8Array | null
  sealedKeyId: string | null
  previousSealedSecret: Uint8Array | null
  previousSealedKey: Uint8Array | null
  previousSealedKeyId: string | null
  previousExpiresAt: Date | null
  revision: number
  pausedAt: Date | null
  pausedReason: string | null
  updatedAt: Date
}

/** The columns of a StoredSetting, of a table or a step with this name. */
export function storedSettingColumns(table: string): Prisma.Sql {
  const from = Prisma.raw(table)
  return sql`${from}.casino_id AS "casinoId", ${from}.name, ${from}.value, ${from}.sealed_secret AS "sealedSecret",
           ${from}.sealed_key AS "sealedKey", ${from}.sealed_key_id AS "sealedKeyId",
           ${from}.previous_sealed_secret AS "previousSealedSecret", ${from}.previous_sealed_key AS "previousSealedKey",
           ${from}.previous_sealed_key_id AS "previousSealedKeyId",
           ${from}.previous_expires_at AS "previousExpiresAt", ${from}.revision,
           ${from}.paused_at AS "pausedAt", ${from}.paused_reason AS "pausedReason", ${from}.updated_at AS "updatedAt"`
}

export interface SettingsDeps {
  database: Database
  cipher: EnvelopeCipher
  clock: Clock
}

/** A change takes effect in every process within this time. Real time, even if a test sets the clock. */
const cacheMs = 2_000
const cacheSizeMax = 10_000

export function createFindSettings(deps: SettingsDeps): FindSettings {
  const cache = new Map<string, { settings: Promise<CasinoSettings>; until: number }>()

  /** Simultaneous requests for a casino share one look-up. */
  function load(casinoIds: readonly string[], now: number): void {
    const loading = loadSettings(deps, casinoIds)
    for (const casinoId of casinoIds) {
      const settings = loading.then((loaded) => loaded.get(casinoId) ?? toCasinoSettings(deps, []))
      cache.set(casinoId, { settings, until: now + cacheMs })
      settings.catch(() => cache.delete(casinoId)) // the caller gets the error; the next one tries again
    }
  }

  return async (casinoIds) => {
    const wanted = [...new Set(casinoIds)]
    if (cache.size + wanted.length > cacheSizeMax) cache.clear()
    const now = monotonicMs()
    const missing = wanted.filter((casinoId) => (cache.get(casinoId)?.until ?? 0) <= now)
    if (missing.length > 0) load(missing, now)
    const found = wanted.flatMap((casinoId) => {
      const cached = cache.get(casinoId)
      return cached === undefined ? [] : [cached.settings.then((settings) => [casinoId, settings] as const)]
    })
    return new Map(await Promise.all(found))
  }
}

/** One casino's settings, read now. */
export async function loadSettingsOf(deps: SettingsDeps, casinoId: string): Promise<CasinoSettings> {
  return (await loadSettings(deps, [casinoId])).get(casinoId) ?? toCasinoSettings(deps, [])
}

/** One query for all the casinos, not cached. Casinos without a row are included. */
async function loadSettings(
  deps: SettingsDeps,
  casinoIds: readonly string[],
): Promise<Map<string, CasinoSettings>> {
  const rows = await deps.database.$queryRaw<StoredSetting[]>`
    SELECT ${storedSettingColumns('setting')}
      FROM ${batchInput(casinoIds, { casino_id: text((value) => value) })}
      JOIN casino_setting AS setting ON setting.casino_id = input.casino_id`
  const rowsOf = new Map<string, StoredSetting[]>(casinoIds.map((casinoId) => [casinoId, []]))
  for (const row of rows) rowsOf.get(row.casinoId)?.push(row)
  return new Map([...rowsOf].map(([casinoId, ofCasino]) => [casinoId, toCasinoSettings(deps, ofCasino)]))
}

/**
 * A stored setting is parsed on first use, so that a broken one does not fail the others. Not earlier: the time of a
 * refusal must not tell unauthenticated callers which casinos have settings.
 */
function toCasinoSettings(
  { cipher, clock }: Pick<SettingsDeps, 'cipher' | 'clock'>,
  rows: readonly StoredSetting[],
): CasinoSettings {
  const opened = new Map<string, OpenedSecret[]>()
  const understood: { [Name in SettingName]?: SettingValues[Name] } = {}
  return {
    get: (name) => {
      const row = rows.find((candidate) => candidate.name === name)
      const value =
        understood[name] ?? parseStoredValue(name, row === undefined ? unsetValue(name) : row.value)
      if (value === undefined) throw unreadable(name)
      Object.assign(understood, { [name]: value })
      const now = clock.now()
      const found = opened.get(name) ?? (row === undefined ? [] : openSecrets(cipher, row, now))
      opened.set(name, found)
      const secrets = found.flatMap(({ secret, expiresAt }) =>
        expiresAt === null || expiresAt > now ? [secret] : [],
      )
      if (secrets.length === 0 && partnerOf(value) !== undefined) throw unreadable(name)
      return {
        value,
        secrets,
        isPaused: row !== undefined && row.pausedAt !== null,
        revision: row?.revision ?? 0,
      }
    },
  }
}

interface OpenedSecret {
  secret: string
  /** Null for the current one. */
  expiresAt: Date | null
}

function openSecrets(cipher: EnvelopeCipher, row: StoredSetting, now: Date): OpenedSecret[] {
  const { casinoId, name } = row
  try {
    return sealedSecretsOf(row)
      .filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
      .map(({ envelope, expiresAt }) => ({
        secret: cipher.open(envelope, boundTo(casinoId, name)),
        expiresAt,
      }))
  } catch (error) {
    throw unreadable(name, { cause: error })
  }
}

/** The stored secrets, the current one first. */
export function sealedSecretsOf(row: StoredSetting): { envelope: Envelope; expiresAt: Date | null }[] {
  return [
    { ...toEnvelope(row.sealedSecret, row.sealedKey, row.sealedKeyId), expiresAt: null },
    {
      ...toEnvelope(row.previousSealedSecret, row.previousSealedKey, row.previousSealedKeyId),
      expiresAt: row.previousExpiresAt,
    },
  ].flatMap(({ envelope, expiresAt }) => (envelope === undefined ? [] : [{ envelope, expiresAt }]))
}

function toEnvelope(
  ciphertext: Uint8Array | null,
  wrappedKey: Uint8Array | null,
  keyId: string | null,
): { envelope: Envelope | undefined } {
  const isThere = ciphertext !== null && wrappedKey !== null && keyId !== null
  return { envelope: isThere ? { ciphertext, wrappedKey, keyId } : undefined }
}

/** Binds a secret's envelope to its row and place. Names contain no slash, so two rows never have the same value. */
export function boundTo(casinoId: string, name: string): string {
  return `${casinoId}/${name}`
}

function unreadable(name: string, options?: ErrorOptions): RewardsError {
  return new RewardsError('setting_unreadable', `The setting ${name} cannot be read: save it again`, options)
}
