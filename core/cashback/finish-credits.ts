import { loadDecideStore } from '../batch/load-decide-store.ts'
import type { Change } from '../batch/load-decide-store.ts'
import type { Settled } from '../batch/batcher.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import type { JobPayload, WorkResult } from '../queue/jobs.ts'
import { attemptsOf, transactionIdOf } from './cashback.ts'
import type { CashbackChange, CashbackSnapshot } from './cashback.ts'
import { courses } from './course.ts'
import { decideCreditResult } from './decide-credit.ts'
import type { AttemptOutcome } from './decide-credit.ts'
import { decideLateAnswer } from './decide-late-answer.ts'
import { cashbackKeyOf, loadCashbacks } from './load-cashbacks.ts'
import { storeCashbackChanges } from './store-changes.ts'
import { answerIn } from './wallet-answer.ts'
import type { WalletAnswer, WalletCall } from './wallet-answer.ts'

/** An attempt that is over. */
export interface EndedAttempt {
  job: JobPayload
  casinoId: string
  call: WalletCall
  /** No attempt before this one can have been heard by any wallet. */
  isFirstToAsk: boolean
  outcome: AttemptOutcome
}

/** How the work goes on, how the cashback stands now, and what the wallet has said. */
export interface FinishedCredit {
  result: WorkResult
  /** Undefined when it is as it was. */
  cashback: CashbackSnapshot | undefined
  answer: WalletAnswer | undefined
}

interface FinishWrite {
  change: CashbackChange
  result: WorkResult
}

interface FinishCreditsDeps {
  database: Database
  clock: Clock
  /** From 0 to 1. */
  random: () => number
}

/**
 * Stores what wallets answered: the answer, the states, the ledger, the history and how the work goes on are one
 * statement. The cashback is looked up by its own id: an answer may come after its attempt was given up and its work was
 * finished by somebody else, and is kept all the same.
 */
export function createFinishCredits(
  deps: FinishCreditsDeps,
): (ended: readonly EndedAttempt[]) => Promise<Settled<FinishedCredit>[]> {
  const change: Change<EndedAttempt, ReadonlyMap<string, CashbackSnapshot>, FinishWrite, FinishedCredit> = {
    load: (ended) =>
      loadCashbacks(
        deps.database,
        ended.map(({ casinoId, job }) => ({ casinoId, cashbackId: job.objectId })),
      ),
    decide: (ended, cashbacks) => {
      const cashback = cashbacks.get(cashbackKeyOf(ended.casinoId, ended.job.objectId))
      const write = cashback === undefined ? undefined : decideFinish(deps, ended, cashback)
      return write === undefined
        ? { answer: { result: 'nothing_to_do', cashback: undefined, answer: undefined } }
        : { write }
    },
    store: (writes) => storeResults(deps, writes),
  }
  return (ended) => loadDecideStore(change, ended)
}

function decideFinish(
  { clock, random }: FinishCreditsDeps,
  { job, call, isFirstToAsk, outcome }: EndedAttempt,
  cashback: CashbackSnapshot,
): FinishWrite | undefined {
  const by = { cashback, actor: 'worker', reason: null, requestId: null }
  const now = clock.now()
  if (!isUnderWay(call, cashback)) {
    const late = decideLateAnswer(call, outcome, cashback, now)
    return late === undefined ? undefined : { change: { ...by, ...late }, result: 'nothing_to_do' }
  }
  const at = { now, random: random(), isFirstToAsk, wallet: call.wallet }
  const { plan, retryAt } = decideCreditResult(outcome, cashback, at)
  const told = answerIn(outcome)
  const answer = told === undefined ? undefined : { ...call, ...told, contradicts: false }
  return {
    change: { ...by, plan, answer, work: { outboxId: job.outboxId, snoozeUntil: retryAt } },
    result: retryAt === null ? 'done' : 'snoozed',
  }
}

/** Whether nobody has given the attempt up in the meantime. */
function isUnderWay({ operation, transactionId, attempt }: WalletCall, cashback: CashbackSnapshot): boolean {
  return (
    cashback.state === courses[operation].asked &&
    transactionIdOf(cashback, operation) === transactionId &&
    attemptsOf(cashback, operation) === attempt
  )
}

async function storeResults(
  deps: FinishCreditsDeps,
  writes: readonly FinishWrite[],
): Promise<ReadonlyMap<FinishWrite, FinishedCredit>> {
  const stored = await storeCashbackChanges(
    deps,
    writes.map(({ change }) => change),
  )
  return new Map(
    writes.flatMap((write) => {
      const { change, result } = write
      const after = stored.get(change)?.cashback
      const cashback = change.plan.steps.length === 0 ? undefined : after
      return after === undefined ? [] : [[write, { result, cashback, answer: change.answer }]]
    }),
  )
}
