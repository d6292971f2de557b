import type { Database, Prisma } from '../platform/database.ts'
import { singleRow } from '../platform/single-row.ts'
import { sql } from '../platform/sql.ts'

interface PlayerName {
  casinoId: string
  playerId: string
}

/** The data that an erasure of a player would erase. */
export interface ErasurePreview {
  /** Finished orders whose delivery details would be erased immediately. */
  erasableOrders: number
  /** Open orders with delivery details, which would be erased when they end. */
  waitingOrders: number
  /** The first of them. */
  waitingOrderIds: readonly string[]
  /** Operators' notes that have their texts. */
  notes: number
  hasClientSeed: boolean
  /** Whether only the newest orders or notes were looked at. */
  isPartial: boolean
  /** The same as long as the same things would be erased. */
  contentHash: string
}

/** Beyond those of any player: so many of the newest orders and notes are looked at. */
const rowsMax = 1_000
/** As in the answer of the erasure. */
const waitingShownMax = 100

/** Empty for an unknown player. */
export async function previewErasure(database: Database, player: PlayerName): Promise<ErasurePreview> {
  const rows = await database.$queryRaw<ErasurePreview[]>`
    WITH ${erasureContents(player)}
    SELECT (SELECT count(*)::int FROM erasable WHERE kind = 'ended') AS "erasableOrders",
           (SELECT count(*)::int FROM erasable WHERE kind = 'open') AS "waitingOrders",
           ARRAY(SELECT id FROM erasable WHERE kind = 'open' ORDER BY id LIMIT ${waitingShownMax}::int) AS "waitingOrderIds",
           (SELECT count(*)::int FROM erasable WHERE kind = 'note') AS notes,
           EXISTS (SELECT FROM erasable WHERE kind = 'client_seed') AS "hasClientSeed",
           (SELECT count(*) FROM newest_order) = ${rowsMax}::int
             OR (SELECT count(*) FROM newest_note) = ${rowsMax}::int AS "isPartial",
           (SELECT hash FROM contents) AS "contentHash"`
  return singleRow(rows)
}

/** Steps of a statement: `erasable` has each thing that would be erased, and `contents` a row with the hash of all. */
export function erasureContents({ casinoId, playerId }: PlayerName): Prisma.Sql {
  return sql`newest_order AS (
      SELECT id, ended_at, delivery_key FROM prize_order
       WHERE casino_id = ${casinoId}::text AND player_id = ${playerId}::text ORDER BY id DESC LIMIT ${rowsMax}::int
    ),
    newest_note AS (
      SELECT id, text_key FROM prize_note
       WHERE casino_id = ${casinoId}::text AND player_id = ${playerId}::text ORDER BY id DESC LIMIT ${rowsMax}::int
    ),
    erasable AS (
      SELECT CASE WHEN ended_at IS NULL THEN 'open' ELSE 'ended' END AS kind, id FROM newest_order
       WHERE delivery_key IS NOT NULL
       UNION ALL
      SELECT 'note', id FROM newest_note WHERE text_key IS NOT NULL
       UNION ALL
      SELECT 'client_seed', '' FROM player
       WHERE casino_id = ${casinoId}::text AND id = ${playerId}::text AND client_seed IS NOT NULL
    ),
    contents AS (
      SELECT encode(sha256(convert_to(COALESCE(string_agg(kind || ' ' || id, ',' ORDER BY kind, id), ''), 'UTF8')), 'hex') AS hash
        FROM erasable
    )`
}
