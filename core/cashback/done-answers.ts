import { transactionIdOf } from './cashback.ts'
import type { CashbackSnapshot } from './cashback.ts'
import { courseOf } from './course.ts'
import { isDone, isOtherAmount } from './wallet-answer.ts'
import type { AnswerOfWallet } from './wallet-answer.ts'

/** A wallet has said that it has paid, whatever amount. */
export function isPaid({ doneAnswers }: Pick<CashbackSnapshot, 'doneAnswers'>): boolean {
  return doneAnswers.some(({ operation }) => operation === 'credit')
}

/**
 * Why money could move twice if this wallet were asked next; undefined when it could not. Only what the same wallet has
 * said of the same transaction and the amount on record is harmless: it will say so again. `wallet` is null when it is
 * our ledger, or when no outside wallet is on record.
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

/** The same after a call of the wallet: what it has told, if anything, can also deny what it has said itself. */
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
