import { rotateSeed } from '../../core/fairness/rotate-seed.ts'
import type { ApiDeps } from '../deps.ts'
import type { CasinoEndpoint } from './casino-endpoint.ts'
import { success } from './render.ts'

/**
 * `POST …/fairness/rotate`: goes on with the next seed; the one that was in use is revealed half a minute later. Two at
 * once may rotate once, when both mean the same seed.
 */
export function createRotateSeed(
  deps: Pick<ApiDeps, 'database' | 'clock' | 'cipher' | 'loadActiveSeeds'>,
): CasinoEndpoint {
  return async ({ casinoId, claim }) => {
    const active = (await deps.loadActiveSeeds([casinoId])).get(casinoId)
    const isRotated = active !== undefined && (await rotateSeed(deps, casinoId, active.id, claim))
    return { body: success({ rotated: isRotated, retired_seed_id: active?.id ?? null }) }
  }
}
