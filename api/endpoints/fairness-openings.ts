import Joi from 'joi'
import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { getOpeningEvidence, listOpeningEvidence } from '../../core/box/read-openings.ts'
import type { OpeningEvidence, OpeningPosition } from '../../core/box/read-openings.ts'
import type { Signer } from '../../core/crypto/signer.ts'
import { RewardsError } from '../../core/errors.ts'
import { drawScheme } from '../../core/fairness/derive.ts'
import { createEvidenceSigner, signRow } from '../../core/fairness/sign-row.ts'
import type { SignedRow } from '../../core/fairness/sign-row.ts'
import type { ApiDeps } from '../deps.ts'
import type { PlayEndpoint } from '../endpoint.ts'
import {
  boolean,
  count,
  hash,
  id,
  matching,
  named,
  nullable,
  object,
  objectOf,
  oneOf,
  openingId,
  seedId,
  string,
  timeAsText,
} from '../../core/shape/json-schema.ts'
import { requestOf, withDefault } from '../../core/shape/request-shape.ts'
import { field, said, shapeOf, typesOf } from '../../core/shape/shape.ts'
import { cursorOf } from '../paging.ts'
import { publicKeyWords, revealedSeed } from './fairness.ts'
import { idInQuery, parseInput } from '../parse-input.ts'

type Deps = Pick<ApiDeps, 'database' | 'config'>

/** What is signed. Flat: each field is digested by itself. */
const evidenceRow = shapeOf<OpeningEvidence>()(undefined, {
  scheme: field(nullable(oneOf([drawScheme])), ({ seedId }) => (seedId === null ? null : drawScheme), {
    description: 'How the outcome was derived; `null` in openings from before draws were verifiable.',
    example: 'hmac-sha256-v1',
  }),
  id: field(openingId, (opening) => opening.id, { example: 'opn_01b977d7aa0076a1b2c3d4e5f6071801' }),
  casino_id: field(id, (opening) => opening.casinoId),
  player_id: field(id, (opening) => opening.playerId),
  sequence: field(count, (opening) => Number(opening.sequence), {
    description: 'Counts the player’s openings, from 1.',
    example: 7,
  }),
  box_id: field(id, (opening) => opening.boxId),
  box_version: field(count, (opening) => opening.version),
  odds_table: field(string, (opening) => opening.oddsTable, {
    description: 'The canonical odds table, whose SHA-256 is the hash.',
    example:
      '{"entries":[{"item_id":"mug","stock":10,"weight":10},{"item_id":"spins","stock":null,"weight":90}],"fallback_item_id":"spins"}',
  }),
  odds_hash: field(hash, (opening) => opening.oddsHash),
  seed_id: field(nullable(seedId), (opening) => opening.seedId),
  seed_commitment: field(nullable(hash), (opening) => opening.commitment),
  seed: field(nullable(hash), (opening) => opening.revealedSeed, revealedSeed),
  nonce: field(nullable(count), ({ nonce }) => (nonce === null ? null : Number(nonce))),
  client_seed: field(nullable(string), (opening) => opening.clientSeed),
  position: field(count, (opening) => opening.position, {
    description: 'The entry’s place in the odds table, from 1.',
    example: 1,
  }),
  item_id: field(id, (opening) => opening.itemId),
  substituted_for: field(nullable(id), (opening) => opening.substitutedFor, {
    description: 'The item that was drawn and is out of stock.',
    example: null,
  }),
  forced: field(boolean, (opening) => opening.isForced, {
    description: 'That a test key has chosen the outcome.',
    example: false,
  }),
  prize_id: field(id, (opening) => opening.prizeId),
  opened_at: field(timeAsText, (opening) => opening.openedAt.toISOString()),
})

/** With the signature of `signRow`. */
export const evidence = named(
  'OpeningEvidence',
  object({
    ...typesOf(evidenceRow.fields),
    signing_key: said(string, publicKeyWords),
    digests: said(objectOf(matching(/^[0-9a-f]{32}$/)), {
      description: 'A digest of each field.',
      example: {},
    }),
    signature: said(string, {
      description: 'Ed25519, over the canonical JSON of the digests, in hexadecimal.',
      example: '',
    }),
  }),
)

/** `GET /fairness/openings/{opening_id}`: everything that is needed to draw it again, as `npm run verify` takes it. */
export function createGetOpening({ database, config }: Deps): PlayEndpoint {
  const signer = createEvidenceSigner(config.hashSecret)
  return async ({ caller, params }) => {
    const requestedId = params['opening_id'] ?? ''
    // What is no id of ours names nothing, and may hold what the database cannot take (NUL).
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

function renderEvidence(signer: Signer, opening: OpeningEvidence): SignedRow {
  return signRow(signer, evidenceRow.render(opening))
}

/** Callers are to send it back as it is, not to make their own. */
export function encodeOpeningPosition({
  seedId,
  id,
  sequence,
}: Pick<OpeningEvidence, 'seedId' | 'id' | 'sequence'>): string {
  return Buffer.from(`${seedId ?? ''} ${id} ${sequence}`, 'utf8').toString('base64url')
}

/** Undefined when it is nothing that was ever handed out. */
export function decodeOpeningPosition(text: string): OpeningPosition | undefined {
  const position = Buffer.from(text, 'base64url').toString('utf8')
  const [, seedId = '', id = '', sequence = ''] =
    /^((?:sed_[0-9a-f]{32})?) (opn_[0-9a-f]{32}) (\d{1,18})$/.exec(position) ?? []
  return id === '' ? undefined : { seedId, id, sequence: BigInt(sequence) }
}
