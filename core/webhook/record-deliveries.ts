import { loadDecideStore } from '../batch/load-decide-store.ts'
import type { Change } from '../batch/load-decide-store.ts'
import type { Settled } from '../batch/batcher.ts'
import type { ReceiverOutcome } from '../partner/receiver-outcome.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import type { JobPayload, WorkResult } from '../queue/jobs.ts'
import type { Attempt } from './begin-deliveries.ts'
import { decideResult, restUntilOf } from './decide-delivery.ts'
import type { ResultDecision } from './decide-delivery.ts'
import type { AnswerFault } from './delivery.ts'
import { loadDeliveries } from './load-deliveries.ts'
import type { DeliveryWork } from './load-deliveries.ts'
import { storeDeliveries } from './store-deliveries.ts'
import type { DeliveryWrite, StoredDelivery } from './store-deliveries.ts'

/** How an attempt ended; it may have come too late for a call. */
export interface DeliveryReport {
  job: JobPayload
  attempt: Pick<Attempt, 'delivery' | 'url'>
  outcome: ReceiverOutcome | { kind: 'not_called' }
}

/** What came of it for the job, and whether the endpoint was switched off because of it. */
export interface RecordedDelivery {
  result: WorkResult
  kind: ResultDecision['kind'] | 'superseded' | 'not_called'
  disabled: AnswerFault | null
}

/** What came of a delivery whose endpoint was called. */
export type CalledDeliveryKind = Exclude<RecordedDelivery['kind'], 'not_called'>

type Loaded = ReadonlyMap<string, DeliveryWork>

/** Stores how attempts ended, and what follows: the next attempt, the object's next event, or an endpoint switched off. */
export function createRecordDeliveries(deps: {
  database: Database
  clock: Clock
  /** From 0 to 1. */
  random: () => number
}): (reports: readonly DeliveryReport[]) => Promise<Settled<RecordedDelivery>[]> {
  const change: Change<DeliveryReport, Loaded, DeliveryWrite, RecordedDelivery> = {
    load: (reports) =>
      loadDeliveries(
        deps.database,
        reports.map((report) => report.job),
      ),
    decide: (report, loaded) => {
      const { attempt, job, outcome } = report
      const delivery = loaded.get(job.outboxId)?.delivery
      // Another attempt has begun or even succeeded since, or somebody has deleted the endpoint.
      const isOver = delivery?.state !== 'pending'
      if (isOver || (outcome.kind !== 'delivered' && delivery.attempts !== attempt.delivery.attempts))
        return { answer: { result: 'nothing_to_do', kind: 'superseded', disabled: null } }
      const now = deps.clock.now()
      if (outcome.kind === 'not_called') return { write: toGiveBack(report, now) }
      const snapshot = { attempts: attempt.delivery.attempts, endpoint: delivery.endpoint }
      const decision = decideResult(snapshot, outcome, attempt.url, now, deps.random())
      const restUntil = restUntilOf(outcome, now)
      return { write: toWrite(report, outcome, decision, restUntil) }
    },
    store: async (writes) => {
      const stored = await storeDeliveries(deps.database, deps.clock.now(), writes)
      return new Map([...stored].map(([write, result]) => [write, toRecorded(write, result)]))
    },
  }
  return (reports) => loadDecideStore(change, reports)
}

function toWrite(
  { job, attempt }: DeliveryReport,
  outcome: ReceiverOutcome,
  decision: ResultDecision,
  restUntil: Date | null,
): DeliveryWrite {
  const shown = { url: attempt.url, works: outcome.kind === 'delivered', restUntil, disable: null }
  const ended = {
    status: outcome.status,
    problem: outcome.kind === 'delivered' ? null : outcome.problem,
  }
  const same = {
    job,
    delivery: attempt.delivery,
    seenDueAt: null,
    state: 'pending',
    attempts: attempt.delivery.attempts,
    attemptUntil: null,
    nextAttemptAt: null,
    ended,
    work: { kind: 'delete' },
    endpoint: shown,
  } as const
  switch (decision.kind) {
    case 'delivered':
    case 'failed':
      return { ...same, state: decision.kind }
    case 'retry':
      return { ...same, nextAttemptAt: decision.at, work: { kind: 'snooze', until: decision.at } }
    case 'disable':
      return { ...same, endpoint: { ...shown, disable: decision.reason } }
  }
}

/** So that the job has surely ended when the relay makes a new one. */
const giveBackPauseMs = 1_000

/** An attempt that was not made counts for nothing. */
function toGiveBack({ job, attempt }: DeliveryReport, now: Date): DeliveryWrite {
  const until = new Date(now.getTime() + giveBackPauseMs)
  return {
    job,
    delivery: attempt.delivery,
    seenDueAt: null,
    state: 'pending',
    attempts: attempt.delivery.attempts - 1,
    attemptUntil: null,
    nextAttemptAt: until,
    ended: null,
    work: { kind: 'snooze', until },
    endpoint: null,
  }
}

function toRecorded(write: DeliveryWrite, { hasDisabled }: StoredDelivery): RecordedDelivery {
  const disable = write.endpoint?.disable ?? null
  const disabled = hasDisabled ? disable : null
  if (write.state !== 'pending') return { result: 'done', kind: write.state, disabled }
  if (write.endpoint === null) return { result: 'snoozed', kind: 'not_called', disabled }
  if (disable !== null) return { result: 'done', kind: 'disable', disabled }
  return { result: 'snoozed', kind: 'retry', disabled }
}
