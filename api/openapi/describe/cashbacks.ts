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
    200: { description: 'The cashback after the action.', schema: success(cashback.type), example },
  }
}

export const cashbackDescriptions = {
  'GET /cashbacks': {
    operationId: 'listCashbacks',
    tag: 'Cashbacks',
    summary: 'List the cashbacks',
    description: 'Optionally only those in one state or of one player.',
    query: cashbacksInput,
    answers: { 200: { description: 'The cashbacks, the oldest first.', schema: pageOf(cashback.type) } },
    errors: [],
  },
  'GET /cashbacks/:cashback_id': {
    operationId: 'getCashback',
    tag: 'Cashbacks',
    summary: 'Show a cashback',
    description: 'Shows its attempts and its history.',
    answers: {
      200: {
        description: 'The cashback, the answers of wallets, and its history.',
        schema: success(cashbackDetails.type),
      },
    },
    errors: ['cashback_unknown'],
  },
  'POST /cashbacks/:cashback_id/retry': {
    operationId: 'retryCashback',
    tag: 'Cashbacks',
    summary: 'Ask the wallet again',
    description: 'The wallet is asked immediately, with the same transaction id as before.',
    body: retryInput,
    isBodyOptional: true,
    answers: movedTo({ state: 'processing', wallet: 'http', attempts: 2 }),
    errors: ['cashback_unknown', 'revision_changed', 'transition_illegal', 'cashback_needs_resolution'],
  },
  'POST /cashbacks/:cashback_id/release-wallet': {
    operationId: 'releaseCashbackWallet',
    tag: 'Cashbacks',
    summary: 'Allow another wallet to be asked',
    description:
      'For a cashback whose wallet has been replaced, once it is known that the old wallet has not paid. The next attempt asks the casino’s current wallet.',
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
    summary: 'Record what the wallet has done',
    description:
      'For a cashback without a known outcome, once it is known whether the wallet has credited it or taken it back.',
    body: resolveInput,
    answers: movedTo({ state: 'credited', wallet: 'http', attempts: 8 }),
    errors: ['cashback_unknown', 'revision_changed', 'transition_illegal', 'approval_required'],
  },
  'POST /cashbacks/:cashback_id/reverse': {
    operationId: 'reverseCashback',
    tag: 'Cashbacks',
    summary: 'Reverse a credit',
    description:
      'The internal ledger takes it back immediately. A wallet of the casino is asked first, unless the casino has the money back already. Then the prize returns to the player, or is voided.',
    body: reverseInput,
    answers: movedTo({ state: 'reversing', wallet: 'http', attempts: 1, reversal_prize: 'return' }),
    errors: ['cashback_unknown', 'revision_changed', 'transition_illegal', 'approval_required'],
  },
} as const satisfies Descriptions
