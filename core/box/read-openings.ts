import { RewardsError } from '../errors.ts'
import type { Database } from '../platform/database.ts'
import { textArray } from '../platform/sql.ts'
import { loadOddsTables, versionKeyOf } from './load-odds-tables.ts'

/** An opening with everything needed to draw it again; the seed is null until it is revealed. */
export interface OpeningEvidence {
  id: string
  casinoId: string
  playerId: string
  /** The player's n-th opening overall. */
  sequence: bigint
  boxId: string
  version: number
  oddsHash: string
  /** The canonical odds table, whose SHA-256 is the hash. */
  oddsTable: string
  seedId: string | null
  commitment: string | null
  revealedSeed: string | null
  nonce: bigint | null
  clientSeed: string | null
  /** The drawn entry's position in the table, from 1. */
  position: number
  /** The item won: the entry's, or the fallback if the entry was out of stock. */
  itemId: string
  /** The drawn entry's item, if that was out of stock. */
  substitutedFor: string | null
  isForced: boolean
  prizeId: string
  openedAt: Date
}

/** Throws `opening_unknown`, also for the openings of other casinos. */
export async function getOpeningEvidence(
  database: Database,
  casinoId: string,
  openingId: string,
): Promise<OpeningEvidence> {
  const [opening] = await loadEvidence(database, casinoId, [openingId])
  if (opening === undefined) throw new RewardsError('opening_unknown')
  return opening
}

/** The start of a page: after this opening. */
export interface OpeningPosition {
  seedId: string
  id: string
  sequence: bigint
}

export interface OpeningsRequest {
  casinoId: string
  seedId: string | undefined
  playerId: string | undefined
  limit: number
  after: OpeningPosition | undefined
}

/** Boxes of a thousand entries must not make a response of a hundred megabytes. */
const tableCharactersMax = 4_000_000

/**
 * A page of the openings under a seed, of a player (in order), of both, or of all that have a seed. May be shorter than
 * requested; `hasMore` tells whether the list continues. For a revealed seed the list is final.
 */
export async function listOpeningEvidence(
  database: Database,
  request: OpeningsRequest,
): Promise<{ rows: readonly OpeningEvidence[]; hasMore: boolean }> {
  const ids = await findOpeningIds(database, request)
  const found = await loadEvidence(database, request.casinoId, ids.slice(0, request.limit))
  const ofId = new Map(found.map((opening) => [opening.id, opening]))
  const rows: OpeningEvidence[] = []
  let characters = 0
  for (const id of ids.slice(0, request.limit)) {
    const opening = ofId.get(id)
    if (opening === undefined)
      throw new Error('an opening has disappeared, though openings are never deleted')
    characters += opening.oddsTable.length
    if (characters > tableCharactersMax && rows.length > 0) break
    rows.push(opening)
  }
  return { rows, hasMore: rows.length < ids.length }
}

/** One more than requested, if there is one. Each of the three lists has an index of its own. */
async function findOpeningIds(database: Database, request: OpeningsRequest): Promise<string[]> {
  const { casinoId, seedId, playerId, limit, after } = request
  const part = { select: { id: true }, take: limit + 1 } as const
  if (playerId !== undefined) {
    const where = { casinoId, playerId, sequence: { gt: after?.sequence ?? 0n } }
    return idsOf(
      await database.everyOpening.findMany({
        where: seedId === undefined ? where : { ...where, seedId },
        orderBy: { sequence: 'asc' },
        ...part,
      }),
    )
  }
  if (seedId !== undefined) {
    const where = { casinoId, seedId, id: { gt: after?.id ?? '' } }
    return idsOf(await database.everyOpening.findMany({ where, orderBy: { id: 'asc' }, ...part }))
  }
  // Prisma cannot compare two columns together, as the index has them.
  return idsOf(
    await database.$queryRaw<{ id: string }[]>`
      SELECT id FROM every_opening
       WHERE casino_id = ${casinoId}::text
         AND (seed_id, id) > (${after?.seedId ?? ''}::text, ${after?.id ?? ''}::text)
       ORDER BY casino_id, seed_id, id LIMIT ${limit + 1}::int`,
  )
}

function idsOf(rows: readonly { id: string }[]): string[] {
  return rows.map(({ id }) => id)
}

async function loadEvidence(
  database: Database,
  casinoId: string,
  ids: readonly string[],
): Promise<OpeningEvidence[]> {
  const rows = await database.$queryRaw<Omit<OpeningEvidence, 'oddsTable'>[]>`
    SELECT opening.id, opening.casino_id AS "casinoId", opening.player_id AS "playerId", opening.sequence,
           opening.box_id AS "boxId", opening.version, opening.odds_hash AS "oddsHash", opening.seed_id AS "seedId",
           server_seed.commitment, server_seed.revealed_seed AS "revealedSeed", opening.nonce,
           opening.client_seed AS "clientSeed", opening.position, opening.item_id AS "itemId",
           CASE WHEN opening.substituted THEN box_entry.item_id END AS "substitutedFor", opening.forced AS "isForced", opening.prize_id AS "prizeId",
           opening.opened_at AS "openedAt"
      FROM every_opening AS opening
      LEFT JOIN server_seed ON server_seed.id = opening.seed_id
      LEFT JOIN box_entry
        ON box_entry.casino_id = opening.casino_id AND box_entry.box_id = opening.box_id
       AND box_entry.version = opening.version AND box_entry.position = opening.position
     WHERE opening.id = ANY(${textArray(ids)}) AND opening.casino_id = ${casinoId}::text`
  const tables = await loadOddsTables(database, casinoId, rows)
  return rows.map((row) => {
    const oddsTable = tables.get(versionKeyOf(row))
    if (oddsTable === undefined) throw new Error('an opening without its version')
    return { ...row, oddsTable }
  })
}
