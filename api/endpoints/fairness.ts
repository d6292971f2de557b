import { getOpeningEvidence } from '../../core/box/read-openings.ts'
import { RewardsError } from '../../core/errors.ts'
import { listSeeds } from '../../core/fairness/read-seeds.ts'
import type { ApiDeps } from '../deps.ts'
import type { PlayEndpoint } from '../endpoint.ts'

const seedsPageSize = 200

/** `GET /fairness/seeds`: commitments of all seeds, and the seeds that are used no more. `after` continues at a `next_cursor`. */
export function createListSeeds({ database }: Pick<ApiDeps, 'database'>): PlayEndpoint {
  return async ({ caller, query }) => {
    const after = query['after']
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

/** `GET /fairness/openings/{opening_id}`: everything that is needed to draw it again, as `npm run verify` takes it. */
export function createGetOpening({ database }: Pick<ApiDeps, 'database'>): PlayEndpoint {
  return async ({ caller, params }) => {
    const openingId = params['opening_id'] ?? ''
    // What is no id of ours names nothing, and may hold what the database cannot take (NUL).
    if (!/^opn_[0-9a-f]{32}$/.test(openingId)) throw new RewardsError('opening_unknown')
    const opening = await getOpeningEvidence(database, caller.casinoId, openingId)
    return {
      body: {
        status: 'success',
        data: {
          id: opening.id,
          player_id: opening.playerId,
          box_id: opening.boxId,
          box_version: opening.version,
          odds_table: opening.oddsTable,
          odds_hash: opening.oddsHash,
          seed_id: opening.seedId,
          seed_commitment: opening.commitment,
          seed: opening.revealedSeed,
          nonce: opening.nonce === null ? null : Number(opening.nonce),
          client_seed: opening.clientSeed,
          position: opening.position,
          item_id: opening.itemId,
          substituted: opening.isSubstituted,
          forced: opening.isForced,
          prize_id: opening.prizeId,
          opened_at: opening.openedAt,
        },
      },
    }
  }
}
