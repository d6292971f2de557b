import { toOperator } from '../operator/operator.ts'
import { reachesCasino, rightsOf } from '../operator/rights.ts'
import type { Database } from '../platform/database.ts'
import { meaningOf, personOf } from './decide-act.ts'
import type { ActRecord } from './act.ts'

/** Whether the person who made an act is active, and has the right and the casino for it. Keys have their scopes. */
export async function isMakerAble(
  database: Database,
  { madeBy, casinoId, action }: Pick<ActRecord, 'madeBy' | 'casinoId' | 'action'>,
): Promise<boolean> {
  const username = personOf(madeBy)
  if (username === undefined) return true
  const row = await database.operator.findUnique({ where: { username } })
  if (row === null) return false
  const { state, role, casinos } = toOperator(row)
  return (
    state === 'active' && rightsOf(role).includes(meaningOf(action).right) && reachesCasino(casinos, casinoId)
  )
}
