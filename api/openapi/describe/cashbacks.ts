import {
  cashback,
  cashbackDetails,
  cashbacksInput,
  releaseInput,
  resolveInput,
  retryInput,
  reverseInput,
} from '../../admin/cashbacks.ts'
import type { Descriptions } from '../description.ts'
import { pageOf, success } from './bodies.ts'

function movedTo(example: object) {
  return {
    200: { description: 'The cashback as the move left it.', schema: success(cashback.type), example },
  }
}

export const cashbackDescriptions = {
  'GET /cashbacks': {
    operationId: 'listCashbacks',
    tag: 'Cashbacks',
    summary: 'List the cashbacks',
    description: 'Of a state, of a player.',
    query: cashbacksInput,
    answers: { 200: { description: 'The cashbacks, the oldest first.', schema: pageOf(cashback.type) } },
    errors: [],
  },
  'GET /cashbacks/:cashback_id': {
    operationId: 'getCashback',
    tag: 'Cashbacks',
    summary: 'Show a cashback',
    description: 'With what was tried and what people did.',
    answers: {
      200: {
        description: 'The cashback, what wallets have said of it, and its history.',
        schema: success(cashbackDetails.type),
      },
    },
    errors: ['cashback_unknown'],
  },
  'POST /cashbacks/:cashback_id/retry': {
    operationId: 'retryCashback',
    tag: 'Cashbacks',
    summary: 'Ask the wallet again',
    description: 'At once, with the same transaction id as before.',
    body: retryInput,
    isBodyOptional: true,
    answers: movedTo({ state: 'processing', wallet: 'http', attempts: 2 }),
    errors: ['cashback_unknown', 'revision_changed', 'transition_illegal', 'cashback_needs_resolution'],
  },
  'POST /cashbacks/:cashback_id/release-wallet': {
    operationId: 'releaseCashbackWallet',
    tag: 'Cashbacks',
    summary: 'Let another wallet be asked',
    description:
      'Somebody has found out that the wallet that was asked has not paid. The next attempt goes to the casino’s present wallet.',
    body: releaseInput,
    answers: movedTo({ state: 'processing', wallet: 'http', attempts: 2 }),
    errors: [
      'cashback_unknown',
      'revision_changed',
      'transition_illegal',
      'cashback_needs_resolution',
      'approval_required',
    ],
  },
  'POST /cashbacks/:cashback_id/resolve': {
    operationId: 'resolveCashback',
    tag: 'Cashbacks',
    summary: 'Say what the wallet has done',
    description: 'Somebody has found out whether it has credited, or taken the credit back.',
    body: resolveInput,
    answers: movedTo({ state: 'credited', wallet: 'http', attempts: 8 }),
    errors: ['cashback_unknown', 'revision_changed', 'transition_illegal', 'approval_required'],
  },
  'POST /cashbacks/:cashback_id/reverse': {
    operationId: 'reverseCashback',
    tag: 'Cashbacks',
    summary: 'Take a credit back',
    description:
      'Our own ledger takes it back at once. A wallet of the casino is asked first, unless the casino has the money back already; the prize goes back to the player, or is void, when it has taken it.',
    body: reverseInput,
    answers: movedTo({ state: 'reversing', wallet: 'http', attempts: 1, reversal_prize: 'return' }),
    errors: ['cashback_unknown', 'revision_changed', 'transition_illegal', 'approval_required'],
  },
} as const satisfies Descriptions
