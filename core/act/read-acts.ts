import { RewardsError } from '../errors.ts'
import { listQuery, toPage } from '../page.ts'
import type { ListRequest, Page, PageRequest } from '../page.ts'
import type { Database } from '../platform/database.ts'
import { toAct } from './act.ts'
import type { ActRecord } from './act.ts'
import type { ActObjectState, ActState } from './state.ts'

/** Throws `act_unknown`. */
export async function getAct(database: Database, casinoId: string, actId: string): Promise<ActRecord> {
  const row = await database.act.findUnique({ where: { id: actId } })
  if (row?.casinoId !== casinoId) throw new RewardsError('act_unknown')
  return toAct(row)
}

/** Of a state, if there is one. */
export async function listActs(
  database: Database,
  { casinoId, state }: { casinoId: string; state: ActState | undefined },
  page: ListRequest,
): Promise<Page<ActRecord>> {
  const { where, ...part } = listQuery(page, 'act')
  const ofState = state === undefined ? {} : { state }
  const rows = await database.act.findMany({ where: { casinoId, ...ofState, ...where }, ...part })
  return toPage(rows.map(toAct), page)
}

/** An object of the selection. */
export interface ActObject {
  /** Of the object: its order on pages. */
  id: string
  revision: number | null
  state: ActObjectState
  code: string | null
  message: string | null
  settledAt: Date | null
}

/** By their ids; the caller has checked the act's casino. */
export async function listActObjects(
  database: Database,
  { actId, state }: { actId: string; state: ActObjectState | undefined },
  page: PageRequest,
): Promise<Page<ActObject>> {
  const rows = await database.actObject.findMany({
    where: {
      actId,
      ...(state === undefined ? {} : { state }),
      ...(page.afterId === undefined ? {} : { objectId: { gt: page.afterId } }),
    },
    orderBy: { objectId: 'asc' },
    take: page.limit + 1,
  })
  const objects = rows.map(({ objectId: id, ...row }) => ({ ...row, id, state: row.state as ActObjectState }))
  return toPage(objects, page)
}
