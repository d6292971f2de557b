import { createBatcher } from '../batch/batcher.ts'
import type { EnvelopeCipher } from '../crypto/envelope.ts'
import type { SendRequest } from '../partner/http-client.ts'
import type { CallSlots, Holder } from '../partner/call-slots.ts'
import type { PartnerNames } from '../partner/names.ts'
import { callReceiver, receiverTimeoutMs } from '../partner/webhook-receiver.ts'
import { monotonicMs } from '../platform/clock.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import type { Logger } from '../platform/logger.ts'
import { describeOutcome } from '../queue/jobs.ts'
import type { JobPayload, JobReport } from '../queue/jobs.ts'
import { createBeginDeliveries, lineOfEndpoint } from './begin-deliveries.ts'
import type { Attempt, BeginRequest } from './begin-deliveries.ts'
import type { AnswerFault } from './delivery.ts'
import { createRecordDeliveries } from './record-deliveries.ts'
import type { CalledDeliveryKind } from './record-deliveries.ts'

export interface DeliverWebhookDeps {
  database: Database
  clock: Clock
  log: Logger
  cipher: EnvelopeCipher
  sendRequest: SendRequest
  slots: CallSlots
  names: PartnerNames
  /** From 0 to 1. */
  random: () => number
  /** Told how each call ended, and how long it took. */
  onCall: (kind: CalledDeliveryKind, seconds: number) => void
  /** Told of each endpoint that was switched off because of how it answered. */
  onDisabled: (reason: AnswerFault) => void
}

/**
 * Delivers an event to an endpoint: writes the attempt down, calls the receiver outside of any transaction, and writes
 * down how it ended. Only the call is not batched.
 */
export function createDeliverWebhook(
  deps: DeliverWebhookDeps,
): (job: JobPayload, holder: Holder) => Promise<JobReport> {
  const begin = createBatcher({
    process: createBeginDeliveries(deps),
    exclusiveKeyOf: (request: BeginRequest) => request.job.objectId,
  })
  const record = createBatcher({
    process: createRecordDeliveries(deps),
    exclusiveKeyOf: (report) => report.job.objectId,
  })
  const { slots, names } = deps
  return async (job, holder) => {
    try {
      let begun = await begin.run({ job, holder, mayLookUp: true })
      if (begun.kind === 'look_up') {
        // Before the attempt: its lease is for the call.
        await names.lookUp(begun.casinoId, begun.url)
        begun = await begin.run({ job, holder, mayLookUp: false })
      }
      if (begun.kind === 'ended') {
        if (begun.line !== undefined) slots.noteWaiting(begun.line)
        return begun
      }
      if (begun.kind !== 'attempt') throw new Error('told to look a name up without the leave to')
      const { attempt } = begun
      // Writing it down may have taken long: who calls now could still be calling when somebody else begins.
      if (!hasTimeFor(attempt, deps.clock.now())) {
        const { result, kind } = await record.run({ job, attempt, outcome: { kind: 'not_called' } })
        return { result, outcome: describeOutcome(kind) }
      }
      const startedMs = monotonicMs()
      const outcome = await call(deps, attempt)
      const durationMs = monotonicMs() - startedMs
      const hasAnswered = outcome.status !== null
      const ended = { hasSucceeded: outcome.kind === 'delivered', hasAnswered, startedMs }
      slots.observe(lineOfEndpoint(attempt.delivery), ended)
      slots.release(holder)
      const recorded = await record.run({ job, attempt, outcome })
      if (recorded.kind !== 'not_called') deps.onCall(recorded.kind, durationMs / 1000)
      if (recorded.disabled !== null) tellOfDisabling(deps, attempt, recorded.disabled)
      const why = outcome.kind === 'delivered' ? undefined : outcome.problem
      return { result: recorded.result, outcome: describeOutcome(recorded.kind, why) }
    } finally {
      slots.release(holder)
    }
  }
}

function hasTimeFor({ delivery: { attemptUntil } }: Attempt, now: Date): boolean {
  return attemptUntil !== null && now.getTime() + receiverTimeoutMs <= attemptUntil.getTime()
}

function call({ clock, sendRequest }: DeliverWebhookDeps, { delivery, url, secrets, event }: Attempt) {
  const body = JSON.stringify(event)
  const { casinoId } = delivery
  return callReceiver(sendRequest, { casinoId, url, secrets, id: event.id, body, sentAt: clock.now() })
}

function tellOfDisabling(
  { log, onDisabled }: DeliverWebhookDeps,
  attempt: Attempt,
  reason: AnswerFault,
): void {
  const { casinoId, endpointId } = attempt.delivery
  log.warn({ casinoId, endpointId, reason }, 'a webhook endpoint was switched off')
  onDisabled(reason)
}
