import { RewardsError } from '../errors.ts'
import type { Money } from '../money.ts'
import { hasRange, listQuery, scanPage, toPage } from '../page.ts'
import type { ListRequest, Page, Scan } from '../page.ts'
import type { Database, Prisma } from '../platform/database.ts'
import type { ReserveQuota } from '../platform/reserve-quota.ts'
import { instant, sql } from '../platform/sql.ts'
import { insertInto } from '../platform/sql-insert.ts'
import type { ItemKind } from './item-kinds.ts'

/** The casino's definition of an item. A prize copies it when it is won, so a change affects later prizes only. */
export interface ItemDefinition {
  name: string
  kind: ItemKind
  description: string | null
  imageUrl: string | null
  cashback: Money | null
  /** The number of days in which a prize can be claimed; null for no limit. */
  claimDays: number | null
}

/** An item of a casino's catalogue. Items are never deleted: boxes and prizes name them. */
export type Item = Omit<Prisma.ItemModel, 'casinoId'>

/**
 * Creates the item or replaces its whole definition. Throws `quota_exceeded`, and `revision_changed` if it has another
 * revision than the expected one (0: there is none yet).
 */
export async function putItem(
  { database, reserveQuota }: { database: Database; reserveQuota: ReserveQuota },
  now: Date,
  { casinoId, id, expectedRevision }: { casinoId: string; id: string; expectedRevision: number | undefined },
  item: ItemDefinition,
): Promise<Item> {
  const amountMinor = item.cashback === null ? null : String(item.cashback.amountMinor)
  const others = sql`SELECT count(*) FROM item WHERE casino_id = ${casinoId}::text AND id <> ${id}::text`
  // Items are never deleted: an existing one needs no quota, and one that is not there was never seen.
  const isThere = (await database.item.count({ where: { casinoId, id } })) > 0
  if (!isThere && (expectedRevision ?? 0) > 0) throw new RewardsError('revision_changed')
  const run = await reserveQuota(casinoId, isThere ? [] : [{ quota: 'items', added: 1, used: others }])
  const expected = sql`${expectedRevision ?? null}::int`
  const [row] = await run(database.$queryRaw<Item[]>`
      ${insertInto('item', {
        columns: {
          casino_id: sql`${casinoId}::text`,
          id: sql`${id}::text`,
          name: sql`${item.name}::text`,
          kind: sql`${item.kind}::text`,
          description: sql`${item.description}::text`,
          image_url: sql`${item.imageUrl}::text`,
          cashback_amount_minor: sql`${amountMinor}::bigint`,
          cashback_currency: sql`${item.cashback?.currency ?? null}::text`,
          claim_days: sql`${item.claimDays}::int`,
          created_at: instant(now),
          updated_at: instant(now),
        },
      })}
      ON CONFLICT (casino_id, id) DO UPDATE
         SET name = EXCLUDED.name, kind = EXCLUDED.kind, description = EXCLUDED.description,
             image_url = EXCLUDED.image_url, cashback_amount_minor = EXCLUDED.cashback_amount_minor,
             cashback_currency = EXCLUDED.cashback_currency, claim_days = EXCLUDED.claim_days,
             revision = item.revision + 1, updated_at = EXCLUDED.updated_at
       WHERE ${expected} IS NULL OR item.revision = ${expected}
      RETURNING id, name, kind, description, image_url AS "imageUrl",
                cashback_amount_minor AS "cashbackAmountMinor", cashback_currency AS "cashbackCurrency",
                claim_days AS "claimDays", revision, created_at AS "createdAt", updated_at AS "updatedAt"`)
  if (row === undefined) throw new RewardsError('revision_changed')
  return row
}

/** Throws `item_unknown`. */
export async function getItem(database: Database, casinoId: string, id: string): Promise<Item> {
  const item = await database.item.findUnique({ where: { casinoId_id: { casinoId, id } } })
  if (item === null) throw new RewardsError('item_unknown')
  return item
}

export async function listItems(
  database: Database,
  casinoId: string,
  page: ListRequest,
): Promise<Page<Item>> {
  if (hasRange(page)) {
    const scan: Scan = {
      from: () => sql`item`,
      id: sql`item.id`,
      within: sql`item.casino_id = ${casinoId}::text`,
      columns: sql`item.created_at`,
      wanted: sql`true`,
    }
    return scanPage(database, page, scan, (ids) =>
      database.item.findMany({ where: { casinoId, id: { in: [...ids] } } }),
    )
  }
  const { where, ...part } = listQuery(page)
  const rows = await database.item.findMany({
    where: { casinoId, ...where },
    ...part,
  })
  return toPage(rows, page)
}
