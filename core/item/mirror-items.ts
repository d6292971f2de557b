import type { Database, Prisma } from '../platform/database.ts'
import { instant, sql } from '../platform/sql.ts'
import { insertInto, sameColumns } from '../platform/sql-insert.ts'

/** Copies an item, in its current state, into the casino's sandbox. See `copyItems`. */
export async function mirrorItem(
  database: Database,
  now: Date,
  { casinoId, id }: { casinoId: string; id: string },
): Promise<void> {
  await copyItems(database, now, casinoId, id)
}

/** Copies all items that the casino's sandbox lacks. */
export async function mirrorMissingItems(database: Database, now: Date, casinoId: string): Promise<void> {
  await copyItems(database, now, casinoId, null)
}

/**
 * A single statement. It replaces an existing copy only if one item is named, and does nothing without a sandbox. The
 * originals are locked meanwhile, so that of two simultaneous copies the later one has the later state.
 */
async function copyItems(
  database: Database,
  now: Date,
  casinoId: string,
  itemId: string | null,
): Promise<void> {
  await database.$executeRaw`
    WITH original AS (
      SELECT sandbox.id AS sandbox_id, item.*
        FROM casino AS sandbox
        JOIN item ON item.casino_id = sandbox.sandbox_of
       WHERE sandbox.sandbox_of = ${casinoId}::text AND (${itemId}::text IS NULL OR item.id = ${itemId}::text)
       ORDER BY item.id
         FOR SHARE OF item
    )
    ${copiedItems(sql`original`, now)}
    ON CONFLICT (casino_id, id) DO UPDATE
       SET name = EXCLUDED.name, kind = EXCLUDED.kind, description = EXCLUDED.description,
           image_url = EXCLUDED.image_url, cashback_amount_minor = EXCLUDED.cashback_amount_minor,
           cashback_currency = EXCLUDED.cashback_currency, claim_days = EXCLUDED.claim_days,
           revision = item.revision + 1, updated_at = EXCLUDED.updated_at
     WHERE ${itemId}::text IS NOT NULL`
}

/** An insertion of items into sandboxes; `from` has the columns of the items and `sandbox_id`. */
export function copiedItems(from: Prisma.Sql, now: Date): Prisma.Sql {
  return insertInto('item', {
    from,
    columns: {
      casino_id: sql`sandbox_id`,
      ...sameColumns(
        'id',
        'name',
        'kind',
        'description',
        'image_url',
        'cashback_amount_minor',
        'cashback_currency',
        'claim_days',
      ),
      created_at: instant(now),
      updated_at: instant(now),
    },
  })
}
