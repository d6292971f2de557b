import { hasRange, listQuery, scanPage, toPage } from '../page.ts'
import type { ListRequest, Page, Scan } from '../page.ts'
import type { Database } from '../platform/database.ts'
import { sql } from '../platform/sql.ts'
import type { Grant } from './decide-grants.ts'

/** A player's grants, including used and expired ones; empty for an unknown player. */
export async function listGrants(
  database: Database,
  filter: { casinoId: string; playerId: string; boxId: string | undefined },
  page: ListRequest,
): Promise<Page<Grant>> {
  const { casinoId, playerId, boxId } = filter
  const omit = { casinoId: true } as const
  if (boxId !== undefined || hasRange(page)) {
    const scan: Scan = {
      from: () => sql`opening_grant`,
      id: sql`opening_grant.id`,
      within: sql`opening_grant.casino_id = ${casinoId}::text AND opening_grant.player_id = ${playerId}::text`,
      columns: sql`opening_grant.created_at, opening_grant.box_id`,
      wanted: boxId === undefined ? sql`true` : sql`scanned.box_id = ${boxId}::text`,
    }
    return scanPage(database, page, scan, (ids) =>
      database.grant.findMany({ where: { casinoId, id: { in: [...ids] } }, omit }),
    )
  }
  const { where, ...part } = listQuery(page)
  const rows = await database.grant.findMany({ where: { casinoId, playerId, ...where }, omit, ...part })
  return toPage(rows, page)
}
