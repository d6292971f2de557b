import type { TransitionTable } from '../state-machine.ts'

export type PrizeState =
  'won' | 'ordered' | 'fulfilled' | 'cashback_pending' | 'cashed_back' | 'expired' | 'voided'

/** A prize is either ordered or cashed back, never both. */
export const prizeTransitions: TransitionTable<PrizeState> = {
  won: ['ordered', 'cashback_pending', 'expired', 'voided'],
  ordered: ['won', 'fulfilled', 'voided'],
  fulfilled: [],
  cashback_pending: ['cashed_back', 'won'],
  cashed_back: ['won', 'voided'],
  expired: [],
  voided: [],
}
