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
 * `requested → credited` is for our own ledger, where the credit and the state are one write; an outside wallet goes
 * through `processing`, which is committed before the call (docs/contribute/decisions/0005). Without an answer it is
 * `unknown`, never `declined`: only the wallet's own refusal, or a person, may say that nothing was credited.
 * `requested → declined` is for people: no wallet has heard of such a cashback.
 *
 * Taking a credit back has the same steps: `reversing` is committed before the wallet is called, and until it has taken
 * the money, or a person says so, the credit stands. `credited → reversed` is for our own ledger, and for money that the
 * casino has taken back itself.
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
