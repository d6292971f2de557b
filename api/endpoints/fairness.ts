import { publicKeyWords } from '../shapes/opening-evidence.ts'
import { seed } from '../shapes/seed.ts'
import { createEvidenceSigner } from '../../core/fairness/sign-row.ts'
import { listSeeds } from '../../core/fairness/read-seeds.ts'
import { oneOf, string } from '../../core/shape/json-schema.ts'
import { field, shapeOf } from '../../core/shape/shape.ts'
import type { ApiDeps } from '../deps.ts'
import type { OpenEndpoint, PlayEndpoint } from '../endpoint.ts'
import { pageInput, parsePageQuery, renderPage } from '../paging.ts'

export const signingKey = shapeOf<{ publicKey: string }>()('SigningKey', {
  algorithm: field(oneOf(['Ed25519']), () => 'Ed25519', {
    description: 'The algorithm of the signatures.',
    example: 'Ed25519',
  }),
  signing_key: field(string, ({ publicKey }) => publicKey, publicKeyWords),
})

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
    return { body: renderPage(await listSeeds(database, caller.casinoId, page), seed.render) }
  }
}

/** `GET /fairness/key`: the public key that verifies signed exports. */
export function createGetSigningKey({ config }: Pick<ApiDeps, 'config'>): OpenEndpoint {
  const body = { status: 'success', data: signingKey.render(createEvidenceSigner(config.hashSecret)) }
  return () => Promise.resolve({ body })
}
