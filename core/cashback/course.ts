import type { CashbackState } from './state.ts'

/** What a wallet is asked to do: give the player the money, or take it back. */
export type WalletOperation = 'credit' | 'debit'

/** Both operations have the same steps (attempt, unknown outcome, review), each in states of its own. */
export interface Course {
  operation: WalletOperation
  /** The work that a worker does. It has a name for each, so that no earlier version takes a debit for a credit. */
  jobName: 'credit-cashback' | 'debit-cashback'
  /** Somebody is asking the wallet, or is about to. */
  asked: 'processing' | 'reversing'
  /** Nobody knows what the wallet has done. It is asked again. */
  unknown: 'unknown' | 'reversal_unknown'
  /** Only a person can find out. */
  review: 'manual_review' | 'reversal_review'
  done: 'credited' | 'reversed'
  declined: 'declined' | 'credited'
  /** The event of a refusal: `credited` alone would say that the player has been paid. */
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

/** The course that a cashback is on, or was on last. */
export function courseOf(state: CashbackState): Course {
  return isBeingReversed(state) || state === 'reversed' ? courses.debit : courses.credit
}

/** The player has the money, and the wallet is to take it back. */
export function isBeingReversed(state: CashbackState): boolean {
  return state === courses.debit.asked || state === courses.debit.unknown || state === courses.debit.review
}

/** Nobody is asking the wallet just now, and nobody knows what it has done. */
export function isUnclear(state: CashbackState): state is Course['unknown' | 'review'] {
  const { unknown, review } = courseOf(state)
  return state === unknown || state === review
}

/** What a wallet has been asked and not settled. */
export function isOpen(state: CashbackState): state is Course['asked' | 'unknown' | 'review'] {
  return isUnclear(state) || state === courseOf(state).asked
}

/** By which states an open cashback goes to people. */
export function pathToReview(state: CashbackState): CashbackState[] {
  const { unknown, review } = courseOf(state)
  if (state === review) return []
  return state === unknown ? [review] : [unknown, review]
}
