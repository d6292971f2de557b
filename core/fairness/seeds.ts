import type { Database, Prisma } from '../platform/database.ts'
import { batchInput, bytea, instant, sql, text, textArray } from '../platform/sql.ts'
import { insertInto, sameColumns } from '../platform/sql-insert.ts'
import { createDrawSource } from './derive.ts'
import type { DrawInput } from './derive.ts'
import { openSeed, sealNewSeed } from './sealed-seed.ts'
import type { SealedSeed, SeedDeps } from './sealed-seed.ts'

/** The seed that a casino's outcomes are derived from now. */
export interface ActiveSeed {
  id: string
  commitment: string
  /** The numbers of one opening under this seed. The seed itself does not leave this file before it is revealed. */
  createDrawSource: (input: DrawInput) => () => bigint
}

/** Opened seeds by id; a casino has one at a time, so this limit is for very many casinos. */
const openedSeedsMax = 10_000

/**
 * Loads the active seeds of casinos; a casino without one gets its first, and the next one. A casino whose seed cannot
 * be opened (its encryption key is missing, or it does not match its commitment) is left out, so that the others of a
 * batch do not fail.
 *
 * `seenIds` has, by casino, the ids of seeds that the caller has just read as active: if they are cached, there is no
 * query.
 */
export type LoadActiveSeeds = (
  casinoIds: readonly string[],
  seenIds?: ReadonlyMap<string, string>,
) => Promise<ReadonlyMap<string, ActiveSeed>>

export function createLoadActiveSeeds(deps: SeedDeps): LoadActiveSeeds {
  const opened = new Map<string, ActiveSeed>()
  const open = (row: SealedRow): ActiveSeed | undefined => {
    const known = opened.get(row.id)
    if (known !== undefined) return known
    const hex = openSeed(deps.cipher, row)
    if (hex === undefined) return undefined
    const secret = Buffer.from(hex, 'hex')
    const seed: ActiveSeed = {
      id: row.id,
      commitment: row.commitment,
      createDrawSource: (input) => createDrawSource(secret, input),
    }
    if (opened.size >= openedSeedsMax) opened.clear()
    opened.set(seed.id, seed)
    return seed
  }
  return async (casinoIds, seenIds) => {
    const seeds = new Map<string, ActiveSeed>()
    const unknown: string[] = []
    for (const casinoId of new Set(casinoIds)) {
      const seed = opened.get(seenIds?.get(casinoId) ?? '')
      if (seed === undefined) unknown.push(casinoId)
      else seeds.set(casinoId, seed)
    }
    for (const row of await findOrMakeActiveSeeds(deps, unknown)) {
      const seed = open(row)
      if (seed !== undefined) seeds.set(row.casinoId, seed)
    }
    return seeds
  }
}

const dayMs = 86_400_000

/** The number of seeds created for the casino within a day, including automatic rotations. */
export function seedsOfDay(casinoId: string, now: Date): Prisma.Sql {
  return sql`SELECT count(*) FROM server_seed
              WHERE casino_id = ${casinoId}::text AND created_at > ${instant(new Date(now.getTime() - dayMs))}`
}

/** Undefined if the casino has no seed yet. The seed is not opened, so a damaged one is found too. */
export async function findActiveSeedId(database: Database, casinoId: string): Promise<string | undefined> {
  // The state is part of the text, as a partial index needs it; Prisma would send it as a value.
  const [seed] = await database.$queryRaw<{ id: string }[]>`
    SELECT id FROM server_seed WHERE casino_id = ${casinoId}::text AND state = 'active'`
  return seed?.id
}

interface SealedRow extends SealedSeed {
  casinoId: string
}

async function findOrMakeActiveSeeds(deps: SeedDeps, casinoIds: readonly string[]): Promise<SealedRow[]> {
  if (casinoIds.length === 0) return []
  const found = await findActiveSeeds(deps.database, casinoIds)
  const missing = casinoIds.filter((casinoId) => !found.some((row) => row.casinoId === casinoId))
  if (missing.length === 0) return found
  await insertFirstSeeds(deps, missing)
  return [...found, ...(await findActiveSeeds(deps.database, missing))]
}

function findActiveSeeds(database: Database, casinoIds: readonly string[]): Promise<SealedRow[]> {
  return database.$queryRaw<SealedRow[]>`
    SELECT id, casino_id AS "casinoId", commitment, sealed_seed AS ciphertext, sealed_key AS "wrappedKey",
           sealed_key_id AS "keyId"
      FROM server_seed WHERE casino_id = ANY(${textArray(casinoIds)}) AND state = 'active'`
}

/**
 * Two seeds each: one to use, and the next one's commitment. The second of two simultaneous calls changes nothing. A
 * casino that has had seeds gets none: the database would refuse it, and fail the others.
 */
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
    ${insertInto('server_seed', {
      from: sql`${batchInput(rows, {
        id: text((row) => row.id),
        casino_id: text((row) => row.casinoId),
        state: text((row) => row.state),
        commitment: text((row) => row.commitment),
        sealed_seed: bytea((row) => row.envelope.ciphertext),
        sealed_key: bytea((row) => row.envelope.wrappedKey),
        sealed_key_id: text((row) => row.envelope.keyId),
      })}
     WHERE NOT EXISTS (
       SELECT FROM server_seed AS earlier WHERE earlier.casino_id = input.casino_id AND earlier.state <> 'next'
     )`,
      columns: {
        ...sameColumns(
          'id',
          'casino_id',
          'state',
          'commitment',
          'sealed_seed',
          'sealed_key',
          'sealed_key_id',
        ),
        created_at: instant(now),
        activated_at: sql`CASE state WHEN 'active' THEN ${instant(now)} END`,
      },
    })}
    ON CONFLICT DO NOTHING`
}
