import type { Database } from '../platform/database.ts'
import { singleRow } from '../platform/single-row.ts'
import { batchInput, bigint, instant, int, text, textArray } from '../platform/sql.ts'
import type { BoxDefinition } from './box-definition.ts'
import type { BoxName } from './load-boxes.ts'
import { hashOddsTable } from './odds-table.ts'

/** The number of the version that was published, or what it names that there is not. */
export type PublishResult =
  { version: number } | { unknownItemIds: ReadonlySet<string> } | { unknownTimeZone: string }

/**
 * Publishes a box's next version: the version, its entries, their stocks and the box's pointer to it are one statement.
 * Stocks begin anew with each version. Callers at once get one version each, one after the other: the box's row is the
 * lock. Openings that have loaded the version before still use that one. `definition` has no problems.
 */
export async function publishBox(
  database: Database,
  now: Date,
  { casinoId, boxId }: BoxName,
  definition: BoxDefinition,
): Promise<PublishResult> {
  // Items are never deleted, so what is known here is known in the statement below.
  const unknownItemIds = await findUnknownItems(database, casinoId, definition)
  if (unknownItemIds.size > 0) return { unknownItemIds }
  const { entries, limit } = definition
  const timeZone = limit === null ? null : await findTimeZone(database, limit.timeZone)
  if (limit !== null && timeZone === null) return { unknownTimeZone: limit.timeZone }
  const rows = await database.$queryRaw<{ version: number }[]>`
    WITH input AS (
      SELECT * FROM ${batchInput(entries, {
        item_id: text((entry) => entry.itemId),
        weight: bigint((entry) => entry.weight),
        stock: int((entry) => entry.stock),
        position: int((_, index) => index + 1),
      })}
    ),
    box_moved AS (
      INSERT INTO box (casino_id, id, current_version, created_at)
      VALUES (${casinoId}::text, ${boxId}::text, 1, ${instant(now)})
      ON CONFLICT (casino_id, id) DO UPDATE SET current_version = box.current_version + 1
      RETURNING casino_id, id AS box_id, current_version AS version
    ),
    version_published AS (
      INSERT INTO box_version (casino_id, box_id, version, name, description, image_url, access, limit_count,
                               limit_period, limit_time_zone, active_from, active_until, fallback_item_id, odds_hash, created_at)
      SELECT casino_id, box_id, version, ${definition.name}::text, ${definition.description}::text,
             ${definition.imageUrl}::text, ${definition.access}::text,
             ${limit?.count ?? null}::int, ${limit?.period ?? null}::text, ${timeZone}::text,
             ${instant(definition.activeFrom)}, ${instant(definition.activeUntil)},
             ${definition.fallbackItemId}::text, ${hashOddsTable(definition)}::text, ${instant(now)}
        FROM box_moved
    ),
    entries_published AS (
      INSERT INTO box_entry (casino_id, box_id, version, position, item_id, weight, stock)
      SELECT casino_id, box_id, version, position, item_id, weight, stock
        FROM box_moved CROSS JOIN input
    ),
    stocks_filled AS (
      INSERT INTO box_stock (casino_id, box_id, version, position, remaining)
      SELECT casino_id, box_id, version, position, stock
        FROM box_moved CROSS JOIN input
       WHERE stock IS NOT NULL
    )
    SELECT version FROM box_moved`
  return { version: singleRow(rows).version }
}

async function findUnknownItems(
  database: Database,
  casinoId: string,
  { entries, fallbackItemId }: BoxDefinition,
): Promise<ReadonlySet<string>> {
  const named = new Set(entries.map((entry) => entry.itemId))
  if (fallbackItemId !== null) named.add(fallbackItemId)
  const rows = await database.$queryRaw<{ id: string }[]>`
    SELECT id FROM item WHERE casino_id = ${casinoId}::text AND id = ANY(${textArray([...named])})`
  for (const { id } of rows) named.delete(id)
  return named
}

/**
 * The time zone's name as PostgreSQL, which does the reckoning, spells it; it reads names in any case. Null for a name that
 * it does not know: every opening of the box would fail.
 */
export async function findTimeZone(database: Database, name: string): Promise<string | null> {
  if (name === 'UTC') return name
  const [zone] = await database.$queryRaw<{ name: string }[]>`
    SELECT name FROM pg_timezone_names WHERE lower(name) = lower(${name}::text) LIMIT 1`
  return zone?.name ?? null
}
