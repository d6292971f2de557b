import { rotateSeed } from '../../core/fairness/rotate-seed.ts'
import { findActiveSeedId } from '../../core/fairness/seeds.ts'
import type { ApiDeps } from '../deps.ts'
import type { CasinoEndpoint } from './casino-endpoint.ts'
import { success } from './render.ts'

/**
 * `POST …/fairness/rotate`: goes on with the next seed; the one that was in use is revealed half a minute later. Two at
 * once may rotate once, when both mean the same seed. This is also how a casino comes back whose seed cannot be opened.
 */
export function createRotateSeed(
  deps: Pick<ApiDeps, 'database' | 'clock' | 'cipher' | 'loadActiveSeeds'>,
): CasinoEndpoint {
  return async ({ casinoId, claim }) => {
    await deps.loadActiveSeeds([casinoId]) // makes the first ones
    const seedId = await findActiveSeedId(deps.database, casinoId)
    const isRotated = seedId !== undefined && (await rotateSeed(deps, casinoId, seedId, claim))
    return { body: success({ rotated: isRotated, retired_seed_id: seedId ?? null }) }
  }
}
