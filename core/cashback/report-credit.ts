import type { Logger } from '../platform/logger.ts'
import { attemptsOf } from './cashback.ts'
import type { CashbackSnapshot } from './cashback.ts'
import { courseOf } from './course.ts'
import type { WalletAnswer } from './wallet-answer.ts'

export interface ReportCreditDeps {
  log: Logger
  /** Called for each cashback that goes to manual review, with the reason. */
  onReview: (problem: string) => void
}

/** The state was decided without this answer, by an operator or another wallet's answer: see docs/operate/alerts.md. */
export function reportContradiction(
  { log }: ReportCreditDeps,
  { casinoId, id: cashbackId }: CashbackSnapshot,
  { operation, attempt, outcome }: WalletAnswer,
): void {
  const details = { casinoId, cashbackId, operation, attempt, outcome }
  log.error(details, 'wallet answer contradicts the recorded cashback')
}

/** A wallet that moved another amount than requested is more serious than one without an answer. */
export function reportReview({ log, onReview }: ReportCreditDeps, cashback: CashbackSnapshot): void {
  const { casinoId, id: cashbackId, state } = cashback
  const { operation } = courseOf(state)
  const problem = cashback.problem ?? 'unknown'
  onReview(problem)
  const details = { casinoId, cashbackId, operation, attempts: attemptsOf(cashback, operation), problem }
  if (problem === 'amount_mismatch') log.error(details, `wallet ${operation}ed another amount than requested`)
  else log.warn(details, 'cashback needs manual review')
}
