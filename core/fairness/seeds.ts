import type { Envelope, EnvelopeCipher } from '../crypto/envelope.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import { newId } from '../platform/ids.ts'
import { randomBytes } from '../platform/random.ts'
import { commitmentOf, createDrawSource } from './derive.ts'
import type { DrawInput } from './derive.ts'

/** The seed that a casino's outcomes are derived from at present. */
export interface ActiveSeed {
  id: string
  commitment: string
  /** The numbers of one opening under this seed. The seed itself does not leave this file before it is revealed. */
  createDrawSource: (input: DrawInput) => () => bigint
}

export interface SeedDeps {
  database: Database
  clock: Clock
  cipher: EnvelopeCipher
}

/** Opened seeds by id; a casino has one at a time, so this is a bound for very many casinos. */
const openedSeedsMax = 10_000
const seedBytes = 32

/**
 * Loads the active seeds of casinos; a casino without one gets its first, and the next one beside it. A casino whose seed
 * cannot be opened (its encryption key is gone) is left out, so that the others of a batch do not fail for it.
 */
export type LoadActiveSeeds = (casinoIds: readonly string[]) => Promise<ReadonlyMap<string, ActiveSeed>>

export function createLoadActiveSeeds(deps: SeedDeps): LoadActiveSeeds {
  const opened = new Map<string, Uint8Array>()
  const open = (sealed: SealedSeed): Uint8Array | undefined => {
    const { id } = sealed
    const known = opened.get(id)
    if (known !== undefined) return known
    const hex = openSeed(deps.cipher, sealed)
    if (hex === undefined) return undefined
    const seed = Buffer.from(hex, 'hex')
    if (opened.size >= openedSeedsMax) opened.clear()
    opened.set(id, seed)
    return seed
  }
  return async (casinoIds) => {
    const distinct = [...new Set(casinoIds)]
    const found = await findActiveSeeds(deps.database, distinct)
    const missing = distinct.filter((casinoId) => !found.some((row) => row.casinoId === casinoId))
    if (missing.length > 0) {
      await insertFirstSeeds(deps, missing)
      found.push(...(await findActiveSeeds(deps.database, missing)))
    }
    return new Map(
      found.flatMap((row) => {
        const seed = open(row)
        if (seed === undefined) return []
        const { id, commitment } = row
        return [
          [row.casinoId, { id, commitment, createDrawSource: (input) => createDrawSource(seed, input) }],
        ]
      }),
    )
  }
}

/**
 * Ends the use of a casino's active seed: the next one becomes active, and a new next one is committed to, in one
 * statement. Openings that have loaded the old seed may still be stored with it; it is revealed when none of them can be
 * under way any more (`revealRetiredSeeds`). Returns whether the seed was the active one still.
 */
export async function rotateSeed(
  { database, clock, cipher }: SeedDeps,
  casinoId: string,
  seedId: string,
): Promise<boolean> {
  const next = sealNewSeed(cipher)
  const now = clock.now()
  const rows = await database.$queryRaw<{ id: string }[]>`
    WITH seed_retired AS (
      UPDATE server_seed SET state = 'retired', retired_at = ${now}::timestamptz
       WHERE id = ${seedId}::text AND casino_id = ${casinoId}::text AND state = 'active'
      RETURNING casino_id
    ),
    seed_activated AS (
      UPDATE server_seed SET state = 'active', activated_at = ${now}::timestamptz
        FROM seed_retired
       WHERE server_seed.casino_id = seed_retired.casino_id AND server_seed.state = 'next'
      RETURNING server_seed.casino_id
    ),
    seed_committed AS (
      INSERT INTO server_seed (id, casino_id, state, commitment, sealed_seed, sealed_key, sealed_key_id, created_at)
      SELECT ${next.id}::text, casino_id, 'next', ${next.commitment}::text, ${next.envelope.ciphertext}::bytea,
             ${next.envelope.wrappedKey}::bytea, ${next.envelope.keyId}::text, ${now}::timestamptz
        FROM seed_activated
      RETURNING id
    )
    SELECT id FROM seed_committed`
  return rows.length > 0
}

/**
 * No statement runs for longer than its time-out of five seconds, so whoever has loaded a seed before it was retired has
 * stored the opening, or failed to, long before this has passed.
 */
const revealAfterMs = 30_000
const revealedAtOnceMax = 100

/** Reveals the seeds that nothing can be drawn from any more. Any number may do it at once. Returns how many there were. */
export async function revealRetiredSeeds({ database, clock, cipher }: SeedDeps): Promise<number> {
  const now = clock.now()
  const retiredBefore = new Date(now.getTime() - revealAfterMs)
  const seeds = await database.$queryRaw<SealedSeed[]>`
    SELECT id, sealed_seed AS ciphertext, sealed_key AS "wrappedKey", sealed_key_id AS "keyId"
      FROM server_seed
     WHERE state = 'retired' AND retired_at < ${retiredBefore}::timestamptz
     ORDER BY retired_at LIMIT ${revealedAtOnceMax}::int`
  if (seeds.length === 0) return 0
  const opened = seeds.flatMap((sealed) => {
    const seed = openSeed(cipher, sealed)
    return seed === undefined ? [] : [{ id: sealed.id, seed }]
  })
  const revealed = await database.$executeRaw`
    UPDATE server_seed SET state = 'revealed', revealed_seed = input.seed, revealed_at = ${now}::timestamptz
      FROM unnest(
        ${opened.map((seed) => seed.id)}::text[],
        ${opened.map((seed) => seed.seed)}::text[]
      ) AS input (id, seed)
     WHERE server_seed.id = input.id AND server_seed.state = 'retired'`
  const closed = seeds.length - opened.length
  if (closed > 0) throw new Error(`${closed} retired seeds cannot be opened: is an encryption key missing?`)
  return revealed
}

/** The seed in hexadecimal; undefined when none of the configured keys opens it. */
function openSeed(cipher: EnvelopeCipher, { id, ...envelope }: SealedSeed): string | undefined {
  try {
    return cipher.open(envelope, id)
  } catch {
    return undefined // both callers say what that means for them
  }
}

interface SealedSeed extends Envelope {
  id: string
}

function findActiveSeeds(
  database: Database,
  casinoIds: readonly string[],
): Promise<(SealedSeed & { casinoId: string; commitment: string })[]> {
  return database.$queryRaw`
    SELECT id, casino_id AS "casinoId", commitment, sealed_seed AS ciphertext, sealed_key AS "wrappedKey",
           sealed_key_id AS "keyId"
      FROM server_seed WHERE casino_id = ANY(${casinoIds}::text[]) AND state = 'active'`
}

/** Two seeds each: one to draw from, and the next one's commitment. Whoever comes second changes nothing. */
async function insertFirstSeeds(
  { database, clock, cipher }: SeedDeps,
  casinoIds: readonly string[],
): Promise<void> {
  const now = clock.now()
  const rows = [...casinoIds]
    .sort()
    .flatMap((casinoId) =>
      (['active', 'next'] as const).map((state) => ({ casinoId, state, ...sealNewSeed(cipher) })),
    )
  await database.$executeRaw`
    INSERT INTO server_seed (id, casino_id, state, commitment, sealed_seed, sealed_key, sealed_key_id, created_at,
                             activated_at)
    SELECT id, casino_id, state, commitment, sealed_seed, sealed_key, sealed_key_id, ${now}::timestamptz,
           CASE state WHEN 'active' THEN ${now}::timestamptz END
      FROM unnest(
        ${rows.map((row) => row.id)}::text[],
        ${rows.map((row) => row.casinoId)}::text[],
        ${rows.map((row) => row.state)}::text[],
        ${rows.map((row) => row.commitment)}::text[],
        ${rows.map((row) => row.envelope.ciphertext)}::bytea[],
        ${rows.map((row) => row.envelope.wrappedKey)}::bytea[],
        ${rows.map((row) => row.envelope.keyId)}::text[]
      ) AS input (id, casino_id, state, commitment, sealed_seed, sealed_key, sealed_key_id)
    ON CONFLICT DO NOTHING`
}

function sealNewSeed(cipher: EnvelopeCipher) {
  const id = newId('sed')
  const seed = randomBytes(seedBytes)
  return { id, commitment: commitmentOf(seed), envelope: cipher.seal(seed.toString('hex'), id) }
}
