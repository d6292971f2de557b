import { drawScheme } from '../../core/fairness/derive.ts'
import { createEvidenceSigner } from '../../core/fairness/sign-row.ts'
import { revealByOf } from '../../core/fairness/reveal-seeds.ts'
import { listSeeds } from '../../core/fairness/read-seeds.ts'
import type { PublicSeed } from '../../core/fairness/read-seeds.ts'
import type { ApiDeps } from '../deps.ts'
import type { OpenEndpoint, PlayEndpoint } from '../endpoint.ts'
import { pageInput, parsePageQuery, renderPage } from '../paging.ts'

/**
 * `GET /fairness/seeds`: the commitments of a casino's seeds, the newest first, and the seeds that are used no more. A
 * casino that has never drawn gets its first seeds here, so that a commitment can be known before the first opening.
 */
export function createListSeeds({
  database,
  loadActiveSeeds,
}: Pick<ApiDeps, 'database' | 'loadActiveSeeds'>): PlayEndpoint {
  return async ({ caller, query }) => {
    const { page } = parsePageQuery(pageInput, query)
    await loadActiveSeeds([caller.casinoId])
    return { body: renderPage(await listSeeds(database, caller.casinoId, page), renderSeed) }
  }
}

function renderSeed(seed: PublicSeed): object {
  return {
    id: seed.id,
    state: seed.state,
    scheme: drawScheme,
    commitment: seed.commitment,
    seed: seed.revealedSeed,
    created_at: seed.createdAt,
    activated_at: seed.activatedAt,
    retired_at: seed.retiredAt,
    reveal_by: seed.retiredAt === null ? null : revealByOf(seed.retiredAt),
    revealed_at: seed.revealedAt,
  }
}

/** `GET /fairness/key`: the public key that signs exports, for whoever wants to check one. */
export function createGetSigningKey({ config }: Pick<ApiDeps, 'config'>): OpenEndpoint {
  const { publicKey } = createEvidenceSigner(config.hashSecret)
  const body = { status: 'success', data: { algorithm: 'Ed25519', signing_key: publicKey } }
  return () => Promise.resolve({ body })
}
