import { loadDecideStore } from '../batch/load-decide-store.ts'
import type { Change } from '../batch/load-decide-store.ts'
import type { Settled } from '../batch/batcher.ts'
import { unknownNameAwayMs } from '../partner/names.ts'
import type { PartnerNames } from '../partner/names.ts'
import type { Wallet } from '../partner/wallet.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import { describeOutcome } from '../queue/jobs.ts'
import type { JobPayload, JobReport } from '../queue/jobs.ts'
import { lineOf } from '../partner/call-slots.ts'
import type { CallLine, CallSlots, Holder } from '../partner/call-slots.ts'
import { lineFallbackMs } from '../outbox/line.ts'
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
  url: string
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
  slots: Pick<CallSlots, 'take' | 'noteUnreachable'>
  names: Pick<PartnerNames, 'known'>
  /** From 0 to 1. */
  random: () => number
}

/** What came of looking at the work: its end, or an attempt that is on record and now to be made. */
export type BegunCredit =
  | ({ kind: 'ended'; forReview?: CashbackSnapshot; line?: CallLine } & JobReport)
  /** The wallet's name must be looked up before there can be an attempt. */
  | { kind: 'look_up'; casinoId: string; url: string }
  | { kind: 'attempt'; cashback: CashbackSnapshot; via: OutsideWallet; isFirstToAsk: boolean }

/** `mayLookUp`: whether to say so when a name must be looked up, instead of putting the work off. */
export interface BeginCreditRequest {
  job: JobPayload
  holder: Holder
  mayLookUp: boolean
}

interface BeginWrite {
  job: JobPayload
  cashback: CashbackSnapshot
  via: CasinoWallet
  step: BeginStep
}

/** Work that finds no slot stands in the line of its wallet. */
type BeginStep = CreditStep | { kind: 'line'; until: Date; line: CallLine }

interface Loaded {
  cashbacks: ReadonlyMap<string, CashbackOfWork>
  wallets: ReadonlyMap<string, () => CasinoWallet>
}

/**
 * Takes up the work of crediting, and of taking credits back: credits at once where our own ledger is the wallet, and
 * otherwise commits the attempt that is to be made. Whoever gets an attempt has a slot of its casino,
 * and gives it back.
 */
export function createBeginCredits(
  deps: BeginCreditsDeps,
): (requests: readonly BeginCreditRequest[]) => Promise<Settled<BegunCredit>[]> {
  const change: Change<BeginCreditRequest, Loaded, BeginWrite, BegunCredit> = {
    load: async (requests) => {
      const jobs = requests.map(({ job }) => job)
      const cashbacks = await loadCashbacksOfWork(deps.database, jobs)
      const casinoIds = new Set([...cashbacks.values()].map(({ casinoId }) => casinoId))
      return { cashbacks, wallets: await deps.findWallets([...casinoIds]) }
    },
    decide: ({ job, holder, mayLookUp }, { cashbacks, wallets }) => {
      const found = cashbacks.get(job.outboxId)
      if (found === undefined) return { answer: nothingToDo }
      const { jobName, ...cashback } = found
      const via = wallets.get(cashback.casinoId)?.() ?? ledger
      // Work of a course that the cashback has left, by what people did: to be crossed off, or it would double the other's.
      const isOfCourse = jobName === courseOf(cashback.state).jobName
      const step = isOfCourse
        ? stepOf(deps, holder, cashback, via, mayLookUp)
        : ({ kind: 'cross_off' } as const)
      if (step.kind === 'look_up') return { answer: step }
      return { write: { job, cashback, via, step } }
    },
    store: (writes) => storeBeginnings(deps, writes),
  }
  return (requests) => loadDecideStore(change, requests)
}

/** Longer than storing the result can take, with all its time-outs: a lease must not run out in the middle of that. */
const leaseMarginMs = 10_000

const ledger: CasinoWallet = { kind: 'ledger' }
const nothingToDo: BegunCredit = { kind: 'ended', result: 'nothing_to_do', outcome: 'nothing_to_do' }
const credited: BegunCredit = { kind: 'ended', result: 'done', outcome: 'credited' }

function stepOf(
  { clock, slots, names, random }: BeginCreditsDeps,
  holder: Holder,
  cashback: CashbackSnapshot,
  via: CasinoWallet,
  mayLookUp: boolean,
): BeginStep | (BegunCredit & { kind: 'look_up' }) {
  const at = { now: clock.now(), random: random() }
  const step = decideCreditStep(cashback, via, at)
  if (step.kind !== 'attempt' || via.kind !== 'http') return step
  const { casinoId } = cashback
  const line = lineOf('wallet', casinoId)
  if (!slots.take(line, holder))
    return { kind: 'line', until: new Date(at.now.getTime() + lineFallbackMs), line }
  const name = names.known(casinoId, via.url)
  if (name === 'found') return step
  if (name === undefined && mayLookUp) return { kind: 'look_up', casinoId, url: via.url }
  slots.noteUnreachable(line)
  // A call that cannot be made is none: nothing is written down of it, and no attempt counted.
  const until = new Date(at.now.getTime() + unknownNameAwayMs(at.random))
  return { kind: 'wait', until, problem: 'name_unknown' }
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
  const line = step.kind === 'line' ? step.line.key : undefined
  const work = { outboxId: job.outboxId, snoozeUntil: restsUntil(step), line }
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
function restsUntil(step: BeginStep): Date | null {
  if (step.kind === 'wait' || step.kind === 'line') return step.until
  return step.kind === 'lost' ? step.result.retryAt : null
}

function answerOf({ step, via, cashback: before }: BeginWrite, cashback: CashbackSnapshot): BegunCredit {
  if (step.kind === 'attempt' && via.kind === 'http') {
    return { kind: 'attempt', cashback, via, isFirstToAsk: before.walletAsked === null }
  }
  if (step.kind === 'credit') return credited
  if (restsUntil(step) !== null) {
    const why = step.kind === 'wait' ? step.problem : undefined
    const outcome = describeOutcome('snoozed', why ?? cashback.state)
    return { kind: 'ended', result: 'snoozed', outcome, ...(step.kind === 'line' ? { line: step.line } : {}) }
  }
  if (step.kind !== 'review' && step.kind !== 'lost') return nothingToDo
  const outcome = describeOutcome(cashback.state, cashback.problem)
  return { kind: 'ended', result: 'done', outcome, forReview: cashback }
}
