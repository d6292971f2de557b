import { waitingInStates } from '../casino/waiting-in-states.ts'
import type { Database } from '../platform/database.ts'
import { sql } from '../platform/sql.ts'
import type { CasinoChoice, WaitingWork } from '../platform/waiting-work.ts'

/** States whose outcome a wallet has not reported, or an operator must decide. */
const waitingStates = ['unknown', 'manual_review', 'reversal_unknown', 'reversal_review'] as const
export type WaitingCashbackState = (typeof waitingStates)[number]

/** Cashbacks in these states, by casino and state. */
export async function findWaitingCashbacks(
  database: Database,
  casinos: CasinoChoice,
): Promise<(WaitingWork & { state: WaitingCashbackState })[]> {
  const found = waitingInStates({
    table: sql`cashback`,
    objectType: 'cashback',
    states: waitingStates,
    casinos,
  })
  return database.$queryRaw<(WaitingWork & { state: WaitingCashbackState })[]>`${found}`
}
