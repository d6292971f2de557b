import { int, text, timestamptz } from '../platform/sql.ts'
import type { CashbackSnapshot } from './cashback.ts'

interface Changed {
  after: CashbackSnapshot
}

/** The columns of `cashback` that a change writes beside state and revision. */
export const cashbackColumns = {
  wallet: text(({ after }: Changed) => after.wallet),
  wallet_asked: text(({ after }: Changed) => after.walletAsked),
  attempts: int(({ after }: Changed) => after.attempts),
  attempt_until: timestamptz(({ after }: Changed) => after.attemptUntil),
  wallet_reference: text(({ after }: Changed) => after.walletReference),
  problem: text(({ after }: Changed) => after.problem),
  reversal_prize: text(({ after }: Changed) => after.reversalPrize),
  debit_number: int(({ after }: Changed) => after.debitNumber),
  debit_attempts: int(({ after }: Changed) => after.debitAttempts),
}
