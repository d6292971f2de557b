import Joi from 'joi'
import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { getOpeningEvidence, listOpeningEvidence } from '../../core/box/read-openings.ts'
import type { OpeningEvidence, OpeningPosition } from '../../core/box/read-openings.ts'
import { RewardsError } from '../../core/errors.ts'
import { createEvidenceSigner } from '../../core/fairness/sign-row.ts'
import type { SignedRow } from '../../core/fairness/sign-row.ts'
import type { ApiDeps } from '../deps.ts'
import type { PlayEndpoint } from '../endpoint.ts'
import { requestOf, withDefault } from '../../core/shape/request-shape.ts'
import { cursorOf } from '../paging.ts'
import { renderEvidence } from '../shapes/opening-evidence.ts'
import { idInQuery, parseInput } from '../parse-input.ts'

type Deps = Pick<ApiDeps, 'database' | 'config'>

/** `GET /fairness/openings/{opening_id}`: everything that is needed to draw it again, as `npm run verify` takes it. */
export function createGetOpening({ database, config }: Deps): PlayEndpoint {
  const signer = createEvidenceSigner(config.hashSecret)
  return async ({ caller, params }) => {
    const requestedId = params['opening_id'] ?? ''
    // Text that is not an id names no opening, and may contain characters that the database refuses (NUL).
    if (!/^opn_[0-9a-f]{32}$/.test(requestedId)) throw new RewardsError('opening_unknown')
    const opening = await getOpeningEvidence(database, caller.casinoId, requestedId)
    return { body: { status: 'success', data: renderEvidence(signer, opening) } }
  }
}

const limitDefault = 100
const limitMax = 1000
/** Signing takes a tenth of a millisecond; openings that wait in this process should not notice. */
const signedAtOnceMax = 20

export const openingsQuery = requestOf({
  seed_id: Joi.string()
    .pattern(/^sed_[0-9a-f]{32}$/)
    .messages({ 'string.pattern.base': '{{#label}} must be the id of a seed' }),
  player_id: idInQuery,
  limit: withDefault(Joi.number().integer().min(1).max(limitMax), limitDefault),
  cursor: cursorOf(decodeOpeningPosition),
})

/** `GET /fairness/openings`: the same rows for all openings under a seed, of a player, or of both. */
export function createListOpenings({ database, config }: Deps): PlayEndpoint {
  const signer = createEvidenceSigner(config.hashSecret)
  return async ({ caller, query }) => {
    const input = parseInput(openingsQuery, { kind: 'object', value: query })
    const { rows, hasMore } = await listOpeningEvidence(database, {
      casinoId: caller.casinoId,
      seedId: input.seed_id,
      playerId: input.player_id,
      limit: input.limit,
      after: input.cursor,
    })
    const data: SignedRow[] = []
    for (const [index, opening] of rows.entries()) {
      data.push(renderEvidence(signer, opening))
      if (index % signedAtOnceMax === signedAtOnceMax - 1) await yieldToOthers()
    }
    const last = rows.at(-1)
    return {
      body: {
        status: 'success',
        data,
        ...(hasMore && last !== undefined ? { next_cursor: encodeOpeningPosition(last) } : {}),
      },
    }
  }
}

/** Callers are to send it back as it is, not to make their own. */
export function encodeOpeningPosition({
  seedId,
  id,
  sequence,
}: Pick<OpeningEvidence, 'seedId' | 'id' | 'sequence'>): string {
  return Buffer.from(`${seedId ?? ''} ${id} ${sequence}`, 'utf8').toString('base64url')
}

/** Undefined for a cursor that this service did not make. */
export function decodeOpeningPosition(text: string): OpeningPosition | undefined {
  const position = Buffer.from(text, 'base64url').toString('utf8')
  const [, seedId = '', id = '', sequence = ''] =
    /^((?:sed_[0-9a-f]{32})?) (opn_[0-9a-f]{32}) (\d{1,18})$/.exec(position) ?? []
  return id === '' ? undefined : { seedId, id, sequence: BigInt(sequence) }
}
