import { orderWords } from '../admin/order-shapes.ts'

/** The meaning of a field or a parameter that stands in many shapes and requests, and is the same in all of them. */
interface Word {
  description: string
  /** Where the type alone does not make one. */
  example?: unknown
}

/**
 * By name, for fields that say nothing about themselves. Mostly ids and times: a field of one object only is described
 * in its shape, and the words of an order stand beside its shape. A test holds that each is used more than once.
 */
export const sharedWords: Readonly<Record<string, Word | undefined>> = {
  ...orderWords,
  act_id: { description: 'The act.', example: 'act_01b977d7aa0076a1b2c3d4e5f6071807' },
  actor: { description: 'The actor: a key, the admin, or a worker.', example: 'key:k3n8x2p5q7r9s1t4' },
  amount_minor: {
    description: 'In the smallest unit of the currency; as text above 2^53 − 1.',
    example: 500,
  },
  at: { description: 'When it happened.', example: '2030-01-31T12:00:00.000Z' },
  attempt: { description: 'The number of the call, from 1.', example: 1 },
  attempts: { description: 'The number of attempts.', example: 1 },
  box_id: { description: 'The box.', example: 'daily' },
  box_version: { description: 'The version of the box that was opened.', example: 3 },
  cashback: { description: 'The cashback that the prize is worth; absent if it cannot be cashed back.' },
  cashback_id: { description: 'The cashback.', example: 'cbk_01b977d7aa0076a1b2c3d4e5f6071804' },
  casino_id: { description: 'The casino.', example: 'acme' },
  client_seed: { description: 'The client seed that the player has chosen.', example: 'my lucky words' },
  code: { description: 'A stable code for programs.', example: 'runs_out_early' },
  created_at: { description: 'When it was created.', example: '2030-01-31T12:00:00.000Z' },
  currency: { description: 'ISO 4217.', example: 'EUR' },
  cursor: {
    description: 'The `next_cursor` of the previous response.',
    example: 'cHJ6XzAxYjk3N2Q3YWEwMDc2YTFiMmMzZDRlNWY2MDcxODAy',
  },
  delivery_id: { description: 'The delivery.', example: 'dlv_01b977d7aa0076a1b2c3d4e5f6071805' },
  endpoint_id: { description: 'The webhook endpoint.', example: 'crm' },
  entry: { description: 'The position of the entry in the list, from 1.', example: 1 },
  event_id: { description: 'The event.', example: 'evt_1234' },
  expires_at: { description: 'The time until which it can be used.', example: '2030-12-31T23:59:59.000Z' },
  grant_id: {
    description: 'The grant. If the caller chooses it, the request is safe to repeat.',
    example: 'welcome-player-42',
  },
  history: { description: 'Its changes, the oldest first.' },
  id: { description: 'Its id.' },
  expected_revision: {
    description:
      'The revision that the caller has seen. If the object has changed since, nothing is done and the response is 409.',
    example: 3,
  },
  image_url: { description: 'The URL of a picture.', example: 'https://cdn.example.com/mug.png' },
  item_id: { description: 'The item.', example: 'mug' },
  item_name: { description: 'The item’s name when it was won.', example: 'Mug' },
  key_id: { description: 'The id of the key. It is not secret.', example: 'k3n8x2p5q7r9s1t4' },
  kind: { description: 'Its kind.', example: 'physical' },
  limit: { description: 'The maximum number.', example: 50 },
  name: { description: 'Its name.' },
  nonce: { description: 'Counts the player’s openings under the seed, from 1.', example: 3 },
  object_id: { description: 'The object.', example: 'ord_01b977d7aa0076a1b2c3d4e5f6071803' },
  occurred_at: {
    description: 'When it happened, by the provider’s clock.',
    example: '2030-01-31T12:00:00.000Z',
  },
  odds_hash: {
    description: 'The SHA-256 of the odds table.',
    example: '17488769a9d22b463b2a9f4f6c96c0cd1a1b5ea4c9e62b3e517747a6239851c9',
  },
  opened_at: { description: 'When the box was opened.', example: '2030-01-31T12:00:00.000Z' },
  opening_id: {
    description: 'The opening in which the prize was won.',
    example: 'opn_01b977d7aa0076a1b2c3d4e5f6071801',
  },
  outcome: { description: 'The outcome.' },
  'path:name': { description: 'The setting.', example: 'wallet' },
  player_id: { description: 'The player, under the id that the casino uses.', example: 'player-42' },
  prize_id: { description: 'The prize.', example: 'prz_01b977d7aa0076a1b2c3d4e5f6071802' },
  problem: {
    description: 'The problem, as a code; `no_answer` for every reason why a partner did not answer.',
    example: 'no_answer',
  },
  reason: { description: 'The reason, for the history.', example: 'Checked by phone' },
  received_at: { description: 'When it was received.', example: '2030-01-31T12:00:00.000Z' },
  reference: {
    description: 'The partner’s own reference.',
    example: 'booking-20300131-77',
  },
  request_id: { description: 'The request that caused it.', example: 'req_01b977d7aa0076a1b2c3d4e5f6071807' },
  revision: { description: 'Increases with every change.', example: 3 },
  secret: {
    description: 'A signing secret. A response shows it only once.',
    example: 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=',
  },
  seed_commitment: {
    description: 'The SHA-256 of the seed, published before its use.',
    example: 'bbd2b7b50d41bcf17cc26f1eaec510397970a8b451c60361b52b663af9b07c45',
  },
  seed_id: { description: 'The server seed.', example: 'sed_01b977d7aa0076a1b2c3d4e5f6071806' },
  state: { description: 'Its state.', example: 'won' },
  status: { description: 'The outcome.' },
  transaction_id: {
    description: 'The transfer of money.',
    example: 'txn_cbk_01b977d7aa0076a1b2c3d4e5f6071804',
  },
  type: { description: 'The type of the event or object.' },
  updated_at: { description: 'When it last changed.', example: '2030-01-31T12:00:00.000Z' },
  wallet_answers: { description: 'The wallets’ answers about it, the oldest first. Kept permanently.' },
  wallet_reference: { description: 'The wallet’s own reference.', example: 'booking-20300131-77' },
  operator_id: { description: 'The operator.', example: 'opr_01b977d7aa0076a1b2c3d4e5f6071811' },
  session_id: { description: 'The session.', example: 'ses_01b977d7aa0076a1b2c3d4e5f6071812' },
  entry_id: { description: 'The entry of the audit trail.', example: 'aud_01b977d7aa0076a1b2c3d4e5f6071808' },
}
