import { createEvidenceSigner } from '../../core/fairness/sign-row.ts'
import { listSeeds } from '../../core/fairness/read-seeds.ts'
import type { ApiDeps } from '../deps.ts'
import type { OpenEndpoint, PlayEndpoint } from '../endpoint.ts'

const seedsPageSize = 200

/**
 * `GET /fairness/seeds`: commitments of all seeds, and the seeds that are used no more. `after` continues at a
 * `next_cursor`. A casino that has never drawn gets its first seeds here, so that a commitment can be known before the
 * first opening.
 */
export function createListSeeds({
  database,
  loadActiveSeeds,
}: Pick<ApiDeps, 'database' | 'loadActiveSeeds'>): PlayEndpoint {
  return async ({ caller, query }) => {
    const after = query['after']
    await loadActiveSeeds([caller.casinoId])
    const page = await listSeeds(database, caller.casinoId, {
      limit: seedsPageSize,
      afterId: after !== undefined && /^sed_[0-9a-f]{32}$/.test(after) ? after : undefined,
    })
    return {
      body: {
        status: 'success',
        data: page.rows.map((seed) => ({
          id: seed.id,
          state: seed.state,
          commitment: seed.commitment,
          seed: seed.revealedSeed,
          created_at: seed.createdAt,
          activated_at: seed.activatedAt,
          revealed_at: seed.revealedAt,
        })),
        ...(page.nextAfterId === undefined ? {} : { next_cursor: page.nextAfterId }),
      },
    }
  }
}

/** `GET /fairness/key`: the public key that signs exports, for whoever wants to check one. */
export function createGetSigningKey({ config }: Pick<ApiDeps, 'config'>): OpenEndpoint {
  const { publicKey } = createEvidenceSigner(config.hashSecret)
  const body = { status: 'success', data: { algorithm: 'Ed25519', signing_key: publicKey } }
  return () => Promise.resolve({ body })
}
