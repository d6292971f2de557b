import { listQuery, toPage } from '../page.ts'
import type { ListRequest, Page } from '../page.ts'
import type { Database } from '../platform/database.ts'
import type { Grant } from './decide-grants.ts'

/** A player's grants, also those that are used up or expired; of a player whom we do not know, none. */
export async function listGrants(
  database: Database,
  filter: { casinoId: string; playerId: string; boxId: string | undefined },
  page: ListRequest,
): Promise<Page<Grant>> {
  const { where, ...part } = listQuery(page)
  const rows = await database.grant.findMany({
    where: {
      casinoId: filter.casinoId,
      playerId: filter.playerId,
      ...(filter.boxId === undefined ? {} : { boxId: filter.boxId }),
      ...where,
    },
    omit: { casinoId: true },
    ...part,
  })
  return toPage(rows, page)
}
