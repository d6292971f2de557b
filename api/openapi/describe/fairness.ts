import { encodeOpeningPosition, openingsQuery } from '../../endpoints/fairness-openings.ts'
import { clientSeedInput } from '../../endpoints/fairness-players.ts'
import { pageInput } from '../../paging.ts'
import type { Descriptions } from '../description.ts'
import {
  boolean,
  count,
  id,
  matching,
  named,
  nullable,
  object,
  oneOf,
  string,
  time,
} from '../../json-schema.ts'
import { pageOf, success } from './bodies.ts'

const hash = matching(/^[0-9a-f]{64}$/)
const seedId = matching(/^sed_[0-9a-f]{32}$/, 'sed_01b977d7aa0076a1b2c3d4e5f6071806')

const seed = named(
  'Seed',
  object({
    id: seedId,
    state: oneOf(['next', 'active', 'retired', 'revealed']),
    scheme: oneOf(['hmac-sha256-v1']),
    commitment: hash,
    seed: nullable(hash),
    created_at: time,
    activated_at: nullable(time),
    retired_at: nullable(time),
    reveal_by: nullable(time),
    revealed_at: nullable(time),
  }),
)

const signed = {
  signing_key: string,
  digests: { type: 'object', additionalProperties: matching(/^[0-9a-f]{32}$/) },
  signature: string,
} as const

const evidence = named(
  'OpeningEvidence',
  object({
    scheme: nullable(oneOf(['hmac-sha256-v1'])),
    id: matching(/^opn_[0-9a-f]{32}$/, 'opn_01b977d7aa0076a1b2c3d4e5f6071801'),
    casino_id: id,
    player_id: id,
    sequence: count,
    box_id: id,
    box_version: count,
    odds_table: string,
    odds_hash: hash,
    seed_id: nullable(seedId),
    seed_commitment: nullable(hash),
    seed: nullable(hash),
    nonce: nullable(count),
    client_seed: nullable(string),
    position: count,
    item_id: id,
    substituted_for: nullable(id),
    forced: boolean,
    prize_id: id,
    opened_at: time,
    ...signed,
  }),
)

const clientSeed = named(
  'ClientSeed',
  object({
    player_id: id,
    client_seed: nullable(string),
    applies_from: oneOf(['active', 'next']),
    in_force: nullable(object({ seed_id: seedId, client_seed: nullable(string) })),
  }),
)

/** Openings are in the order of their seeds. */
function cursorOfEvidence(row: unknown): string {
  const { seed_id, id, sequence } = row as { seed_id: string; id: string; sequence: number } // as the schema says
  return encodeOpeningPosition({ seedId: seed_id, id, sequence: BigInt(sequence) })
}

export const fairnessDescriptions = {
  'GET /fairness/seeds': {
    operationId: 'listSeeds',
    tag: 'Fairness',
    summary: 'List the seeds',
    description: 'The commitments of all, and the seeds themselves of those that are used no more.',
    query: pageInput,
    answers: { 200: { description: 'The seeds, the newest first.', schema: pageOf(seed) } },
    errors: [],
  },
  'GET /fairness/openings': {
    operationId: 'listOpeningEvidence',
    tag: 'Fairness',
    summary: 'List the evidence of openings',
    description: 'Of all under a seed, of a player, or of both. `npm run verify` recomputes them offline.',
    query: openingsQuery,
    answers: { 200: { description: 'The openings.', schema: pageOf(evidence, cursorOfEvidence) } },
    errors: [],
  },
  'GET /fairness/openings/:opening_id': {
    operationId: 'getOpeningEvidence',
    tag: 'Fairness',
    summary: 'Show the evidence of an opening',
    description: 'Everything that is needed to draw it again. The seed is in it once it is revealed.',
    answers: { 200: { description: 'The opening.', schema: success(evidence) } },
    errors: ['opening_unknown'],
  },
  'GET /fairness/players/:player_id/client-seed': {
    operationId: 'getClientSeed',
    tag: 'Fairness',
    summary: 'Show a player’s client seed',
    description: 'What the player has chosen, and what is mixed in under the seed in use.',
    answers: { 200: { description: 'The client seed.', schema: success(clientSeed) } },
    errors: [],
  },
  'PUT /fairness/players/:player_id/client-seed': {
    operationId: 'setClientSeed',
    tag: 'Fairness',
    summary: 'Set a player’s client seed',
    description:
      'It is mixed in from the next server seed on that is new to the player. `null` takes it back.',
    body: clientSeedInput,
    answers: { 200: { description: 'The client seed.', schema: success(clientSeed) } },
    errors: [],
  },
  'GET /fairness/key': {
    operationId: 'getSigningKey',
    tag: 'Fairness',
    summary: 'Show the key that signs evidence',
    description: 'The Ed25519 key whose signatures stand in the evidence of openings.',
    answers: {
      200: {
        description: 'The public key.',
        schema: success(named('SigningKey', object({ algorithm: oneOf(['Ed25519']), signing_key: string }))),
      },
    },
    errors: [],
  },
} as const satisfies Descriptions

export const seedRotation = success(
  named('SeedRotation', object({ rotated: boolean, retired_seed_id: nullable(seedId) })),
)

/** Of the box's odds, as the draw sees them. */
export const oddsHash = hash
