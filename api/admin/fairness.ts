import { rotateSeed } from '../../core/fairness/rotate-seed.ts'
import { getSeed } from '../../core/fairness/read-seeds.ts'
import { findActiveSeedId, seedsOfDay } from '../../core/fairness/seeds.ts'
import type { Growth } from '../../core/platform/reserve-quota.ts'
import type { ApiDeps } from '../deps.ts'
import type { CasinoEndpoint } from './casino-endpoint.ts'
import { boolean, nullable, seedId } from '../../core/shape/json-schema.ts'
import { field, shapeOf } from '../../core/shape/shape.ts'
import { seed } from '../shapes/seed.ts'
import { pathId } from '../inputs.ts'
import { success } from './render.ts'

export const seedRotation = shapeOf<{ isRotated: boolean; seedId: string | undefined }>()('SeedRotation', {
  rotated: field(boolean, ({ isRotated }) => isRotated, {
    description: 'Whether this call has rotated.',
    example: true,
  }),
  retired_seed_id: field(nullable(seedId), (rotation) => rotation.seedId ?? null, {
    description: 'The seed that was in use.',
    example: 'sed_01b977d7aa0076a1b2c3d4e5f6071806',
  }),
})

/**
 * `POST …/fairness/rotate`: continues with the next seed; the previous one is revealed half a minute later. Two
 * requests at the same time may rotate once, when both mean the same seed. This is also how a casino comes back whose seed cannot be opened.
 */
export function createRotateSeed(
  deps: Pick<ApiDeps, 'database' | 'clock' | 'cipher' | 'loadActiveSeeds' | 'reserveQuota'>,
): CasinoEndpoint {
  return async ({ casinoId, claim }) => {
    await deps.loadActiveSeeds([casinoId]) // makes the first ones
    const activeId = await findActiveSeedId(deps.database, casinoId)
    const growth: Growth = { quota: 'seeds_per_day', added: 1, used: seedsOfDay(casinoId, deps.clock.now()) }
    const run = await deps.reserveQuota(casinoId, [growth])
    const isRotated = activeId !== undefined && (await rotateSeed(deps, casinoId, activeId, { claim, run }))
    return { body: success(seedRotation.render({ isRotated, seedId: activeId })) }
  }
}

/** `GET …/fairness/seeds/{seed_id}`: one of the seeds that `/fairness/seeds` lists. */
export function createGetSeed({ database }: Pick<ApiDeps, 'database'>): CasinoEndpoint {
  return async (request) => {
    const found = await getSeed(database, request.casinoId, pathId(request, 'seed_id'))
    return { body: success(seed.render(found)) }
  }
}
