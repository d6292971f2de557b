import type { Money } from '../money.ts'
import type { Database } from '../platform/database.ts'
import { sql } from '../platform/sql.ts'
import type { BoxName } from './box-name.ts'
import { fractionOf, renderDecimal } from './fraction.ts'

/** The results of the draws from a version of a box, as far as they were looked at. */
export interface DrawnCounts {
  openings: number
  /** How often each entry was drawn, by its position. */
  drawn: ReadonlyMap<number, number>
  /** How often each item was won: the fallback too, in place of an entry that was out of stock. */
  won: ReadonlyMap<string, number>
  /** How often the fallback was given. */
  substituted: number
  /** Whether the casino has older openings, which were not looked at. */
  isPartial: boolean
}

interface CountedDraw {
  position: number
  itemId: string
  isSubstituted: boolean
  count: number
}

/** The openings of the casino that are looked at, the newest ones: no index leads to those of one version. */
const countedOpeningsMax = 20_000

/** As many seeds may be without an opening of this box. */
const seedsMax = 1_000

const openingColumns = sql`casino_id, seed_id, id, box_id, version, position, item_id, substituted, forced`

/**
 * Counts the draws from a version. If the casino has too many openings, the newest are counted wherever they are: the live
 * ones alone would be no sample, since the drawn item decides what can be archived. Draws whose outcome was chosen, in a
 * sandbox, are not counted.
 */
export async function readDrawnCounts(
  database: Database,
  { casinoId, boxId }: BoxName,
  version: number,
): Promise<DrawnCounts> {
  const rows = await database.$queryRaw<{ isPartial: boolean; counted: CountedDraw | null }[]>`
    WITH newest AS MATERIALIZED (
      SELECT opening.box_id, opening.version, opening.position, opening.item_id, opening.substituted, opening.forced,
             opening.is_archived
        FROM (SELECT id FROM server_seed WHERE casino_id = ${casinoId}::text ORDER BY casino_id DESC, id DESC
               LIMIT ${seedsMax}::int) AS seed
       CROSS JOIN LATERAL (
         SELECT * FROM (
           SELECT ${openingColumns}, false AS is_archived FROM opening
            UNION ALL
           SELECT ${openingColumns}, true FROM archived_opening
         ) AS opening
          WHERE opening.casino_id = ${casinoId}::text AND opening.seed_id = seed.id
          ORDER BY opening.casino_id DESC, opening.seed_id DESC, opening.id DESC
          LIMIT ${countedOpeningsMax + 1}::int
       ) AS opening
       LIMIT ${countedOpeningsMax + 1}::int
    ),
    size AS (SELECT count(*) > ${countedOpeningsMax}::int AS "isPartial" FROM newest),
    counted AS (
      SELECT position, item_id AS "itemId", substituted AS "isSubstituted", count(*)::int AS count
        FROM newest CROSS JOIN size
       WHERE box_id = ${boxId}::text AND version = ${version}::int AND NOT forced AND (size."isPartial" OR NOT is_archived)
       GROUP BY position, item_id, substituted
       UNION ALL
      -- Those of months that have left the database too, if no part is looked at.
      SELECT position, item_id, substituted, openings::int
        FROM archived_draw_count CROSS JOIN size
       WHERE casino_id = ${casinoId}::text AND box_id = ${boxId}::text AND version = ${version}::int AND NOT forced
         AND openings > 0 AND NOT size."isPartial"
    )
    SELECT size."isPartial", to_jsonb(counted) AS counted
      FROM size LEFT JOIN counted ON true`
  const drawn = new Map<number, number>()
  const won = new Map<string, number>()
  let openings = 0
  let substituted = 0
  for (const { counted } of rows) {
    if (counted === null) continue
    const { position, itemId, isSubstituted, count } = counted
    openings += count
    if (isSubstituted) substituted += count
    drawn.set(position, (drawn.get(position) ?? 0) + count)
    won.set(itemId, (won.get(itemId) ?? 0) + count)
  }
  return { openings, drawn, won, substituted, isPartial: rows[0]?.isPartial ?? false }
}

/** The cashback of the won items, per opening and by currency, at today's worth of the items. */
export function costOfWon(
  { openings, won }: Pick<DrawnCounts, 'openings' | 'won'>,
  cashbackOf: (itemId: string) => Money | null | undefined,
): { currency: string; amountMinor: string }[] {
  const sums = new Map<string, bigint>()
  for (const [itemId, count] of won) {
    const cashback = cashbackOf(itemId)
    if (cashback === undefined || cashback === null) continue
    sums.set(cashback.currency, (sums.get(cashback.currency) ?? 0n) + BigInt(count) * cashback.amountMinor)
  }
  return [...sums]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, sum]) => ({
      currency,
      amountMinor: renderDecimal(fractionOf(sum, BigInt(openings)), 4),
    }))
}
