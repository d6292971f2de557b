/** What a field or a parameter is that stands in many shapes and requests, and is the same thing in all of them. */
interface Word {
  description: string
  /** Where the type alone does not make one. */
  example?: unknown
}

/**
 * By name, for fields that say nothing about themselves. Mostly ids and times: what belongs to one thing stands in its
 * shape. A test holds that each is used more than once.
 */
export const sharedWords: Readonly<Record<string, Word | undefined>> = {
  act_id: { description: 'The act.', example: 'act_01b977d7aa0076a1b2c3d4e5f6071807' },
  actor: { description: 'Who did it: a key, the admin, or a worker.', example: 'key:k3n8x2p5q7r9s1t4' },
  amount_minor: { description: 'In the currency’s smallest unit; beyond 2^53 − 1 as text.', example: 500 },
  at: { description: 'When it happened.', example: '2030-01-31T12:00:00.000Z' },
  attempt: { description: 'Which of the calls.', example: 1 },
  attempts: { description: 'How often it was tried.', example: 1 },
  box_id: { description: 'The box.', example: 'daily' },
  box_version: { description: 'The box’s version that was opened.', example: 3 },
  carrier: { description: 'Who carries the parcel.', example: 'DHL' },
  cashback: { description: 'What the prize is worth as cashback; none when it cannot be cashed back.' },
  cashback_id: { description: 'The cashback.', example: 'cbk_01b977d7aa0076a1b2c3d4e5f6071804' },
  casino_id: { description: 'The casino.', example: 'acme' },
  client_seed: { description: 'What the player has mixed into the draws.', example: 'my lucky words' },
  code: { description: 'What it is about, for programs.', example: 'runs_out_early' },
  created_at: { description: 'When it was made.', example: '2030-01-31T12:00:00.000Z' },
  currency: { description: 'ISO 4217.', example: 'EUR' },
  cursor: {
    description: 'The `next_cursor` of the answer before.',
    example: 'cHJ6XzAxYjk3N2Q3YWEwMDc2YTFiMmMzZDRlNWY2MDcxODAy',
  },
  delivery_id: { description: 'The delivery.', example: 'dlv_01b977d7aa0076a1b2c3d4e5f6071805' },
  endpoint_id: { description: 'The webhook endpoint.', example: 'crm' },
  entry: { description: 'The entry’s place in the list, from 1.', example: 1 },
  event_id: { description: 'The event.', example: 'evt_1234' },
  exception_reason: { description: 'Why the parcel has not arrived.', example: 'address_invalid' },
  expires_at: { description: 'Until when it can be used.', example: '2030-12-31T23:59:59.000Z' },
  grant_id: {
    description: 'The grant; the caller’s own makes it safe to repeat.',
    example: 'welcome-player-42',
  },
  history: { description: 'All that happened to it, the oldest first.' },
  hold_reason: { description: 'Why the order is held.', example: 'kyc_pending' },
  id: { description: 'Its id.' },
  expected_revision: {
    description: 'The revision that the caller has seen. If it is another one by now, nothing is done: 409.',
    example: 3,
  },
  image_url: { description: 'Where a picture of it is.', example: 'https://cdn.example.com/mug.png' },
  item_id: { description: 'The item.', example: 'mug' },
  item_name: { description: 'The item’s name when it was won.', example: 'Mug' },
  key_id: { description: 'The key’s id, which is no secret.', example: 'k3n8x2p5q7r9s1t4' },
  kind: { description: 'What sort it is.', example: 'physical' },
  limit: { description: 'How many at most.', example: 50 },
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
    description: 'The opening that the prize was won by.',
    example: 'opn_01b977d7aa0076a1b2c3d4e5f6071801',
  },
  order_id: { description: 'The order.', example: 'ord_01b977d7aa0076a1b2c3d4e5f6071803' },
  outcome: { description: 'What came of it.' },
  'path:name': { description: 'The setting.', example: 'wallet' },
  player_id: { description: 'The player, in the caller’s own words.', example: 'player-42' },
  prize_id: { description: 'The prize.', example: 'prz_01b977d7aa0076a1b2c3d4e5f6071802' },
  problem: {
    description: 'What is wrong, as a code; `no_answer` whatever the reason that a partner did not answer.',
    example: 'no_answer',
  },
  reason: { description: 'Why, for the history.', example: 'Checked by phone' },
  received_at: { description: 'When it was told.', example: '2030-01-31T12:00:00.000Z' },
  reference: {
    description: 'The partner’s own name for it, for people to find it by.',
    example: 'booking-20300131-77',
  },
  request_id: { description: 'The request that did it.', example: 'req_01b977d7aa0076a1b2c3d4e5f6071807' },
  revision: { description: 'Goes up with every change of it.', example: 3 },
  secret: {
    description: 'A signing secret; in answers shown this once.',
    example: 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=',
  },
  seed_commitment: {
    description: 'The SHA-256 of the seed, published before its use.',
    example: 'bbd2b7b50d41bcf17cc26f1eaec510397970a8b451c60361b52b663af9b07c45',
  },
  seed_id: { description: 'The server seed.', example: 'sed_01b977d7aa0076a1b2c3d4e5f6071806' },
  shipment_number: { description: 'Counts the order’s parcels, from 1.', example: 1 },
  state: { description: 'Where it stands.', example: 'won' },
  status: { description: 'How it ended.' },
  tracking_number: { description: 'The carrier’s number of the parcel.', example: 'JD0123456789' },
  transaction_id: {
    description: 'The movement of money.',
    example: 'txn_cbk_01b977d7aa0076a1b2c3d4e5f6071804',
  },
  type: { description: 'What has happened, or to what sort of thing.' },
  updated_at: { description: 'When it last changed.', example: '2030-01-31T12:00:00.000Z' },
  wallet_answers: { description: 'What wallets have said of it, the oldest first. Kept for ever.' },
  wallet_reference: { description: 'The wallet’s own name for it.', example: 'booking-20300131-77' },
  operator_id: { description: 'The operator.', example: 'opr_01b977d7aa0076a1b2c3d4e5f6071811' },
  session_id: { description: 'The session.', example: 'ses_01b977d7aa0076a1b2c3d4e5f6071812' },
}
