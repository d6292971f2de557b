import { rotateSeed } from '../../core/fairness/rotate-seed.ts'
import { findActiveSeedId, seedsOfDay } from '../../core/fairness/seeds.ts'
import type { Growth } from '../../core/platform/reserve-quota.ts'
import type { ApiDeps } from '../deps.ts'
import type { CasinoEndpoint } from './casino-endpoint.ts'
import { success } from './render.ts'

/**
 * `POST …/fairness/rotate`: goes on with the next seed; the one that was in use is revealed half a minute later. Two at
 * once may rotate once, when both mean the same seed. This is also how a casino comes back whose seed cannot be opened.
 */
export function createRotateSeed(
  deps: Pick<ApiDeps, 'database' | 'clock' | 'cipher' | 'loadActiveSeeds' | 'reserveQuota'>,
): CasinoEndpoint {
  return async ({ casinoId, claim }) => {
    await deps.loadActiveSeeds([casinoId]) // makes the first ones
    const seedId = await findActiveSeedId(deps.database, casinoId)
    const growth: Growth = { quota: 'seeds_per_day', added: 1, used: seedsOfDay(casinoId, deps.clock.now()) }
    const run = await deps.reserveQuota(casinoId, [growth])
    const isRotated = seedId !== undefined && (await rotateSeed(deps, casinoId, seedId, { claim, run }))
    return { body: success({ rotated: isRotated, retired_seed_id: seedId ?? null }) }
  }
}
