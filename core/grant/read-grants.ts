import { hasRange, listQuery, scanPage, scannedMax, toPage, toScannedPage } from '../page.ts'
import type { ListRequest, Page, Scan, Scanned } from '../page.ts'
import { Prisma } from '../platform/database.ts'
import type { Database } from '../platform/database.ts'
import { singleRow } from '../platform/single-row.ts'
import { instant, sql } from '../platform/sql.ts'
import type { Grant } from './decide-grants.ts'

/** A player's grants, including used and expired ones; empty for an unknown player. */
export async function listPlayerGrants(
  database: Database,
  filter: { casinoId: string; playerId: string; boxId: string | undefined; grantId: string | undefined },
  page: ListRequest,
): Promise<Page<Grant>> {
  const { casinoId, playerId, boxId, grantId } = filter
  const omit = { casinoId: true } as const
  if (boxId !== undefined || hasRange(page)) {
    const scan: Scan = {
      from: () => sql`opening_grant`,
      id: sql`opening_grant.id`,
      within: sql`opening_grant.casino_id = ${casinoId}::text AND opening_grant.player_id = ${playerId}::text ${itself(grantId)}`,
      columns: sql`opening_grant.created_at, opening_grant.box_id`,
      wanted: boxId === undefined ? sql`true` : sql`scanned.box_id = ${boxId}::text`,
    }
    return scanPage(database, page, scan, (ids) =>
      database.grant.findMany({ where: { casinoId, id: { in: [...ids] } }, omit }),
    )
  }
  const { where, ...part } = listQuery(page)
  const one = grantId === undefined ? {} : { id: grantId }
  const rows = await database.grant.findMany({
    where: { casinoId, playerId, AND: [where, one] },
    omit,
    ...part,
  })
  return toPage(rows, page)
}

/**
 * A casino's grants, in the order of their time: their ids are often chosen by the casino. For a page of a box it
 * looks at a thousand. A place in the list is the id of a grant, because grants are never deleted.
 */
export async function listGrants(
  database: Database,
  { casinoId, boxId, grantId }: { casinoId: string; boxId: string | undefined; grantId: string | undefined },
  page: ListRequest,
): Promise<Page<Grant>> {
  const [direction, opposite, beyond] =
    page.order === 'asc' ? [sql`ASC`, sql`DESC`, sql`>`] : [sql`DESC`, sql`ASC`, sql`<`]
  const max = boxId === undefined ? page.limit + 1 : scannedMax
  const rows = await database.$queryRaw<Scanned[]>`
    WITH scanned AS MATERIALIZED (
      SELECT id, box_id, created_at FROM opening_grant
       WHERE casino_id = ${casinoId}::text ${itself(grantId)} ${beyondPlace(casinoId, page.afterId, beyond)} ${withinRange(page)}
       ORDER BY created_at ${direction}, id ${direction} LIMIT ${max}::int
    ),
    matched AS (
      SELECT id, created_at FROM scanned
       WHERE ${boxId ?? null}::text IS NULL OR box_id = ${boxId ?? null}::text
       ORDER BY created_at ${direction}, id ${direction} LIMIT ${page.limit + 1}::int
    )
    SELECT (SELECT count(*)::int FROM scanned) AS count,
           (SELECT id FROM scanned ORDER BY created_at ${opposite}, id ${opposite} LIMIT 1) AS "lastId",
           ARRAY(SELECT id FROM matched ORDER BY created_at ${direction}, id ${direction}) AS ids`
  return toScannedPage(singleRow(rows), page, (ids) =>
    database.grant.findMany({ where: { casinoId, id: { in: [...ids] } }, omit: { casinoId: true } }),
  )
}

function itself(grantId: string | undefined): Prisma.Sql {
  return grantId === undefined ? Prisma.empty : sql`AND opening_grant.id = ${grantId}::text`
}

function beyondPlace(casinoId: string, afterId: string | undefined, beyond: Prisma.Sql): Prisma.Sql {
  if (afterId === undefined) return Prisma.empty
  return sql`AND (created_at, id) ${beyond} (
    (SELECT created_at FROM opening_grant WHERE casino_id = ${casinoId}::text AND id = ${afterId}::text), ${afterId}::text)`
}

function withinRange({ createdFrom, createdUntil }: ListRequest): Prisma.Sql {
  const from = createdFrom === undefined ? Prisma.empty : sql`AND created_at >= ${instant(createdFrom)}`
  return createdUntil === undefined ? from : sql`${from} AND created_at < ${instant(createdUntil)}`
}
