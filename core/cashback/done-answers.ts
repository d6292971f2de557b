import { transactionIdOf } from './cashback.ts'
import type { CashbackSnapshot } from './cashback.ts'
import { courseOf } from './course.ts'
import { isDone, isOtherAmount } from './wallet-answer.ts'
import type { AnswerOfWallet } from './wallet-answer.ts'

/** A wallet has reported that it paid, in any amount. */
export function isPaid({ doneAnswers }: Pick<CashbackSnapshot, 'doneAnswers'>): boolean {
  return doneAnswers.some(({ operation }) => operation === 'credit')
}

/**
 * Why calling this wallet next could move money twice; undefined if it could not. Only the wallet that reported this
 * transaction with the recorded amount is safe: it will repeat its answer. `wallet` is null for our ledger, or if no
 * outside wallet is on record.
 */
export function problemOfAsking(
  cashback: CashbackSnapshot,
  wallet: string | null,
): 'amount_mismatch' | 'wallet_contradicted' | undefined {
  const { operation } = courseOf(cashback.state)
  const transactionId = transactionIdOf(cashback, operation)
  const done = cashback.doneAnswers.filter((answer) => answer.operation === operation)
  if (done.some((answer) => isOtherAmount(answer, cashback))) return 'amount_mismatch'
  return done.some((answer) => answer.wallet !== wallet || answer.transactionId !== transactionId)
    ? 'wallet_contradicted'
    : undefined
}

/** The same after a call: the new answer can also contradict the wallet's earlier one. */
export function problemAfterCall(
  told: AnswerOfWallet | undefined,
  cashback: CashbackSnapshot,
  wallet: string | null,
): ReturnType<typeof problemOfAsking> {
  if (told !== undefined && isDone(told)) return undefined
  const { operation } = courseOf(cashback.state)
  const isDenied = told !== undefined && cashback.doneAnswers.some((answer) => answer.operation === operation)
  return problemOfAsking(cashback, wallet) ?? (isDenied ? 'wallet_contradicted' : undefined)
}
