import { getOpeningEvidence } from '../../core/box/read-openings.ts'
import { RewardsError } from '../../core/errors.ts'
import { createEvidenceSigner } from '../../core/fairness/sign-row.ts'
import type { SignedRow } from '../../core/fairness/sign-row.ts'
import { getPrize } from '../../core/prize/read-prizes.ts'
import type { PrizeRecord } from '../../core/prize/read-prizes.ts'
import { field, shapeOf } from '../../core/shape/shape.ts'
import type { ApiDeps } from '../deps.ts'
import { evidence, renderEvidence } from '../shapes/opening-evidence.ts'
import type { CasinoEndpoint } from './casino-endpoint.ts'
import { prize } from './prizes.ts'
import { success } from './render.ts'

export const openingDetails = shapeOf<{ evidence: SignedRow; prize: PrizeRecord }>()('OpeningDetails', {
  evidence: field(evidence, (opening) => opening.evidence, {
    description: 'Everything that is needed to draw it again, signed.',
  }),
  prize: field(prize.type, (opening) => prize.render(opening.prize), { description: 'The prize.' }),
})

/** `GET …/openings/{opening_id}`: the evidence that `/fairness` gives, and the prize. */
export function createGetOpeningDetails({
  database,
  config,
}: Pick<ApiDeps, 'database' | 'config'>): CasinoEndpoint {
  const signer = createEvidenceSigner(config.hashSecret)
  return async ({ casinoId, params }) => {
    const openingId = params['opening_id'] ?? ''
    if (!/^opn_[0-9a-f]{32}$/.test(openingId)) throw new RewardsError('opening_unknown')
    const opening = await getOpeningEvidence(database, casinoId, openingId)
    const won = await getPrize(database, casinoId, opening.prizeId)
    const details = { evidence: renderEvidence(signer, opening), prize: won }
    return { body: success(openingDetails.render(details)) }
  }
}
