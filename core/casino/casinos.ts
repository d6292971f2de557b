import { RewardsError } from '../errors.ts'
import { hasRange, listQuery, scanPage, toPage } from '../page.ts'
import type { ListRequest, Page, Scan } from '../page.ts'
import type { Database } from '../platform/database.ts'
import { instant, sql, textArray } from '../platform/sql.ts'

/** A tenant: everything else belongs to one. Casinos are never deleted. */
export interface Casino {
  id: string
  name: string
  /** The casino whose test data this sandbox holds; null for a real casino. */
  sandboxOf: string | null
  revision: number
  createdAt: Date
  updatedAt: Date
}

interface CasinoWish {
  id: string
  name: string
  /** The revision that the caller has seen, 0 if there was none; undefined for a change of any revision. */
  expectedRevision: number | undefined
}

/**
 * Creates or renames the casino, in one statement, so that two simultaneous calls both succeed. Not for sandboxes:
 * `ensureSandbox` creates those, and `renameCasino` renames them. Throws `revision_changed`.
 */
export async function putCasino(
  database: Database,
  now: Date,
  { id, name, expectedRevision }: CasinoWish,
): Promise<Casino> {
  // Casinos are never deleted: one that is not there was never seen.
  if ((expectedRevision ?? 0) > 0 && !(await hasCasino(database, id)))
    throw new RewardsError('revision_changed')
  const expected = sql`${expectedRevision ?? null}::int`
  const [row] = await database.$queryRaw<Casino[]>`
    INSERT INTO casino (id, name, created_at, updated_at)
    VALUES (${id}::text, ${name}::text, ${instant(now)}, ${instant(now)})
    ON CONFLICT (id) DO UPDATE
       SET name = EXCLUDED.name, revision = casino.revision + 1, updated_at = EXCLUDED.updated_at
     WHERE ${expected} IS NULL OR casino.revision = ${expected}
    RETURNING id, name, sandbox_of AS "sandboxOf", revision, created_at AS "createdAt", updated_at AS "updatedAt"`
  if (row === undefined) throw new RewardsError('revision_changed')
  return row
}

/** Undefined if the casino does not exist. Throws `revision_changed`. */
export async function renameCasino(
  database: Database,
  now: Date,
  { id, name, expectedRevision }: CasinoWish,
): Promise<Casino | undefined> {
  const [casino] = await database.casino.updateManyAndReturn({
    where: { id, ...(expectedRevision === undefined ? {} : { revision: expectedRevision }) },
    data: { name, revision: { increment: 1 }, updatedAt: now },
  })
  if (casino === undefined && (await hasCasino(database, id))) throw new RewardsError('revision_changed')
  return casino
}

/** Whether the casino, or the sandbox, exists. */
export async function hasCasino(database: Database, id: string): Promise<boolean> {
  return (await database.casino.count({ where: { id } })) > 0
}

/** Throws `casino_unknown`. */
export async function getCasino(database: Database, id: string): Promise<Casino> {
  const casino = await database.casino.findUnique({ where: { id } })
  if (casino === null) throw new RewardsError('casino_unknown')
  return casino
}

/**
 * All casinos, or those with these ids and their sandboxes; with `beginning` only those whose id or name begins with it,
 * in capital or small letters.
 */
export async function listCasinos(
  database: Database,
  page: ListRequest,
  scope: 'all' | readonly string[],
  beginning?: string,
): Promise<Page<Casino>> {
  if (beginning !== undefined) {
    const ids = scope === 'all' ? undefined : textArray(scope)
    const scan: Scan = {
      from: () => sql`casino`,
      id: sql`casino.id`,
      within:
        ids === undefined ? sql`true` : sql`(casino.id = ANY(${ids}) OR casino.sandbox_of = ANY(${ids}))`,
      columns: sql`casino.name, casino.created_at`,
      wanted: sql`(starts_with(lower(scanned.id), lower(${beginning}::text))
                OR starts_with(lower(scanned.name), lower(${beginning}::text)))`,
    }
    return scanPage(database, page, scan, (found) =>
      database.casino.findMany({ where: { id: { in: [...found] } } }),
    )
  }
  if (scope !== 'all') {
    const { where, ...part } = listQuery(page)
    const ids = [...scope]
    const rows = await database.casino.findMany({
      where: { AND: [where, { OR: [{ id: { in: ids } }, { sandboxOf: { in: ids } }] }] },
      ...part,
    })
    return toPage(rows, page)
  }
  if (hasRange(page)) {
    const scan: Scan = {
      from: () => sql`casino`,
      id: sql`casino.id`,
      within: sql`true`,
      columns: sql`casino.created_at`,
      wanted: sql`true`,
    }
    return scanPage(database, page, scan, (ids) =>
      database.casino.findMany({ where: { id: { in: [...ids] } } }),
    )
  }
  const { where, ...part } = listQuery(page)
  const rows = await database.casino.findMany({
    where,
    ...part,
  })
  return toPage(rows, page)
}
