import { givenBackUntil, later } from '../outbound/attempt.ts'
import type { Moment } from '../outbound/attempts.ts'
import { lineFallbackMs } from '../outbox/line.ts'
import type { ReceiverOutcome } from '../partner/receiver-outcome.ts'
import type { JobPayload } from '../queue/jobs.ts'
import { restUntilOf } from './decide-delivery.ts'
import type { ResultDecision, StartDecision } from './decide-delivery.ts'
import type { DeliverySnapshot } from './delivery.ts'
import type { DeliveryWork } from './load-deliveries.ts'
import type { DeliveryWrite } from './store-deliveries.ts'

/** The write for a decision. */
export function writeOfStart(
  job: JobPayload,
  { delivery, dueAt }: DeliveryWork,
  decision: StartDecision,
): DeliveryWrite {
  const same = {
    job,
    delivery: delivery?.state === 'pending' ? delivery : undefined,
    seenDueAt: null,
    state: 'pending',
    attempts: delivery?.attempts ?? 0,
    attemptUntil: delivery?.attemptUntil ?? null,
    nextAttemptAt: null,
    ended: null,
    work: { kind: 'finish' },
    endpoint: null,
  } as const
  switch (decision.kind) {
    case 'finish':
      return { ...same, state: 'failed', ended: { status: null, problem: 'endpoint_deleted' } }
    case 'lost':
      return { ...same, state: 'failed', attemptUntil: null, ended: { status: null, problem: 'result_lost' } }
    case 'park':
      return same
    case 'snooze': {
      const { until } = decision
      return { ...same, seenDueAt: dueAt, nextAttemptAt: until, work: { kind: 'snooze', until } }
    }
    case 'attempt':
      return {
        ...same,
        attempts: same.attempts + 1,
        attemptUntil: decision.until,
        work: { kind: 'keep' },
      }
  }
}

/** The work waits in the line of its endpoint. */
export function writeOfLine(
  job: JobPayload,
  work: DeliveryWork,
  { until, line }: { until: Date; line: string },
): DeliveryWrite {
  const same = writeOfStart(job, work, { kind: 'park' })
  return { ...same, seenDueAt: work.dueAt, work: { kind: 'snooze', until, line } }
}

/** An attempt, whether its call was made or not. */
export interface MadeAttempt {
  job: JobPayload
  delivery: Pick<DeliverySnapshot, 'id' | 'casinoId' | 'endpointId' | 'attempts' | 'attemptUntil'>
  url: string
}

/** The write for a call's result. */
export function writeOfResult(
  { job, delivery, url }: MadeAttempt,
  outcome: ReceiverOutcome,
  decision: ResultDecision,
  now: Date,
): DeliveryWrite {
  const works = outcome.kind === 'delivered'
  const shown = { url, works, restUntil: restUntilOf(outcome, now), disable: null }
  const same = {
    job,
    delivery,
    seenDueAt: null,
    state: 'pending',
    attempts: delivery.attempts,
    attemptUntil: null,
    nextAttemptAt: null,
    ended: { status: outcome.status, problem: works ? null : outcome.problem },
    work: { kind: 'finish' },
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

/** An attempt without a call does not count. Its work goes back to its place in `line`, or comes again soon. */
export function writeOfGivingBack(
  { job, delivery }: MadeAttempt,
  line: string | undefined,
  { now, random }: Moment,
): DeliveryWrite {
  const until = line === undefined ? givenBackUntil(now, random) : later(now, lineFallbackMs)
  return {
    job,
    delivery,
    seenDueAt: null,
    state: 'pending',
    attempts: delivery.attempts - 1,
    attemptUntil: null,
    nextAttemptAt: line === undefined ? until : null,
    ended: null,
    work: { kind: 'snooze', until, line },
    endpoint: null,
  }
}
