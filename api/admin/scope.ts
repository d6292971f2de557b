import { getCasino } from '../../core/casino/casinos.ts'
import { RewardsError } from '../../core/errors.ts'
import { reachesCasino } from '../../core/operator/rights.ts'
import type { CasinoScope } from '../../core/operator/rights.ts'
import type { Database } from '../../core/platform/database.ts'
import type { CasinoChoice } from '../../core/platform/waiting-work.ts'
import type { Operator } from '../endpoint.ts'

/** The casinos that the caller of a route of no single casino works for. Casinos' own keys cannot call those. */
export function scopeOf(caller: Operator): CasinoScope {
  switch (caller.kind) {
    case 'admin':
      return 'all'
    case 'person':
      return caller.record.casinos
    case 'casino':
      return [caller.ownerId]
    default:
      return caller satisfies never
  }
}

/** The casino that is asked for, or the live ones of the caller. Throws `casino_unknown`. */
export async function chooseCasinos(
  database: Database,
  scope: CasinoScope,
  casinoId: string | undefined,
): Promise<CasinoChoice> {
  if (casinoId === undefined) return scope === 'all' ? 'live' : { liveOf: scope }
  if (!reachesCasino(scope, casinoId)) throw new RewardsError('casino_unknown')
  await getCasino(database, casinoId)
  return { one: casinoId }
}
