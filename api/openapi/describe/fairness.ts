import { signingKey } from '../../endpoints/fairness.ts'
import { seed } from '../../shapes/seed.ts'
import { encodeOpeningPosition, openingsQuery } from '../../endpoints/fairness-openings.ts'
import { evidence } from '../../shapes/opening-evidence.ts'
import { clientSeed, clientSeedInput } from '../../endpoints/fairness-players.ts'
import { pageInput } from '../../paging.ts'
import type { Descriptions } from '../description.ts'
import { pageOf, success } from './bodies.ts'

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
    description: 'Shows the commitment of each seed, and the seed itself once it is no longer used.',
    query: pageInput,
    answers: { 200: { description: 'The seeds, the newest first.', schema: pageOf(seed.type) } },
    errors: [],
  },
  'GET /fairness/openings': {
    operationId: 'listOpeningEvidence',
    tag: 'Fairness',
    summary: 'List the evidence of openings',
    description:
      'Lists the openings under a seed, of a player, or both. `npm run verify` recomputes them offline.',
    query: openingsQuery,
    answers: { 200: { description: 'The openings.', schema: pageOf(evidence, cursorOfEvidence) } },
    errors: [],
  },
  'GET /fairness/openings/:opening_id': {
    operationId: 'getOpeningEvidence',
    tag: 'Fairness',
    summary: 'Show the evidence of an opening',
    description:
      'Shows everything that is needed to repeat the draw. The seed is included once it is revealed.',
    answers: { 200: { description: 'The opening.', schema: success(evidence) } },
    errors: ['opening_unknown'],
  },
  'GET /fairness/players/:player_id/client-seed': {
    operationId: 'getClientSeed',
    tag: 'Fairness',
    summary: 'Show a player’s client seed',
    description:
      'Shows the one that the player has chosen, and the one that is used with the current server seed.',
    answers: { 200: { description: 'The client seed.', schema: success(clientSeed.type) } },
    errors: [],
  },
  'PUT /fairness/players/:player_id/client-seed': {
    operationId: 'setClientSeed',
    tag: 'Fairness',
    summary: 'Set a player’s client seed',
    description: 'It is used from the next server seed that is new to the player. `null` removes it.',
    body: clientSeedInput,
    answers: { 200: { description: 'The client seed.', schema: success(clientSeed.type) } },
    errors: [],
  },
  'GET /fairness/key': {
    operationId: 'getSigningKey',
    tag: 'Fairness',
    summary: 'Show the key that signs evidence',
    description: 'Shows the Ed25519 key that verifies the signatures in the evidence of openings.',
    answers: {
      200: {
        description: 'The public key.',
        schema: success(signingKey.type),
      },
    },
    errors: [],
  },
} as const satisfies Descriptions
