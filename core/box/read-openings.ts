import { RewardsError } from '../errors.ts'
import type { Database } from '../platform/database.ts'
import { canonicalOddsTable } from './odds-table.ts'

/** An opening with everything that somebody needs to draw it again; the seed is null until it is revealed. */
export interface OpeningEvidence {
  id: string
  playerId: string
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
  /** The drawn entry's place in the table, from 1. */
  position: number
  /** What was won: the entry's item, or the fallback when the entry was out of stock. */
  itemId: string
  isSubstituted: boolean
  isForced: boolean
  prizeId: string
  openedAt: Date
}

interface Row extends Omit<OpeningEvidence, 'oddsTable'> {
  fallbackItemId: string | null
  entries: { item_id: string; weight: string; stock: number | null }[]
}

/** Throws `opening_unknown`, also for the openings of other casinos. */
export async function getOpeningEvidence(
  database: Database,
  casinoId: string,
  openingId: string,
): Promise<OpeningEvidence> {
  const [row] = await database.$queryRaw<Row[]>`
    SELECT opening.id, opening.player_id AS "playerId", opening.box_id AS "boxId", opening.version,
           opening.odds_hash AS "oddsHash", opening.seed_id AS "seedId", server_seed.commitment,
           server_seed.revealed_seed AS "revealedSeed", opening.nonce, opening.client_seed AS "clientSeed",
           opening.position, opening.item_id AS "itemId",
           opening.substituted AS "isSubstituted", opening.forced AS "isForced", opening.prize_id AS "prizeId", opening.opened_at AS "openedAt",
           box_version.fallback_item_id AS "fallbackItemId",
           (SELECT jsonb_agg(jsonb_build_object('item_id', item_id, 'weight', weight::text, 'stock', stock)
                             ORDER BY box_entry.position)
              FROM box_entry
             WHERE box_entry.casino_id = opening.casino_id AND box_entry.box_id = opening.box_id
               AND box_entry.version = opening.version) AS entries
      FROM opening
      JOIN box_version ON box_version.casino_id = opening.casino_id AND box_version.box_id = opening.box_id
                      AND box_version.version = opening.version
      LEFT JOIN server_seed ON server_seed.id = opening.seed_id
     WHERE opening.id = ${openingId}::text AND opening.casino_id = ${casinoId}::text`
  if (row === undefined) throw new RewardsError('opening_unknown')
  const { entries, fallbackItemId, ...opening } = row
  const oddsTable = canonicalOddsTable({
    entries: entries.map(({ item_id, weight, stock }) => ({
      itemId: item_id,
      weight: BigInt(weight),
      stock,
    })),
    fallbackItemId,
  })
  return { ...opening, oddsTable }
}
