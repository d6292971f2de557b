import { itemKinds } from '../../../core/prize/prize.ts'
import { prizeTransitions } from '../../../core/prize/state.ts'
import { grantsInput, listInput } from '../../admin/grants.ts'
import { inventoryInput } from '../../admin/players.ts'
import { prizeInput, voidInput } from '../../admin/prizes.ts'
import { eraseInput, exportInput } from '../../admin/privacy.ts'
import type { Descriptions } from '../description.ts'
import {
  boolean,
  count,
  id,
  list,
  matching,
  named,
  nullable,
  object,
  oneOf,
  string,
  time,
} from '../json-schema.ts'
import { money, pageOf, success } from './bodies.ts'
import { cashback, cashbackState, walletAnswerFields } from './cashbacks.ts'
import { historyEntry } from './history.ts'
import { amount, currency } from './money.ts'
import { deliveryDetails, order, orderFields } from './orders.ts'
import { shipmentNews } from './shipment-news.ts'

const prizeState = oneOf(Object.keys(prizeTransitions))
const openingId = matching(/^opn_[0-9a-f]{32}$/)

const prizeFields = {
  prize_id: id,
  player_id: id,
  item_id: id,
  name: string,
  kind: oneOf(itemKinds),
  cashback: nullable(money),
  state: prizeState,
  opening_id: nullable(openingId),
  expires_at: nullable(time),
  created_at: time,
  updated_at: time,
}
const prize = named('Prize', object(prizeFields))
const prizeDetails = named(
  'PrizeDetails',
  object({ ...prizeFields, orders: list(order), cashbacks: list(cashback), history: list(historyEntry) }),
)

const grantFields = {
  grant_id: id,
  box_id: id,
  count,
  used: count,
  expires_at: nullable(time),
  created_at: time,
}
const grant = named('Grant', object({ ...grantFields, player_id: id }))

const balances = list(named('Balance', object({ currency, amount_minor: amount })))

const erasure = named('Erasure', object({ player_id: id, erased_orders: count, waiting_order_ids: list(id) }))

const playerExport = named(
  'PlayerExport',
  object(
    {
      player_id: id,
      complete: boolean,
      first_seen_at: nullable(time),
      erase_requested_at: nullable(time),
      erased_at: nullable(time),
      client_seed: nullable(string),
      client_seed_in_use: nullable(string),
      balances,
      grants: list(object(grantFields)),
      openings: list(
        object({
          opening_id: openingId,
          box_id: id,
          box_version: count,
          item_id: id,
          prize_id: id,
          grant_id: nullable(id),
          client_seed: nullable(string),
          opened_at: time,
        }),
      ),
      prizes: list(
        object({
          prize_id: id,
          item_id: id,
          item_name: string,
          kind: oneOf(itemKinds),
          state: prizeState,
          expires_at: nullable(time),
          created_at: time,
        }),
      ),
      orders: list(
        object({
          ...orderFields,
          delivery: nullable(deliveryDetails),
          provider_reference: nullable(string),
        }),
      ),
      news: list(shipmentNews),
      cashbacks: list(
        object({
          cashback_id: id,
          prize_id: id,
          amount_minor: amount,
          currency,
          state: cashbackState,
          wallet_reference: nullable(string),
          created_at: time,
        }),
      ),
      wallet_answers: list(object({ cashback_id: id, ...walletAnswerFields })),
      ledger_entries: list(
        object({
          transaction_id: string,
          kind: oneOf(['cashback_reserve', 'cashback_credit', 'cashback_void', 'cashback_reversal']),
          cashback_id: id,
          account: oneOf(['player_pending', 'player_wallet']),
          amount_minor: amount,
          currency,
          created_at: time,
        }),
      ),
      history: list(historyEntry),
    },
    { next_cursor: string },
  ),
)

export const playerDescriptions = {
  'POST /grants': {
    operationId: 'createGrants',
    tag: 'Players',
    summary: 'Grant openings',
    description: 'All of them or none. A `grant_id` makes its grant safe to repeat.',
    body: grantsInput,
    answers: {
      200: { description: 'The grants, in the order of the request.', schema: success(list(grant)) },
    },
    errors: ['box_unknown', 'grant_conflict', 'quota_exceeded'],
  },
  'POST /prizes': {
    operationId: 'givePrize',
    tag: 'Players',
    summary: 'Give a prize',
    description: 'Under a `prize_id` of the caller’s it is safe to repeat.',
    body: prizeInput,
    answers: {
      200: {
        description: 'The prize, which the player has already.',
        schema: success(prize),
        example: { opening_id: null },
      },
      201: { description: 'The prize.', schema: success(prize), example: { opening_id: null } },
    },
    errors: ['item_unknown', 'prize_exists', 'quota_exceeded'],
  },
  'GET /prizes/:prize_id': {
    operationId: 'getPrize',
    tag: 'Players',
    summary: 'Show a prize',
    description: 'With its orders and cashbacks, and all that happened to any of them.',
    answers: { 200: { description: 'The prize.', schema: success(prizeDetails) } },
    errors: ['prize_unknown'],
  },
  'POST /prizes/:prize_id/void': {
    operationId: 'voidPrize',
    tag: 'Players',
    summary: 'Void a prize',
    description:
      'One that was given by mistake or won by fraud, for good. Only while it is `won`: void an ordered one by its order, ' +
      'and one that is cashed back by its cashback. A limited stock does not get it back.',
    body: voidInput,
    isBodyOptional: true,
    answers: {
      200: { description: 'The prize, voided.', schema: success(prize), example: { state: 'voided' } },
    },
    errors: ['prize_unknown', 'transition_illegal'],
  },
  'GET /players/:player_id/prizes': {
    operationId: 'listPlayerPrizes',
    tag: 'Players',
    summary: 'List a player’s prizes',
    description: 'In any state, or in the one that `state` names.',
    query: inventoryInput,
    answers: { 200: { description: 'The prizes.', schema: pageOf(prize) } },
    errors: [],
  },
  'GET /players/:player_id/grants': {
    operationId: 'listPlayerGrants',
    tag: 'Players',
    summary: 'List a player’s grants',
    description: 'Used up and expired ones among them.',
    query: listInput,
    answers: { 200: { description: 'The grants.', schema: pageOf(grant) } },
    errors: [],
  },
  'GET /players/:player_id/balance': {
    operationId: 'getPlayerBalance',
    tag: 'Players',
    summary: 'Show a player’s balance',
    description: 'What was credited and not reversed.',
    answers: {
      200: {
        description: 'Credited cashback by currency.',
        schema: success(named('PlayerBalance', object({ player_id: id, balances }))),
      },
    },
    errors: [],
  },
  'POST /players/:player_id/erase': {
    operationId: 'erasePlayer',
    tag: 'Players',
    summary: 'Erase what is known of a player as a person',
    description: 'Orders on their way are erased when they are finished.',
    body: eraseInput,
    isBodyOptional: true,
    answers: { 200: { description: 'What was erased, and what waits.', schema: success(erasure) } },
    errors: [],
  },
  'POST /players/:player_id/export': {
    operationId: 'exportPlayer',
    tag: 'Players',
    summary: 'Export all that is stored about a player',
    description:
      'Of each kind the newest 500, with what belongs to them; while `complete` is false, the rest follows with `next_cursor`.',
    body: exportInput,
    isBodyOptional: true,
    onlyReads: true,
    answers: {
      200: { description: 'The export.', schema: success(playerExport), headers: ['Cache-Control'] },
    },
    errors: [],
  },
} as const satisfies Descriptions
