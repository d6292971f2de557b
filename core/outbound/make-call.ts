import { monotonicMs } from '../platform/clock.ts'
import type { Clock } from '../platform/clock.ts'
import type { JobPayload } from '../queue/jobs.ts'
import type { AdmissionDeps } from './admission.ts'
import { isInTime } from './attempt.ts'
import type { Impression, NotMade } from './attempt.ts'
import type { CallLine } from './call-line.ts'

/** A committed attempt whose call comes next. */
export interface Attempt {
  line: CallLine
  timeoutMs: number
  /** The end of its lease. Null for a poll: it changes nothing, and has no result to record. */
  attemptUntil: Date | null
}

/** An attempt that has ended. */
export interface Ended<Made, Outcome> {
  job: JobPayload
  attempt: Made
  outcome: Outcome | NotMade
  /** When the call was made, or was due. */
  calledAt: Date
  /** How long the call took; undefined when there was none. */
  seconds: number | undefined
}

/** The call of the partner, and the handling of its answer. */
export interface CallOf<Caller, Made, Outcome> {
  /** The partner's name in log lines. */
  partner: string
  /** Loads the data that the call needs beyond those of the attempt; or returns a result without a call. */
  prepare: (
    attempt: Made,
    caller: Caller,
  ) => { send: () => Promise<Outcome> } | Promise<{ send: () => Promise<Outcome> } | { outcome: Outcome }>
  /** Called with the outcome of each call; returns the impression of the partner. */
  hear: (attempt: Made, outcome: Outcome, seconds: number) => Impression
  /** Runs before the result is recorded, so that a crash in between does not cause another call. */
  pauseIfRefused?: (attempt: Made, outcome: Outcome) => Promise<unknown>
}

/** Makes the call, unless it is too late for it or nothing is left to call for. */
export async function makeCall<Caller, Made extends Attempt, Outcome>(
  kind: CallOf<Caller, Made, Outcome>,
  { clock, log, slots }: AdmissionDeps & { clock: Clock },
  { objectId }: JobPayload,
  { attempt, caller }: { attempt: Made; caller: Caller },
): Promise<Omit<Ended<Made, Outcome>, 'job'>> {
  const prepared = await kind.prepare(attempt, caller)
  const calledAt = clock.now()
  const uncalled = { attempt, calledAt, seconds: undefined }
  if ('outcome' in prepared) return { ...uncalled, outcome: prepared.outcome }
  const { line, attemptUntil, timeoutMs } = attempt
  if (attemptUntil !== null && !isInTime(attemptUntil, timeoutMs, calledAt)) {
    const details = { casinoId: line.casinoId, objectId }
    log.warn(details, `${kind.partner} call skipped: the attempt started too late`)
    return { ...uncalled, outcome: { kind: 'not_made' } }
  }
  const startedMs = monotonicMs()
  const outcome = await prepared.send()
  const seconds = (monotonicMs() - startedMs) / 1_000
  slots.observe(line, { ...kind.hear(attempt, outcome, seconds), startedMs })
  await kind.pauseIfRefused?.(attempt, outcome)
  return { attempt, outcome, calledAt, seconds }
}

/** It had begun ahead of a slot, and is to have none soon. */
export function withoutTurn<Made>(attempt: Made, calledAt: Date): Omit<Ended<Made, never>, 'job'> {
  return { attempt, outcome: { kind: 'not_made', isForLine: true }, calledAt, seconds: undefined }
}
