import type { CashbackState } from './state.ts'

/** The wallet's operation: pay the player, or take the money back. */
export type WalletOperation = 'credit' | 'debit'

/** Both operations have the same steps (attempt, unknown outcome, review), each with states of its own. */
export interface Course {
  operation: WalletOperation
  /** One job name per operation, so that an older version of the code cannot mistake a debit for a credit. */
  jobName: 'credit-cashback' | 'debit-cashback'
  /** The wallet is being called, or soon will be. */
  asked: 'processing' | 'reversing'
  /** The wallet's result is unknown. It is retried. */
  unknown: 'unknown' | 'reversal_unknown'
  /** Only an operator can find out. */
  review: 'manual_review' | 'reversal_review'
  done: 'credited' | 'reversed'
  declined: 'declined' | 'credited'
  /**
   * The event of a refusal. A failed reversal needs a name of its own: `credited` would mean that the player was paid.
   */
  declinedEvent: 'declined' | 'reversal_declined'
}

export const courses: Readonly<Record<WalletOperation, Course>> = {
  credit: {
    operation: 'credit',
    jobName: 'credit-cashback',
    asked: 'processing',
    unknown: 'unknown',
    review: 'manual_review',
    done: 'credited',
    declined: 'declined',
    declinedEvent: 'declined',
  },
  debit: {
    operation: 'debit',
    jobName: 'debit-cashback',
    asked: 'reversing',
    unknown: 'reversal_unknown',
    review: 'reversal_review',
    done: 'reversed',
    declined: 'credited',
    declinedEvent: 'reversal_declined',
  },
}

/** The current or last operation of a cashback. */
export function courseOf(state: CashbackState): Course {
  return isBeingReversed(state) || state === 'reversed' ? courses.debit : courses.credit
}

/** The player has the money, and the wallet is to take it back. */
export function isBeingReversed(state: CashbackState): boolean {
  return state === courses.debit.asked || state === courses.debit.unknown || state === courses.debit.review
}

/** No call is running, and the wallet's result is unknown. */
export function isUnclear(state: CashbackState): state is Course['unknown' | 'review'] {
  const { unknown, review } = courseOf(state)
  return state === unknown || state === review
}

/** The wallet was asked, and the result is not settled. */
export function isOpen(state: CashbackState): state is Course['asked' | 'unknown' | 'review'] {
  return isUnclear(state) || state === courseOf(state).asked
}

/** The transitions that lead an open cashback to manual review. */
export function pathToReview(state: CashbackState): CashbackState[] {
  const { unknown, review } = courseOf(state)
  if (state === review) return []
  return state === unknown ? [review] : [unknown, review]
}
