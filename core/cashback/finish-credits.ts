import { loadDecideStore } from '../batch/load-decide-store.ts'
import type { Change } from '../batch/load-decide-store.ts'
import type { Settled } from '../batch/batcher.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import type { JobPayload, WorkResult } from '../queue/jobs.ts'
import type { CashbackChange, CashbackSnapshot } from './cashback.ts'
import { decideCreditResult } from './decide-credit.ts'
import type { AttemptOutcome, CreditResult } from './decide-credit.ts'
import { loadCashbacksOfWork } from './load-cashbacks.ts'
import { storeCashbackChanges } from './store-changes.ts'

/** An attempt that is over. */
export interface EndedAttempt {
  job: JobPayload
  attempt: number
  /** No attempt before this one can have been heard by any wallet. */
  isFirstToAsk: boolean
  outcome: AttemptOutcome
}

/** How the work goes on, and how the cashback stands now; undefined when the attempt is not the latest any more. */
export interface FinishedCredit {
  result: WorkResult
  cashback: CashbackSnapshot | undefined
}

interface FinishWrite {
  job: JobPayload
  cashback: CashbackSnapshot
  decided: CreditResult
}

interface FinishCreditsDeps {
  database: Database
  clock: Clock
  /** From 0 to 1. */
  random: () => number
}

/**
 * Stores what wallets answered: the states, the ledger, the history and how the work goes on are one statement. What an
 * attempt brought after another has begun is dropped: the same transaction is asked about again, and answered the same.
 */
export function createFinishCredits(
  deps: FinishCreditsDeps,
): (ended: readonly EndedAttempt[]) => Promise<Settled<FinishedCredit>[]> {
  const change: Change<EndedAttempt, ReadonlyMap<string, CashbackSnapshot>, FinishWrite, FinishedCredit> = {
    load: (ended) =>
      loadCashbacksOfWork(
        deps.database,
        ended.map(({ job }) => job),
      ),
    decide: ({ job, attempt, isFirstToAsk, outcome }, cashbacks) => {
      const cashback = cashbacks.get(job.outboxId)
      if (cashback?.state !== 'processing' || cashback.attempts !== attempt) {
        return { answer: { result: 'nothing_to_do', cashback: undefined } }
      }
      const at = { now: deps.clock.now(), random: deps.random(), isFirstToAsk }
      return { write: { job, cashback, decided: decideCreditResult(outcome, cashback, at) } }
    },
    store: (writes) => storeResults(deps, writes),
  }
  return (ended) => loadDecideStore(change, ended)
}

async function storeResults(
  deps: FinishCreditsDeps,
  writes: readonly FinishWrite[],
): Promise<ReadonlyMap<FinishWrite, FinishedCredit>> {
  const changes = new Map<CashbackChange, FinishWrite>(
    writes.map((write) => {
      const { job, cashback, decided } = write
      const work = { outboxId: job.outboxId, snoozeUntil: decided.retryAt }
      const change = { cashback, plan: decided.plan, actor: 'worker', reason: null, requestId: null, work }
      return [change, write]
    }),
  )
  const stored = await storeCashbackChanges(deps, [...changes.keys()])
  return new Map(
    [...stored].flatMap(([change, { cashback }]) => {
      const write = changes.get(change)
      if (write === undefined) return []
      return [[write, { result: write.decided.retryAt === null ? 'done' : 'snoozed', cashback }]]
    }),
  )
}
