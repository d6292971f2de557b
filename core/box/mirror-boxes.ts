import { copiedItems } from '../item/mirror-items.ts'
import { Prisma } from '../platform/database.ts'
import type { Database } from '../platform/database.ts'
import { sql, textArray, timed } from '../platform/sql.ts'
import { insertInto, sameColumns } from '../platform/sql-insert.ts'
import type { BoxName } from './box-name.ts'

/**
 * Publishes a box's current version in the casino's sandbox as the box's next version there: always, or only if the
 * sandbox's version differs because an earlier copy failed. See `copyBoxes`.
 */
export async function mirrorBox(
  database: Database,
  now: Date,
  { casinoId, boxId }: BoxName,
  when: 'always' | 'different',
): Promise<void> {
  await copyBoxes(database, now, casinoId, { boxIds: [boxId], existing: when })
}

/** A box has up to a thousand entries, and a statement takes at most a few seconds. */
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

/** Switches the sandbox's copy of a box on or off, like the box. Does nothing without a sandbox or a copy. */
export async function mirrorSwitch(database: Database, { casinoId, boxId }: BoxName): Promise<void> {
  await database.$executeRaw`
    WITH original AS (
      SELECT sandbox.id AS sandbox_id, box.id, box.enabled
        FROM casino AS sandbox
        JOIN box ON box.casino_id = sandbox.sandbox_of
       WHERE sandbox.sandbox_of = ${casinoId}::text AND box.id = ${boxId}::text
         FOR SHARE OF box
    )
    UPDATE box SET enabled = original.enabled, revision = box.revision + 1
      FROM original
     WHERE box.casino_id = original.sandbox_id AND box.id = original.id AND box.enabled <> original.enabled`
}

/**
 * One statement: the versions, their entries, full stocks, and the items that the sandbox lacks. `existing` tells which
 * of the sandbox's boxes get another version. Does nothing without a sandbox.
 *
 * The originals are locked against publishing, so that of two simultaneous copies the later one has the later version.
 * If a version was published since this statement began, it is not found: its publication copies it.
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
      ${copiedItems(
        sql`(
          SELECT found.sandbox_id, found.casino_id, box_entry.item_id
            FROM found JOIN box_entry USING (casino_id, box_id, version)
           UNION
          SELECT sandbox_id, casino_id, fallback_item_id FROM found
        ) AS named
        JOIN item ON item.casino_id = named.casino_id AND item.id = named.item_id
       ORDER BY item.id`,
        now,
      )}
      ON CONFLICT (casino_id, id) DO NOTHING
    ),
    box_moved AS (
      ${insertedBoxes(now)}
      ON CONFLICT (casino_id, id) DO UPDATE SET current_version = box.current_version + 1
       WHERE ${existing !== 'never'}::boolean
      RETURNING casino_id AS sandbox_id, id AS box_id, current_version AS next_version
    ),
    version_published AS (
      ${insertedVersions(now)}
    ),
    entries_published AS (
      ${insertedEntries}
    )
    ${insertedStocks}`
}

/** The complete contents of a version: its odds hash covers entries, stocks and fallback. */
const contents = [
  'name',
  'description',
  'image_url',
  'access',
  'limit_count',
  'limit_period',
  'limit_time_zone',
  'active_from',
  'active_until',
  'odds_hash',
] as const

function contentsOf(version: 'copied' | 'box_version'): Prisma.Sql {
  return Prisma.raw(`ROW(${contents.map((column) => `${version}.${column}`).join(', ')})`)
}

const newVersion = {
  casino_id: sql`sandbox_id`,
  box_id: sql`box_id`,
  version: sql`next_version`,
}

const insertedBoxes = timed((now) =>
  insertInto('box', {
    from: sql`found ORDER BY box_id`,
    columns: {
      casino_id: sql`sandbox_id`,
      id: sql`box_id`,
      current_version: sql`1`,
      enabled: sql`enabled`,
      created_at: now,
    },
  }),
)

const insertedVersions = timed((now) =>
  insertInto('box_version', {
    from: sql`found JOIN box_moved USING (sandbox_id, box_id)`,
    columns: {
      ...newVersion,
      ...sameColumns(...contents, 'fallback_item_id'),
      created_at: now,
    },
  }),
)

const copiedEntries = sql`found JOIN box_moved USING (sandbox_id, box_id)
      JOIN box_entry USING (casino_id, box_id, version)`

const insertedEntries = insertInto('box_entry', {
  from: copiedEntries,
  columns: {
    ...newVersion,
    ...sameColumns('position', 'item_id', 'weight', 'stock'),
  },
})

const insertedStocks = insertInto('box_stock', {
  from: sql`${copiedEntries} WHERE stock IS NOT NULL`,
  columns: {
    ...newVersion,
    position: sql`position`,
    remaining: sql`stock`,
  },
})
