import type { OpeningEvidence } from '../../core/box/read-openings.ts'
import type { Signer } from '../../core/crypto/signer.ts'
import { drawScheme } from '../../core/fairness/derive.ts'
import { signRow } from '../../core/fairness/sign-row.ts'
import type { SignedRow } from '../../core/fairness/sign-row.ts'
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
import { field, said, shapeOf, typesOf } from '../../core/shape/shape.ts'

export const publicKeyWords = {
  description: 'The public key, in hexadecimal.',
  example: 'f3fc3797871a78c73f9364623f8208d8450635a77a72981980fa88fc724026d5',
}

export const revealedSeed = {
  description: '32 bytes in hexadecimal; null until the seed is revealed.',
  example: '61a89c5ddefa4a7bcb0167bf8d399a819a8fd6cdaa636b59cd87bdd972725b0f',
}

/** The signed fields. Flat: each field is digested by itself. */
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

/** The evidence of an opening, signed. */
export function renderEvidence(signer: Signer, opening: OpeningEvidence): SignedRow {
  return signRow(signer, evidenceRow.render(opening))
}
