import { later, leaseMsOf } from '../outbound/attempt.ts'
import type { Moment } from '../outbound/attempts.ts'
import type { Ended } from '../outbound/make-call.ts'
import type { CallLine } from '../outbound/call-line.ts'
import type { WalletOutcome } from '../partner/wallet-outcome.ts'
import { describeOutcome } from '../queue/jobs.ts'
import type { JobPayload, JobReport, WorkResult } from '../queue/jobs.ts'
import { attemptsOf, transactionIdOf } from './cashback.ts'
import type { CashbackChange, CashbackSnapshot } from './cashback.ts'
import type { WalletSetting } from './casino-wallets.ts'
import { courses } from './course.ts'
import { decideCreditResult, planAttempt, planLedgerCredit, planReview } from './decide-credit.ts'
import type { CreditStep } from './decide-credit.ts'
import { decideLateAnswer } from './decide-late-answer.ts'
import { answerIn } from './wallet-answer.ts'
import type { WalletCall } from './wallet-answer.ts'

/** A step of a cashback that is not a change yet. Work without a slot waits in the line of its wallet. */
export interface CreditWrite {
  job: JobPayload
  cashback: CashbackSnapshot
  via: WalletSetting
  step: CreditStep | { kind: 'line'; until: Date; line: CallLine }
}

export function changeOf({ job, cashback, via, step }: CreditWrite, now: Date): CashbackChange {
  const by = { cashback, actor: 'worker', reason: null, requestId: null, traceparent: job.traceparent }
  const line = step.kind === 'line' ? step.line.key : undefined
  const work = { outboxId: job.outboxId, snoozeUntil: snoozedUntil(step), line }
  if (step.kind === 'lost') return { ...by, plan: step.result.plan, work }
  if (step.kind === 'credit') return { ...by, plan: planLedgerCredit(cashback), work }
  if (step.kind === 'review') return { ...by, plan: planReview(cashback, step.problem), work }
  if (step.kind !== 'attempt' || via.kind !== 'http') return { ...by, plan: { steps: [] }, work }
  // The result of the attempt continues this work; until then other workers leave it alone.
  return { ...by, plan: planAttempt(cashback, via.id, later(now, leaseMsOf(via.timeoutMs))) }
}

/** The job's result for a step without an attempt; `after` is the cashback after the step. */
export function reportOf({ step }: CreditWrite, after: CashbackSnapshot): JobReport {
  if (step.kind === 'credit') return { result: 'done', outcome: 'credited' }
  if (snoozedUntil(step) !== null) {
    const why = step.kind === 'snooze' ? step.problem : undefined
    return { result: 'snoozed', outcome: describeOutcome('snoozed', why ?? after.state) }
  }
  return isForReview({ step })
    ? { result: 'done', outcome: describeOutcome(after.state, after.problem) }
    : { result: 'nothing_to_do', outcome: 'nothing_to_do' }
}

/** An operator must look at it now. */
export function isForReview({ step }: Pick<CreditWrite, 'step'>): boolean {
  return step.kind === 'review' || (step.kind === 'lost' && step.result.retryAt === null)
}

/** Null if the work is finished, or continues immediately. */
function snoozedUntil(step: CreditWrite['step']): Date | null {
  if (step.kind === 'snooze' || step.kind === 'line') return step.until
  return step.kind === 'lost' ? step.result.retryAt : null
}

/** The wallet call that an attempt makes. */
export interface MadeCall {
  call: WalletCall
  /** True if no earlier attempt can have reached a wallet. */
  isFirstToAsk: boolean
}

/** The changes that a result causes, and the next step of the work. */
export interface ResultChange extends CashbackChange {
  result: WorkResult
}

/**
 * The changes that a call's result causes; undefined if there are none. An answer that arrives after its attempt was
 * given up is stored too.
 */
export function changeOfResult(
  { job, attempt: { call, isFirstToAsk }, outcome }: Ended<MadeCall, WalletOutcome>,
  cashback: CashbackSnapshot,
  { now, random }: Moment,
): ResultChange | undefined {
  const by = { cashback, actor: 'worker', reason: null, requestId: null, traceparent: job.traceparent }
  if (!isUnderWay(call, cashback)) {
    const late = decideLateAnswer(call, outcome, cashback, now)
    return late === undefined ? undefined : { ...by, ...late, result: 'nothing_to_do' }
  }
  const at = { now, random, isFirstToAsk, wallet: call.wallet }
  const { plan, retryAt } = decideCreditResult(outcome, cashback, at)
  const told = answerIn(outcome)
  const answer = told === undefined ? undefined : { ...call, ...told, contradicts: false }
  const work = { outboxId: job.outboxId, snoozeUntil: retryAt }
  return { ...by, plan, answer, work, result: retryAt === null ? 'done' : 'snoozed' }
}

/** True unless the attempt was given up in the meantime. */
function isUnderWay({ operation, transactionId, attempt }: WalletCall, cashback: CashbackSnapshot): boolean {
  return (
    cashback.state === courses[operation].asked &&
    transactionIdOf(cashback, operation) === transactionId &&
    attemptsOf(cashback, operation) === attempt
  )
}
