import type { Settled } from '../batch/batcher.ts'
import { claimedSettings, withSettings } from '../casino/setting-readers.ts'
import type { FindOfCasinos } from '../casino/setting-readers.ts'
import { createAttempts } from '../outbound/attempts.ts'
import type { AttemptsDeps, Begun, LoadedWork, Moment, RunWork, Step } from '../outbound/attempts.ts'
import type { Attempt, Ended } from '../outbound/make-call.ts'
import { impressionOf } from '../outbound/attempt.ts'
import { createPauses } from '../outbound/pauses.ts'
import type { Pauses } from '../outbound/pauses.ts'
import { lineOf } from '../outbound/call-line.ts'
import type { Wallet } from '../partner/wallet.ts'
import type { WalletOutcome } from '../partner/wallet-outcome.ts'
import type { Database } from '../platform/database.ts'
import { describeOutcome } from '../queue/jobs.ts'
import type { JobPayload, JobReport, WorkResult } from '../queue/jobs.ts'
import { attemptsOf, transactionIdOf } from './cashback.ts'
import type { CashbackChange, CashbackSnapshot } from './cashback.ts'
import type { CasinoWallet, OutsideWallet, WalletSetting } from './casino-wallets.ts'
import { courseOf } from './course.ts'
import { changeOf, changeOfResult, isForReview, reportOf } from './credit-changes.ts'
import type { CreditWrite, MadeCall, ResultChange } from './credit-changes.ts'
import { creditNewCashbacks } from './credit-new.ts'
import { decideCreditStep, isCreditedUnseen } from './decide-credit.ts'
import { cashbackKeyOf, loadCashbacksToChange, loadCashbacksOfWork } from './load-cashbacks.ts'
import type { CashbackOfWork } from './load-cashbacks.ts'
import { reportContradiction, reportReview } from './report-credit.ts'
import type { ReportCreditDeps } from './report-credit.ts'
import { storeCashbackCredits } from './store-changes.ts'
import type { WalletAnswer } from './wallet-answer.ts'

export interface CreditCashbackDeps extends AttemptsDeps, ReportCreditDeps {
  database: Database
  findWallets: FindOfCasinos<CasinoWallet>
  /** Stops all calls under this configuration of the wallet until an operator resumes it. */
  pauseWallet: (casinoId: string, wallet: { revision: number }, reason: string) => Promise<unknown>
  /** Called with the outcome of each call to a wallet. */
  onCall: (outcome: WalletOutcome['kind'], seconds: number) => void
}

/**
 * Three times the usual size: a credit costs PostgreSQL about 6 % less in such batches. Under low load no batch is in
 * flight, and nothing waits.
 */
const worthwhileSize = 48

/**
 * Credits or reverses one cashback; the outbox row's job name tells which. Two differences from other attempts: our own
 * ledger credits without a call, and a wallet's answer is stored permanently, however late it comes.
 */
export function createCreditCashback(deps: CreditCashbackDeps): RunWork {
  const pauses = createPauses(deps.pauseWallet)
  return createAttempts(
    {
      partner: 'wallet',
      worthwhileSize,
      runUnloaded: (jobs) => creditUnloaded(deps, jobs),
      load: (jobs) => loadWork(deps, pauses, jobs),
      decide: decideBegin,
      store: (writes) => storeSteps(deps, writes),
      prepare: (attempt: CreditAttempt, wallet) => ({ send: () => askWallet(wallet, attempt) }),
      hear: (attempt, outcome, seconds) => {
        deps.onCall(outcome.kind, seconds)
        if (outcome.kind === 'unknown') warnOfUnknown(deps, attempt, outcome.problem)
        return impressionOf(outcome)
      },
      pauseIfRefused: pauses.pauseIfRefused,
      record: {
        // By the cashback's id: an answer may arrive after its attempt was given up and another worker
        // finished the work.
        load: (ended: readonly EndedCredit[]) =>
          loadCashbacksToChange(
            deps.database,
            ended.map(({ job, attempt }) => ({ casinoId: attempt.line.casinoId, cashbackId: job.objectId })),
          ),
        decide: (ended, cashbacks, at) => {
          const cashback = cashbacks.get(cashbackKeyOf(ended.attempt.line.casinoId, ended.job.objectId))
          const write = cashback === undefined ? undefined : changeOfResult(ended, cashback, at)
          return write === undefined ? { answer: nothingFollows } : { write }
        },
        store: (changes: readonly ResultChange[]) => storeResults(deps, changes),
      },
      finish: async (ended, record) => finish(deps, ended, await record()),
    },
    deps,
  )
}

interface CreditWork {
  cashback: CashbackOfWork
  via: WalletSetting
}

interface CreditAttempt extends Attempt, MadeCall {
  cashback: CashbackSnapshot
  via: OutsideWallet
  revision: number
}

type EndedCredit = Ended<CreditAttempt, WalletOutcome>

/** The next step of the work, the cashback's current state and the wallet's answer. */
interface RecordedCredit {
  result: WorkResult
  /** Undefined if it has not changed. */
  cashback?: CashbackSnapshot | undefined
  answer?: WalletAnswer | undefined
}

const creditedByLedger: JobReport = { result: 'done', outcome: 'credited' }

const nothingFollows: RecordedCredit = { result: 'nothing_to_do' }

/** Credits those of casinos with our own ledger to which nothing has happened since their request. Reports by outbox id. */
async function creditUnloaded(
  { database, clock, findWallets }: CreditCashbackDeps,
  jobs: readonly JobPayload[],
): Promise<ReadonlyMap<string, JobReport>> {
  const wallets = await claimedSettings(jobs, findWallets)
  const casinoIds = new Set([...wallets].flatMap(([id, { via }]) => (isCreditedUnseen(via) ? [id] : [])))
  const works = jobs.filter(({ casinoId }) => casinoId !== undefined && casinoIds.has(casinoId))
  if (works.length === 0) return new Map()
  const credited = await creditNewCashbacks(database, clock.now(), works, [...casinoIds])
  return new Map([...credited].map((outboxId) => [outboxId, creditedByLedger]))
}

async function loadWork(
  { database, findWallets }: CreditCashbackDeps,
  pauses: Pauses,
  jobs: readonly JobPayload[],
): Promise<ReadonlyMap<string, Settled<LoadedWork<CreditWork, Wallet | undefined>>>> {
  return withSettings(await loadCashbacksOfWork(database, jobs), findWallets, (cashback, { via, wallet }) => {
    const isRefused = via.kind === 'http' && pauses.has(cashback.casinoId, via.revision)
    return { work: { cashback, via: isRefused ? { ...via, isPaused: true } : via }, caller: wallet }
  })
}

function decideBegin(
  job: JobPayload,
  { cashback: { jobName, ...cashback }, via }: CreditWork,
  at: Moment,
): Step<CreditWrite> {
  const write = { job, cashback, via }
  // Work of an operation that an operator has ended. It is deleted, or two rows would drive one cashback.
  if (jobName !== courseOf(cashback.state).jobName) return { write: { ...write, step: { kind: 'finish' } } }
  const step = decideCreditStep(cashback, via, at)
  if (step.kind !== 'attempt' || via.kind !== 'http') return { write: { ...write, step } }
  const line = lineOf('wallet', cashback.casinoId)
  return {
    write: { ...write, step },
    call: {
      line,
      url: via.url,
      inLine: (until) => ({ ...write, step: { kind: 'line', until, line } }),
      // A call that cannot be made is not an attempt: nothing is recorded or counted.
      unreachable: (until) => ({ ...write, step: { kind: 'snooze', until, problem: 'name_unknown' } }),
    },
  }
}

async function storeSteps(
  deps: CreditCashbackDeps,
  writes: readonly CreditWrite[],
): Promise<ReadonlyMap<CreditWrite, Begun<CreditAttempt>>> {
  const answers = new Map<CreditWrite, Begun<CreditAttempt>>()
  const now = deps.clock.now()
  const changes = new Map<CashbackChange, CreditWrite>(writes.map((write) => [changeOf(write, now), write]))
  for (const [change, cashback] of await storeCashbackCredits(deps, [...changes.keys()])) {
    const write = changes.get(change)
    if (write === undefined) continue
    if (isForReview(write)) reportReview(deps, cashback)
    answers.set(write, begunOf(write, cashback))
  }
  return answers
}

function begunOf(write: CreditWrite, cashback: CashbackSnapshot): Begun<CreditAttempt> {
  const { step, via, cashback: before } = write
  if (step.kind !== 'attempt' || via.kind !== 'http') return { report: reportOf(write, cashback) }
  const { operation } = courseOf(cashback.state)
  const transactionId = transactionIdOf(cashback, operation)
  return {
    attempt: {
      line: lineOf('wallet', cashback.casinoId),
      attemptUntil: cashback.attemptUntil,
      timeoutMs: via.timeoutMs,
      revision: via.revision,
      cashback,
      via,
      call: { operation, transactionId, wallet: via.id, attempt: attemptsOf(cashback, operation) },
      isFirstToAsk: before.walletAsked === null,
    },
  }
}

function askWallet(wallet: Wallet | undefined, { cashback, call }: CreditAttempt): Promise<WalletOutcome> {
  if (wallet === undefined) throw new Error('an attempt without a wallet')
  const { id: cashbackId, prizeId, playerId, amountMinor, currency } = cashback
  return wallet.ask({ ...call, cashbackId, prizeId, playerId, amountMinor, currency })
}

async function storeResults(
  deps: CreditCashbackDeps,
  changes: readonly ResultChange[],
): Promise<ReadonlyMap<ResultChange, RecordedCredit>> {
  const stored = await storeCashbackCredits(deps, changes)
  return new Map(
    changes.flatMap((change) => {
      const after = stored.get(change)
      const cashback = change.plan.steps.length === 0 ? undefined : after
      return after === undefined ? [] : [[change, { result: change.result, cashback, answer: change.answer }]]
    }),
  )
}

function finish(
  deps: CreditCashbackDeps,
  { attempt }: EndedCredit,
  { result, cashback, answer }: RecordedCredit,
): JobReport {
  if (answer?.contradicts === true) reportContradiction(deps, attempt.cashback, answer)
  if (cashback?.state === courseOf(attempt.cashback.state).review) reportReview(deps, cashback)
  return { result, outcome: describeOutcome(cashback?.state ?? result, cashback?.problem) }
}

function warnOfUnknown(
  { log }: CreditCashbackDeps,
  { cashback: { casinoId, id: cashbackId }, call: { operation, attempt } }: CreditAttempt,
  problem: string,
): void {
  log.warn({ casinoId, cashbackId, operation, attempt, problem }, 'wallet result unknown')
}
