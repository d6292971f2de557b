import type { Settled } from '../batch/batcher.ts'
import type { Store } from '../batch/load-decide-store.ts'
import type { EnvelopeCipher } from '../crypto/envelope.ts'
import type { PublicEvent } from '../event/public-event.ts'
import { findEvents } from '../event/read-events.ts'
import { createAttempts } from '../outbound/attempts.ts'
import type { AttemptsDeps, Begun, LoadedWork, Moment, RunWork, Step } from '../outbound/attempts.ts'
import type { Attempt, Ended } from '../outbound/make-call.ts'
import type { SendRequest } from '../partner/http-client.ts'
import { receiverTimeoutMs } from '../partner/receiver-outcome.ts'
import type { ReceiverOutcome } from '../partner/receiver-outcome.ts'
import { callReceiver } from '../partner/webhook-receiver.ts'
import type { Database } from '../platform/database.ts'
import { describeOutcome } from '../queue/jobs.ts'
import type { JobPayload, JobReport, WorkResult } from '../queue/jobs.ts'
import { decideResult, decideStart } from './decide-delivery.ts'
import type { ResultDecision, StartDecision } from './decide-delivery.ts'
import { endpointKeyOf } from './delivery.ts'
import type { AnswerFault } from './delivery.ts'
import { writeOfGivingBack, writeOfLine, writeOfResult, writeOfStart } from './delivery-writes.ts'
import type { MadeAttempt } from './delivery-writes.ts'
import { lineOfEndpoint } from './endpoint-line.ts'
import { loadSecrets, openSecret } from './endpoint-secrets.ts'
import { loadDeliveries } from './load-deliveries.ts'
import type { DeliveryWork } from './load-deliveries.ts'
import { storeDeliveries } from './store-deliveries.ts'
import type { DeliveryWrite, StoredDelivery } from './store-deliveries.ts'

export interface DeliverWebhookDeps extends AttemptsDeps {
  database: Database
  cipher: EnvelopeCipher
  sendRequest: SendRequest
  /** Called with the outcome and duration of each call. */
  onCall: (kind: CalledDeliveryKind, seconds: number) => void
  /** Called with the age of each event that an endpoint has accepted. */
  onDelivered: (ageSeconds: number) => void
  /** Called for each endpoint that was disabled because of its answers. */
  onDisabled: (reason: AnswerFault) => void
}

/**
 * Delivers an event to an endpoint. Two differences from other attempts: deliveries of one object are made in order,
 * and an unknown host name is a failed attempt, because an endpoint that keeps failing is disabled.
 */
export function createDeliverWebhook(deps: DeliverWebhookDeps): RunWork {
  const { database, clock } = deps
  const store = (writes: readonly DeliveryWrite[]) => storeDeliveries(database, clock.now(), writes)
  return createAttempts(
    {
      partner: 'receiver',
      load: (jobs) => loadWork(deps, jobs),
      decide: decideBegin,
      store: async (writes) => storeBegun(await store(writes.map(({ change }) => change)), writes),
      prepare: (attempt: DeliveryAttempt, sent) => ({ send: () => call(deps, attempt, sent) }),
      hear: (_attempt, outcome) => ({
        hasSucceeded: outcome.kind === 'delivered',
        hasAnswered: outcome.status !== null,
      }),
      record: {
        load: (ended: readonly EndedDelivery[]) =>
          loadDeliveries(
            database,
            ended.map(({ job }) => job),
          ),
        decide: decideRecord,
        store: async (writes: readonly DeliveryWrite[]) => recordedOf(await store(writes)),
      },
      finish: async (ended, record) => finish(deps, ended, await record()),
    },
    deps,
  )
}

/** The content to send if the delivery is pending and its endpoint enabled, and the secrets that sign it. */
interface Sent {
  event: PublicEvent
  secrets: readonly string[]
}

type DeliveryAttempt = Attempt & MadeAttempt

interface BeginWrite {
  change: DeliveryWrite
  begun: Begun<DeliveryAttempt>
}

type EndedDelivery = Ended<DeliveryAttempt, ReceiverOutcome>

async function loadWork(
  { database, clock, cipher }: DeliverWebhookDeps,
  jobs: readonly JobPayload[],
): Promise<ReadonlyMap<string, Settled<LoadedWork<DeliveryWork, Sent | undefined>>>> {
  const works = await loadDeliveries(database, jobs)
  const deliveries = [...works.values()].flatMap(({ delivery }) => (isToBeSent(delivery) ? [delivery] : []))
  const [events, secretsOf] =
    deliveries.length === 0
      ? [new Map<string, PublicEvent>(), new Map<string, never>()]
      : await Promise.all([
          findEvents(
            database,
            deliveries.map(({ eventId }) => eventId),
          ),
          loadSecrets(database, clock.now(), deliveries),
        ])
  const toWork = (work: DeliveryWork): Settled<LoadedWork<DeliveryWork, Sent | undefined>> => {
    const { delivery } = work
    if (!isToBeSent(delivery)) return { value: { work, caller: undefined } }
    const event = events.get(delivery.eventId)
    if (event === undefined) return { error: new Error('a delivery without its event') }
    const sealed = secretsOf.get(endpointKeyOf(delivery)) ?? []
    try {
      // A secret that cannot be decrypted fails here, before an attempt is counted, and fails only its own delivery.
      const secrets = sealed.map((secret) => openSecret(cipher, secret))
      return { value: { work, caller: { event, secrets } } }
    } catch (error) {
      return { error }
    }
  }
  return new Map([...works].map(([outboxId, work]) => [outboxId, toWork(work)]))
}

function isToBeSent(delivery: DeliveryWork['delivery']): delivery is NonNullable<DeliveryWork['delivery']> {
  return delivery?.state === 'pending' && delivery.endpoint?.isEnabled === true
}

function decideBegin(job: JobPayload, work: DeliveryWork, { now }: Moment): Step<BeginWrite> {
  const { delivery } = work
  const decision = decideStart(delivery, now)
  const change = writeOfStart(job, work, decision)
  if (decision.kind !== 'attempt') return { write: { change, begun: { report: reportOf(decision) } } }
  const url = delivery?.endpoint?.url
  if (delivery === undefined || url === undefined) throw new Error('a delivery without its endpoint')
  const { attempts, attemptUntil } = change
  const line = lineOfEndpoint(delivery)
  const attempt = {
    line,
    timeoutMs: receiverTimeoutMs,
    attemptUntil,
    job,
    url,
    delivery: { ...delivery, attempts, attemptUntil },
  }
  return {
    write: { change, begun: { attempt } },
    call: {
      line,
      url,
      inLine: (until) => ({
        change: writeOfLine(job, work, { until, line: line.key }),
        begun: { report: { result: 'snoozed', outcome: 'snoozed' } },
      }),
    },
  }
}

function reportOf({ kind }: Exclude<StartDecision, { kind: 'attempt' }>): JobReport {
  switch (kind) {
    case 'finish':
      return { result: 'nothing_to_do', outcome: 'nothing_to_do' }
    case 'park':
      return { result: 'done', outcome: 'endpoint_disabled' }
    case 'lost':
      return { result: 'done', outcome: 'failed: result_lost' }
    case 'snooze':
      return { result: 'snoozed', outcome: 'snoozed' }
  }
}

function storeBegun(
  stored: ReadonlyMap<DeliveryWrite, StoredDelivery>,
  writes: readonly BeginWrite[],
): Awaited<ReturnType<Store<BeginWrite, Begun<DeliveryAttempt>>>> {
  return new Map(writes.flatMap((write) => (stored.has(write.change) ? [[write, write.begun] as const] : [])))
}

async function call(
  { clock, sendRequest, onDelivered }: DeliverWebhookDeps,
  { delivery: { casinoId }, url }: DeliveryAttempt,
  sent: Sent | undefined,
): Promise<ReceiverOutcome> {
  if (sent === undefined) throw new Error('an attempt for a delivery that is not to be sent')
  const { event, secrets } = sent
  const body = JSON.stringify(event)
  const sentAt = clock.now()
  const outcome = await callReceiver(sendRequest, { casinoId, url, secrets, id: event.id, body, sentAt })
  if (outcome.kind === 'delivered') onDelivered((clock.now().getTime() - event.created_at.getTime()) / 1_000)
  return outcome
}

/** The job's result, and whether the endpoint was disabled by it. */
interface RecordedDelivery {
  result: WorkResult
  kind: ResultDecision['kind'] | 'superseded' | 'not_called'
  disabled: AnswerFault | null
}

/** The outcome of a delivery that was called. */
export type CalledDeliveryKind = Exclude<RecordedDelivery['kind'], 'not_called'>

function decideRecord(
  { job, attempt, outcome }: EndedDelivery,
  loaded: ReadonlyMap<string, DeliveryWork>,
  at: Moment,
): { answer: RecordedDelivery } | { write: DeliveryWrite } {
  const delivery = loaded.get(job.outboxId)?.delivery
  const { attempts } = attempt.delivery
  // A later attempt has begun or succeeded, or the endpoint was deleted.
  const isOver = delivery?.state !== 'pending'
  if (isOver || (outcome.kind !== 'delivered' && delivery.attempts !== attempts))
    return { answer: { result: 'nothing_to_do', kind: 'superseded', disabled: null } }
  if (outcome.kind === 'not_made') {
    const line = outcome.isForLine === true ? attempt.line.key : undefined
    return { write: writeOfGivingBack(attempt, line, at) }
  }
  const { now, random } = at
  const snapshot = { attempts, endpoint: delivery.endpoint }
  const decision = decideResult(snapshot, outcome, attempt.url, now, random)
  return { write: writeOfResult(attempt, outcome, decision, now) }
}

function recordedOf(
  stored: ReadonlyMap<DeliveryWrite, StoredDelivery>,
): ReadonlyMap<DeliveryWrite, RecordedDelivery> {
  return new Map([...stored].map(([write, { hasDisabled }]) => [write, toRecorded(write, hasDisabled)]))
}

function toRecorded({ state, endpoint }: DeliveryWrite, hasDisabled: boolean): RecordedDelivery {
  const disable = endpoint?.disable ?? null
  const disabled = hasDisabled ? disable : null
  if (state !== 'pending') return { result: 'done', kind: state, disabled }
  if (endpoint === null) return { result: 'snoozed', kind: 'not_called', disabled }
  if (disable !== null) return { result: 'done', kind: 'disable', disabled }
  return { result: 'snoozed', kind: 'retry', disabled }
}

function finish(
  { log, onCall, onDisabled }: DeliverWebhookDeps,
  { attempt, outcome, seconds }: EndedDelivery,
  { result, kind, disabled }: RecordedDelivery,
): JobReport {
  if (kind !== 'not_called' && seconds !== undefined) onCall(kind, seconds)
  if (disabled !== null) {
    const { casinoId, endpointId } = attempt.delivery
    log.warn({ casinoId, endpointId, reason: disabled }, 'webhook endpoint disabled')
    onDisabled(disabled)
  }
  return { result, outcome: describeOutcome(kind, 'problem' in outcome ? outcome.problem : undefined) }
}
