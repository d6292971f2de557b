import { loadDecideStore } from '../batch/load-decide-store.ts'
import type { Change } from '../batch/load-decide-store.ts'
import type { Settled } from '../batch/batcher.ts'
import type { Wallet } from '../partner/wallet.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import { describeOutcome } from '../queue/jobs.ts'
import type { JobPayload, JobReport } from '../queue/jobs.ts'
import type { CallSlots } from '../partner/call-slots.ts'
import type { CashbackChange, CashbackSnapshot } from './cashback.ts'
import { courseOf } from './course.ts'
import { decideCreditStep, planAttempt, planLedgerCredit, planReview } from './decide-credit.ts'
import type { CreditStep } from './decide-credit.ts'
import { loadCashbacksOfWork } from './load-cashbacks.ts'
import type { CashbackOfWork } from './load-cashbacks.ts'
import { storeCashbackChanges } from './store-changes.ts'
import { storeLedgerCredits } from './store-credits.ts'

/** How the players of a casino are paid. */
export type CasinoWallet = { kind: 'ledger' } | OutsideWallet

export interface OutsideWallet {
  kind: 'http'
  /** Tells one wallet from another, whatever else of the configuration changes. */
  id: string
  wallet: Wallet
  timeoutMs: number
  /** Nothing may be sent to it. */
  isPaused: boolean
  /** Tells one configuration from the next. */
  revision: number
}

export interface BeginCreditsDeps {
  database: Database
  clock: Clock
  /**
   * The wallets of all the casinos, each to be asked for by itself: one that cannot be read (its secret does not open, say)
   * throws then, and fails nobody else's cashbacks.
   */
  findWallets: (casinoIds: readonly string[]) => Promise<ReadonlyMap<string, () => CasinoWallet>>
  slots: CallSlots
  /** From 0 to 1. */
  random: () => number
}

/** What came of looking at the work: its end, or an attempt that is on record and now to be made. */
export type BegunCredit =
  | ({ kind: 'ended'; forReview?: CashbackSnapshot } & JobReport)
  | { kind: 'attempt'; cashback: CashbackSnapshot; via: OutsideWallet; isFirstToAsk: boolean }

interface BeginWrite {
  job: JobPayload
  cashback: CashbackSnapshot
  via: CasinoWallet
  step: CreditStep
}

interface Loaded {
  cashbacks: ReadonlyMap<string, CashbackOfWork>
  wallets: ReadonlyMap<string, () => CasinoWallet>
}

/**
 * Takes up the work of crediting, and of taking credits back: credits at once where our own ledger is the wallet, and
 * otherwise commits the attempt that is to be made. An attempt holds a slot of its casino under the outbox id, which the caller gives back.
 */
export function createBeginCredits(
  deps: BeginCreditsDeps,
): (jobs: readonly JobPayload[]) => Promise<Settled<BegunCredit>[]> {
  const change: Change<JobPayload, Loaded, BeginWrite, BegunCredit> = {
    load: async (jobs) => {
      const cashbacks = await loadCashbacksOfWork(deps.database, jobs)
      const casinoIds = new Set([...cashbacks.values()].map(({ casinoId }) => casinoId))
      return { cashbacks, wallets: await deps.findWallets([...casinoIds]) }
    },
    decide: (job, { cashbacks, wallets }) => {
      const found = cashbacks.get(job.outboxId)
      if (found === undefined) return { answer: nothingToDo }
      const { jobName, ...cashback } = found
      const via = wallets.get(cashback.casinoId)?.() ?? ledger
      // Work of a course that the cashback has left, by what people did: to be crossed off, or it would double the other's.
      const isOfCourse = jobName === courseOf(cashback.state).jobName
      const step = isOfCourse ? stepOf(deps, job, cashback, via) : ({ kind: 'cross_off' } as const)
      return { write: { job, cashback, via, step } }
    },
    store: (writes) => storeBeginnings(deps, writes),
  }
  return (jobs) => loadDecideStore(change, jobs)
}

/** Longer than storing the result can take, with all its time-outs: a lease must not run out in the middle of that. */
const leaseMarginMs = 10_000

const ledger: CasinoWallet = { kind: 'ledger' }
const nothingToDo: BegunCredit = { kind: 'ended', result: 'nothing_to_do', outcome: 'nothing_to_do' }
const credited: BegunCredit = { kind: 'ended', result: 'done', outcome: 'credited' }

function stepOf(
  { clock, slots, random }: BeginCreditsDeps,
  job: JobPayload,
  cashback: CashbackSnapshot,
  via: CasinoWallet,
): CreditStep {
  const at = { now: clock.now(), random: random() }
  const step = decideCreditStep(cashback, via, { ...at, busyMs: undefined })
  if (step.kind !== 'attempt') return step
  const busyMs = slots.take(cashback.casinoId, job.outboxId)
  return busyMs === undefined ? step : decideCreditStep(cashback, via, { ...at, busyMs })
}

async function storeBeginnings(
  deps: BeginCreditsDeps,
  writes: readonly BeginWrite[],
): Promise<ReadonlyMap<BeginWrite, BegunCredit>> {
  const answers = new Map<BeginWrite, BegunCredit>()
  const now = deps.clock.now()
  const credits = writes.filter(isPlainCredit)
  if (credits.length > 0) {
    const rows = credits.map(({ job, cashback }) => ({ outboxId: job.outboxId, cashback }))
    const stored = await storeLedgerCredits(deps.database, now, rows)
    for (const write of credits) if (stored.has(write.job.outboxId)) answers.set(write, credited)
  }
  const changes = new Map<CashbackChange, BeginWrite>(
    writes.filter((write) => !isPlainCredit(write)).map((write) => [toChange(write, now), write]),
  )
  if (changes.size > 0) {
    for (const [change, { cashback }] of await storeCashbackChanges(deps, [...changes.keys()])) {
      const write = changes.get(change)
      if (write !== undefined) answers.set(write, answerOf(write, cashback))
    }
  }
  return answers
}

/** What most work is: our own ledger credits, and nobody else was to. */
function isPlainCredit({ step, cashback }: BeginWrite): boolean {
  return step.kind === 'credit' && cashback.state === 'requested'
}

function toChange({ job, cashback, via, step }: BeginWrite, now: Date): CashbackChange {
  const by = { cashback, actor: 'worker', reason: null, requestId: null }
  const work = { outboxId: job.outboxId, snoozeUntil: restsUntil(step) }
  if (step.kind === 'lost') return { ...by, plan: step.result.plan, work }
  if (step.kind === 'credit') return { ...by, plan: planLedgerCredit(cashback), work }
  if (step.kind === 'review') return { ...by, plan: planReview(cashback, step.problem), work }
  if (step.kind !== 'attempt' || via.kind !== 'http') return { ...by, plan: { steps: [] }, work }
  // The work goes on with the result of the attempt; until then nobody touches it.
  return {
    ...by,
    plan: planAttempt(cashback, via.id, new Date(now.getTime() + via.timeoutMs + leaseMarginMs)),
  }
}

/** Null when this work is over, or goes on at once. */
function restsUntil(step: CreditStep): Date | null {
  if (step.kind === 'wait') return step.until
  return step.kind === 'lost' ? step.result.retryAt : null
}

function answerOf({ step, via, cashback: before }: BeginWrite, cashback: CashbackSnapshot): BegunCredit {
  if (step.kind === 'attempt' && via.kind === 'http') {
    return { kind: 'attempt', cashback, via, isFirstToAsk: before.walletAsked === null }
  }
  if (step.kind === 'credit') return credited
  if (restsUntil(step) !== null)
    return { kind: 'ended', result: 'snoozed', outcome: describeOutcome('snoozed', cashback.state) }
  if (step.kind !== 'review' && step.kind !== 'lost') return nothingToDo
  const outcome = describeOutcome(cashback.state, cashback.problem)
  return { kind: 'ended', result: 'done', outcome, forReview: cashback }
}
