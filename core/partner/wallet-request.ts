import { amountToJson } from '../money.ts'
import type { Money } from '../money.ts'
import { count, currency, id, matching, oneOf, positiveAmount } from '../shape/json-schema.ts'
import { field, shapeOf } from '../shape/shape.ts'

/** A request to a wallet. */
export interface WalletRequest extends Money {
  operation: 'credit' | 'debit'
  /** The same on every attempt: the wallet carries it out once. */
  transactionId: string
  /** The cashback, and the transaction that has credited it or will. */
  cashbackId: string
  prizeId: string
  playerId: string
  /** Counts the calls with this transaction id from 1. */
  attempt: number
}

const cashback = 'cbk_01b977d7aa0076a1b2c3d4e5f6071804'
const cashbackId = matching(/^cbk_[0-9a-f]{32}$/, cashback)
const transaction = { description: 'The movement of money: the same id on every attempt.' }

/** The fields of every call about money; docs/integrate/wallets.md explains them. */
const aboutCashback = shapeOf<WalletRequest>()(undefined, {
  cashback_id: field(cashbackId, (request) => request.cashbackId),
  prize_id: field(id, (request) => request.prizeId),
  player_id: field(id, (request) => request.playerId),
  amount_minor: field(positiveAmount, (request) => amountToJson(request.amountMinor)),
  currency: field(currency, (request) => request.currency),
}).fields

const attempt = field(count, (request: WalletRequest) => request.attempt, {
  description: 'Which of the calls.',
  example: 1,
})

export const creditCall = shapeOf<WalletRequest>()('CreditCall', {
  type: field(oneOf(['cashback.credit']), () => 'cashback.credit'),
  transaction_id: field(cashbackId, (request) => request.transactionId, transaction),
  ...aboutCashback,
  attempt,
})

export const debitCall = shapeOf<WalletRequest>()('DebitCall', {
  type: field(oneOf(['cashback.debit']), () => 'cashback.debit'),
  transaction_id: field(
    matching(/^debit_[1-9]\d*_cbk_[0-9a-f]{32}$/, `debit_1_${cashback}`),
    (request) => request.transactionId,
    transaction,
  ),
  ...aboutCashback,
  credit_transaction_id: field(cashbackId, (request) => request.cashbackId, {
    description: 'The transaction that has credited it.',
  }),
  attempt,
})

export function renderRequest(request: WalletRequest): string {
  const call = request.operation === 'credit' ? creditCall : debitCall
  return JSON.stringify(call.render(request))
}
