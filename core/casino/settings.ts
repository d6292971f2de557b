import type { EnvelopeCipher } from '../crypto/envelope.ts'
import { RewardsError } from '../errors.ts'
import { monotonicMs } from '../platform/clock.ts'
import { Prisma } from '../platform/database.ts'
import type { Database } from '../platform/database.ts'
import { parseStoredValue, partnerOf, unsetValue } from './setting-values.ts'
import type { SettingName, SettingValues } from './setting-values.ts'

/** A setting as work goes by it. */
export interface Setting<Name extends SettingName> {
  value: SettingValues[Name]
  /** Shared with the partner; there is one whenever a partner is called. */
  secret: string | null
  /** The partner refuses us as such (a wrong secret, say): nothing is to be sent until somebody has looked. */
  isPaused: boolean
  /** Moves on with every change: what a pause is about. 0 while the casino has said nothing. */
  revision: number
}

export interface CasinoSettings {
  /** Throws `setting_unreadable` when what is stored is no such setting, or its secret cannot be opened. */
  get<Name extends SettingName>(name: Name): Setting<Name>
}

/** The settings of each of the casinos, as they were at most two seconds ago. A casino that is unknown has defaults. */
export type FindSettings = (casinoIds: readonly string[]) => Promise<ReadonlyMap<string, CasinoSettings>>

/** A row of the table. */
export interface StoredSetting {
  casinoId: string
  name: string
  value: unknown
  sealedSecret: Uint8Array | null
  sealedKey: Uint8Array | null
  sealedKeyId: string | null
  revision: number
  pausedAt: Date | null
  pausedReason: string | null
  updatedAt: Date
}

/** The columns of a StoredSetting, of a table or a step with this name. */
export function storedSettingColumns(table: string): Prisma.Sql {
  const from = Prisma.raw(table)
  return Prisma.sql`${from}.casino_id AS "casinoId", ${from}.name, ${from}.value, ${from}.sealed_secret AS "sealedSecret",
           ${from}.sealed_key AS "sealedKey", ${from}.sealed_key_id AS "sealedKeyId", ${from}.revision,
           ${from}.paused_at AS "pausedAt", ${from}.paused_reason AS "pausedReason", ${from}.updated_at AS "updatedAt"`
}

export interface SettingsDeps {
  database: Database
  cipher: EnvelopeCipher
}

/** What is changed takes effect everywhere within this time. Real time, whatever a test's clock says. */
const cacheMs = 2_000
const cacheSizeMax = 10_000

export function createFindSettings(deps: SettingsDeps): FindSettings {
  const cache = new Map<string, { settings: Promise<CasinoSettings>; until: number }>()

  /** Those who ask for the same casino at once share one look-up. */
  function load(casinoIds: readonly string[], now: number): void {
    const loading = loadSettings(deps, casinoIds)
    for (const casinoId of casinoIds) {
      const settings = loading.then((loaded) => loaded.get(casinoId) ?? toCasinoSettings(deps.cipher, []))
      cache.set(casinoId, { settings, until: now + cacheMs })
      settings.catch(() => cache.delete(casinoId)) // who asked hears of the error; the next one tries again
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

/** One casino's settings, as they are now. */
export async function loadSettingsOf(deps: SettingsDeps, casinoId: string): Promise<CasinoSettings> {
  return (await loadSettings(deps, [casinoId])).get(casinoId) ?? toCasinoSettings(deps.cipher, [])
}

/** One query for all of the casinos, straight from the database. A casino without a row is among them too. */
async function loadSettings(
  { database, cipher }: SettingsDeps,
  casinoIds: readonly string[],
): Promise<Map<string, CasinoSettings>> {
  const rows = await database.$queryRaw<StoredSetting[]>`
    SELECT ${storedSettingColumns('setting')}
      FROM unnest(${[...casinoIds]}::text[]) AS input (casino_id)
      JOIN casino_setting AS setting ON setting.casino_id = input.casino_id`
  const rowsOf = new Map<string, StoredSetting[]>(casinoIds.map((casinoId) => [casinoId, []]))
  for (const row of rows) rowsOf.get(row.casinoId)?.push(row)
  return new Map([...rowsOf].map(([casinoId, ofCasino]) => [casinoId, toCasinoSettings(cipher, ofCasino)]))
}

/** What is stored is understood when it is asked for: one setting that is broken does not take the others with it. */
function toCasinoSettings(cipher: EnvelopeCipher, rows: readonly StoredSetting[]): CasinoSettings {
  const secrets = new Map<string, string | null>()
  return {
    get: (name) => {
      const row = rows.find((candidate) => candidate.name === name)
      const value = parseStoredValue(name, row === undefined ? unsetValue(name) : row.value)
      if (value === undefined) throw unreadable(name)
      const secret = secrets.get(name) ?? (row === undefined ? null : openSecret(cipher, row))
      secrets.set(name, secret)
      if (secret === null && partnerOf(value) !== undefined) throw unreadable(name)
      return {
        value,
        secret,
        isPaused: row !== undefined && row.pausedAt !== null,
        revision: row?.revision ?? 0,
      }
    },
  }
}

function openSecret(cipher: EnvelopeCipher, row: StoredSetting): string | null {
  const { casinoId, name, sealedSecret, sealedKey, sealedKeyId } = row
  if (sealedSecret === null || sealedKey === null || sealedKeyId === null) return null
  const envelope = { ciphertext: sealedSecret, wrappedKey: sealedKey, keyId: sealedKeyId }
  try {
    return cipher.open(envelope, boundTo(casinoId, name))
  } catch (error) {
    throw unreadable(name, { cause: error })
  }
}

/** The row that a secret's envelope belongs to. No name has a slash, so no two rows have the same. */
export function boundTo(casinoId: string, name: string): string {
  return `${casinoId}/${name}`
}

function unreadable(name: string, options?: ErrorOptions): RewardsError {
  return new RewardsError('setting_unreadable', `The setting ${name} cannot be read: save it again`, options)
}
