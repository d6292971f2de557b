import type { TransitionTable } from '../state-machine.ts'

export type CashbackState =
  | 'requested'
  | 'processing'
  | 'credited'
  | 'declined'
  | 'unknown'
  | 'manual_review'
  | 'reversing'
  | 'reversal_unknown'
  | 'reversal_review'
  | 'reversed'

/**
 * `requested → credited` is for our own ledger, where credit and state are one write. An outside wallet goes through
 * `processing`, which is committed before the call (docs/contribute/decisions/0005). Without an answer the state is
 * `unknown`, never `declined`: only the wallet's refusal or an operator can establish that nothing was credited.
 * `requested → declined` is for operators: no wallet has received such a cashback.
 *
 * A reversal has the same steps. `reversing` is committed before the call, and the credit stands until the wallet
 * confirms the debit or an operator does. `credited → reversed` is for our own ledger, and for money that the casino
 * has taken back itself.
 */
export const cashbackTransitions: TransitionTable<CashbackState> = {
  requested: ['processing', 'credited', 'declined'],
  processing: ['credited', 'declined', 'unknown'],
  credited: ['reversing', 'reversed'],
  declined: [],
  unknown: ['processing', 'credited', 'manual_review'],
  manual_review: ['processing', 'credited', 'declined'],
  reversing: ['reversed', 'credited', 'reversal_unknown'],
  reversal_unknown: ['reversing', 'reversed', 'credited', 'reversal_review'],
  reversal_review: ['reversing', 'reversed', 'credited'],
  reversed: [],
}
