import type { Database } from '../platform/database.ts'
import { instant, sql, textArray } from '../platform/sql.ts'
import type { BoxName } from './box-name.ts'

/**
 * Publishes a box's current version in the casino's sandbox, as the box's next version there: always, or where the sandbox
 * has another one, which is so when an earlier copy failed. See `copyBoxes`.
 */
export async function mirrorBox(
  database: Database,
  now: Date,
  { casinoId, boxId }: BoxName,
  when: 'always' | 'different',
): Promise<void> {
  await copyBoxes(database, now, casinoId, { boxIds: [boxId], existing: when })
}

/** A box has up to a thousand entries, and a statement a few seconds. */
const copiedAtOnceMax = 20

/** Publishes the current versions of all boxes that the casino's sandbox lacks. */
export async function mirrorMissingBoxes(database: Database, now: Date, casinoId: string): Promise<void> {
  for (let afterId = ''; ;) {
    const missing = await database.$queryRaw<{ id: string }[]>`
      SELECT box.id
        FROM box
        JOIN casino AS sandbox ON sandbox.sandbox_of = box.casino_id
       WHERE box.casino_id = ${casinoId}::text AND box.id > ${afterId}::text
         AND NOT EXISTS (SELECT FROM box AS copy WHERE copy.casino_id = sandbox.id AND copy.id = box.id)
       ORDER BY box.id
       LIMIT ${copiedAtOnceMax}::int`
    const last = missing.at(-1)
    if (last === undefined) return
    await copyBoxes(database, now, casinoId, { boxIds: missing.map(({ id }) => id), existing: 'never' })
    afterId = last.id
  }
}

/** Switches the sandbox's copy of a box on or off as the box is now. Without a sandbox, or a copy, it does nothing. */
export async function mirrorSwitch(database: Database, { casinoId, boxId }: BoxName): Promise<void> {
  await database.$executeRaw`
    WITH original AS (
      SELECT sandbox.id AS sandbox_id, box.id, box.enabled
        FROM casino AS sandbox
        JOIN box ON box.casino_id = sandbox.sandbox_of
       WHERE sandbox.sandbox_of = ${casinoId}::text AND box.id = ${boxId}::text
         FOR SHARE OF box
    )
    UPDATE box SET enabled = original.enabled
      FROM original
     WHERE box.casino_id = original.sandbox_id AND box.id = original.id`
}

/**
 * One statement: the versions, their entries, full stocks, and the items that the sandbox lacks. `existing` says which of
 * the boxes that the sandbox has get a version more. Without a sandbox nothing happens.
 *
 * The originals are locked against publishing meanwhile, so that of two copies at once the later one has the later
 * version. Where a version was published since this statement began, nothing is found: who published it copies it.
 */
async function copyBoxes(
  database: Database,
  now: Date,
  casinoId: string,
  { boxIds, existing }: { boxIds: readonly string[]; existing: 'always' | 'different' | 'never' },
): Promise<void> {
  await database.$executeRaw`
    WITH original AS (
      SELECT sandbox.id AS sandbox_id, box.casino_id, box.id, box.current_version, box.enabled
        FROM casino AS sandbox
        JOIN box ON box.casino_id = sandbox.sandbox_of
       WHERE sandbox.sandbox_of = ${casinoId}::text AND box.id = ANY(${textArray(boxIds)})
       ORDER BY box.id
         FOR SHARE OF box
    ),
    found AS (
      SELECT original.sandbox_id, original.enabled, box_version.*
        FROM original
        JOIN box_version ON box_version.casino_id = original.casino_id AND box_version.box_id = original.id
                        AND box_version.version = original.current_version
       WHERE ${existing !== 'different'}::boolean OR NOT EXISTS (
         SELECT FROM box AS copy
           JOIN box_version AS copied ON copied.casino_id = copy.casino_id AND copied.box_id = copy.id
                                     AND copied.version = copy.current_version
          WHERE copy.casino_id = original.sandbox_id AND copy.id = original.id
            AND ${contentsOf('copied')} IS NOT DISTINCT FROM ${contentsOf('box_version')}
       )
    ),
    items_copied AS (
      INSERT INTO item (casino_id, id, name, kind, description, image_url, cashback_amount_minor, cashback_currency,
                        claim_days, created_at, updated_at)
      SELECT named.sandbox_id, item.id, item.name, item.kind, item.description, item.image_url,
             item.cashback_amount_minor, item.cashback_currency, item.claim_days, ${instant(now)},
             ${instant(now)}
        FROM (
          SELECT found.sandbox_id, found.casino_id, box_entry.item_id
            FROM found JOIN box_entry USING (casino_id, box_id, version)
           UNION
          SELECT sandbox_id, casino_id, fallback_item_id FROM found
        ) AS named
        JOIN item ON item.casino_id = named.casino_id AND item.id = named.item_id
       ORDER BY item.id
      ON CONFLICT (casino_id, id) DO NOTHING
    ),
    box_moved AS (
      INSERT INTO box (casino_id, id, current_version, enabled, created_at)
      SELECT sandbox_id, box_id, 1, enabled, ${instant(now)} FROM found ORDER BY box_id
      ON CONFLICT (casino_id, id) DO UPDATE SET current_version = box.current_version + 1
       WHERE ${existing !== 'never'}::boolean
      RETURNING casino_id AS sandbox_id, id AS box_id, current_version AS next_version
    ),
    version_published AS (
      INSERT INTO box_version (casino_id, box_id, version, name, description, image_url, access, limit_count,
                               limit_period, limit_time_zone, active_from, active_until, fallback_item_id, odds_hash,
                               created_at)
      SELECT sandbox_id, box_id, next_version, name, description, image_url, access, limit_count, limit_period,
             limit_time_zone, active_from, active_until, fallback_item_id, odds_hash, ${instant(now)}
        FROM found JOIN box_moved USING (sandbox_id, box_id)
    ),
    entries_published AS (
      INSERT INTO box_entry (casino_id, box_id, version, position, item_id, weight, stock)
      SELECT sandbox_id, box_id, next_version, position, item_id, weight, stock
        FROM found JOIN box_moved USING (sandbox_id, box_id)
        JOIN box_entry USING (casino_id, box_id, version)
    )
    INSERT INTO box_stock (casino_id, box_id, version, position, remaining)
    SELECT sandbox_id, box_id, next_version, position, stock
      FROM found JOIN box_moved USING (sandbox_id, box_id)
      JOIN box_entry USING (casino_id, box_id, version)
     WHERE stock IS NOT NULL`
}

/** All that a version says: its odds hash stands for entries, stocks and fallback. */
function contentsOf(version: 'copied' | 'box_version') {
  const columns = {
    copied: sql`copied.name, copied.description, copied.image_url, copied.access, copied.limit_count,
                copied.limit_period, copied.limit_time_zone, copied.active_from, copied.active_until, copied.odds_hash`,
    box_version: sql`box_version.name, box_version.description, box_version.image_url, box_version.access,
                     box_version.limit_count, box_version.limit_period, box_version.limit_time_zone,
                     box_version.active_from, box_version.active_until, box_version.odds_hash`,
  }
  return sql`ROW(${columns[version]})`
}
