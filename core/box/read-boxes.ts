import { RewardsError } from '../errors.ts'
import { hasRange, listSql, scanPage, toPage } from '../page.ts'
import type { ListRequest, Page, Scan } from '../page.ts'
import type { Database, Prisma } from '../platform/database.ts'
import { sql, textArray } from '../platform/sql.ts'
import type { BoxAccess, OpeningLimit } from './box.ts'
import type { BoxName } from './box-name.ts'

/** A box with its current version, as its casino sees it. */
export interface BoxSummary {
  id: string
  version: number
  name: string
  description: string | null
  imageUrl: string | null
  isEnabled: boolean
  /** Of the box: counts how often it was switched. */
  revision: number
  access: BoxAccess
  limit: OpeningLimit | null
  activeFrom: Date | null
  activeUntil: Date | null
  fallbackItemId: string | null
  oddsHash: string
  createdAt: Date
  publishedAt: Date
}

export interface BoxDetails extends BoxSummary {
  entries: readonly EntryDetails[]
}

export interface EntryDetails {
  itemId: string
  weight: bigint
  stock: number | null
  /** The rest of the stock; null for unlimited, 0 if a later version has taken it over. */
  remaining: number | null
}

/** The current version, or the given one. Throws `box_unknown`. */
export async function getBox(
  database: Database,
  { casinoId, boxId }: BoxName,
  version?: number,
): Promise<BoxDetails> {
  const [box] = await database.$queryRaw<BoxSummary[]>`
    SELECT ${summary}
      FROM box
      JOIN box_version ON box_version.casino_id = box.casino_id AND box_version.box_id = box.id
                      AND box_version.version = COALESCE(${version ?? null}::int, box.current_version)
     WHERE box.casino_id = ${casinoId}::text AND box.id = ${boxId}::text`
  if (box === undefined) throw new RewardsError('box_unknown')
  // A version never changes, so its entries can be read later.
  const entries = await database.$queryRaw<EntryDetails[]>`
    SELECT box_entry.item_id AS "itemId", box_entry.weight, box_entry.stock, box_stock.remaining
      FROM box_entry
      LEFT JOIN box_stock
        ON box_stock.casino_id = box_entry.casino_id AND box_stock.box_id = box_entry.box_id
       AND box_stock.version = box_entry.version AND box_stock.position = box_entry.position
     WHERE box_entry.casino_id = ${casinoId}::text AND box_entry.box_id = ${boxId}::text
       AND box_entry.version = ${box.version}::int
     ORDER BY box_entry.position`
  return { ...box, entries }
}

export async function listBoxes(
  database: Database,
  casinoId: string,
  page: ListRequest,
): Promise<Page<BoxSummary>> {
  const current = currentBoxes(casinoId)
  if (hasRange(page)) {
    const scan: Scan = {
      from: () => sql`box`,
      id: sql`box.id`,
      within: sql`box.casino_id = ${casinoId}::text`,
      columns: sql`box.created_at`,
      wanted: sql`true`,
    }
    return scanPage(
      database,
      page,
      scan,
      (ids) =>
        database.$queryRaw<BoxSummary[]>`SELECT ${summary} ${current} AND box.id = ANY(${textArray(ids)})`,
    )
  }
  const { conditions, direction } = listSql(page, { id: sql`box.id`, createdAt: sql`box.created_at` })
  const rows = await database.$queryRaw<BoxSummary[]>`
    SELECT ${summary} ${current} ${conditions}
     ORDER BY box.id ${direction}
     LIMIT ${page.limit + 1}::int`
  return toPage(rows, page)
}

/** The versions of a box, the newest first. Throws `box_unknown`. */
export async function listVersions(
  database: Database,
  { casinoId, boxId }: BoxName,
  { limit, before }: { limit: number; before: number | undefined },
): Promise<Page<BoxSummary>> {
  const rows = await database.$queryRaw<BoxSummary[]>`
    SELECT ${summary}
      FROM box
      JOIN box_version ON box_version.casino_id = box.casino_id AND box_version.box_id = box.id
     WHERE box.casino_id = ${casinoId}::text AND box.id = ${boxId}::text
       AND box_version.version < ${before ?? versionMax}::int
     ORDER BY box_version.version DESC
     LIMIT ${limit + 1}::int`
  // Every box has a first version.
  if (rows.length === 0 && before === undefined) throw new RewardsError('box_unknown')
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  return { rows: shown, nextAfterId: last && String(last.version) }
}

const versionMax = 2 ** 31 - 1

/** The boxes of a casino with their current versions. */
export function currentBoxes(casinoId: string): Prisma.Sql {
  return sql`
      FROM box
      JOIN box_version ON box_version.casino_id = box.casino_id AND box_version.box_id = box.id
                      AND box_version.version = box.current_version
     WHERE box.casino_id = ${casinoId}::text`
}

/** The columns of a BoxSummary. */
export const summary = sql`
  box.id, box_version.version, box_version.name, box_version.description, box_version.image_url AS "imageUrl",
  box.enabled AS "isEnabled", box.revision, box_version.access,
  CASE WHEN box_version.limit_count IS NOT NULL
       THEN json_build_object('count', box_version.limit_count, 'period', box_version.limit_period,
                              'timeZone', COALESCE(box_version.limit_time_zone, 'UTC')) END AS "limit",
  box_version.active_from AS "activeFrom", box_version.active_until AS "activeUntil", box_version.fallback_item_id AS "fallbackItemId",
  box_version.odds_hash AS "oddsHash",
  box.created_at AS "createdAt", box_version.created_at AS "publishedAt"`
