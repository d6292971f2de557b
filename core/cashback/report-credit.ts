import type { Logger } from '../platform/logger.ts'
import { attemptsOf } from './cashback.ts'
import type { CashbackSnapshot } from './cashback.ts'
import { courseOf } from './course.ts'
import type { WalletAnswer } from './wallet-answer.ts'

export interface ReportCreditDeps {
  log: Logger
  /** Told of each cashback that people must look at, and why. */
  onReview: (problem: string) => void
}

/** The state was decided without this answer, by a person or after another wallet's: see docs/operate/alerts.md. */
export function reportContradiction(
  { log }: ReportCreditDeps,
  { casinoId, id: cashbackId }: CashbackSnapshot,
  { operation, attempt, outcome }: WalletAnswer,
): void {
  const details = { casinoId, cashbackId, operation, attempt, outcome }
  log.error(details, 'a wallet contradicts what is on record of a cashback')
}

/** A wallet that has moved another amount than it was asked for is worse than one that does not answer. */
export function reportReview({ log, onReview }: ReportCreditDeps, cashback: CashbackSnapshot): void {
  const { casinoId, id: cashbackId, state } = cashback
  const { operation } = courseOf(state)
  const problem = cashback.problem ?? 'unknown'
  onReview(problem)
  const details = { casinoId, cashbackId, operation, attempts: attemptsOf(cashback, operation), problem }
  if (problem === 'amount_mismatch')
    log.error(details, `a wallet has ${operation}ed another amount than it was asked for`)
  else log.warn(details, 'a cashback waits for a person')
}
