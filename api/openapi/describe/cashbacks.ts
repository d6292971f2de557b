import { cashbackTransitions } from '../../../core/cashback/state.ts'
import { cashbacksInput, resolveInput, retryInput, reverseInput } from '../../admin/cashbacks.ts'
import type { Descriptions } from '../description.ts'
import { count, id, list, named, nullable, object, oneOf, string, time } from '../json-schema.ts'
import { pageOf, success } from './bodies.ts'
import { historyEntry } from './history.ts'
import { amount, currency } from './money.ts'

export const cashbackState = oneOf(Object.keys(cashbackTransitions))

const cashbackFields = {
  cashback_id: id,
  prize_id: id,
  player_id: id,
  amount_minor: amount,
  currency,
  state: cashbackState,
  wallet: nullable(oneOf(['ledger', 'http'])),
  attempts: count,
  wallet_reference: nullable(string),
  problem: nullable(string),
  created_at: time,
  updated_at: time,
}

export const cashback = named('Cashback', object(cashbackFields))
const cashbackDetails = named('CashbackDetails', object({ ...cashbackFields, history: list(historyEntry) }))

const moved = { 200: { description: 'The cashback as the move left it.', schema: success(cashback) } }

export const cashbackDescriptions = {
  'GET /cashbacks': {
    operationId: 'listCashbacks',
    tag: 'Cashbacks',
    summary: 'List the cashbacks',
    description: 'Of a state, of a player.',
    query: cashbacksInput,
    answers: { 200: { description: 'The cashbacks, the oldest first.', schema: pageOf(cashback) } },
    errors: [],
  },
  'GET /cashbacks/:cashback_id': {
    operationId: 'getCashback',
    tag: 'Cashbacks',
    summary: 'Show a cashback',
    description: 'With what was tried and what people did.',
    answers: { 200: { description: 'The cashback and its history.', schema: success(cashbackDetails) } },
    errors: ['cashback_unknown'],
  },
  'POST /cashbacks/:cashback_id/retry': {
    operationId: 'retryCashback',
    tag: 'Cashbacks',
    summary: 'Ask the wallet again',
    description: 'At once, with the same transaction id as before.',
    body: retryInput,
    isBodyOptional: true,
    answers: moved,
    errors: ['cashback_unknown', 'transition_illegal'],
  },
  'POST /cashbacks/:cashback_id/resolve': {
    operationId: 'resolveCashback',
    tag: 'Cashbacks',
    summary: 'Say what the wallet has done',
    description: 'Somebody has found out whether it has credited.',
    body: resolveInput,
    answers: moved,
    errors: ['cashback_unknown', 'transition_illegal'],
  },
  'POST /cashbacks/:cashback_id/reverse': {
    operationId: 'reverseCashback',
    tag: 'Cashbacks',
    summary: 'Take a credit back',
    description: 'By an entry that makes up for it. The prize goes back to the player, or is void.',
    body: reverseInput,
    answers: moved,
    errors: ['cashback_unknown', 'transition_illegal'],
  },
} as const satisfies Descriptions
