import { loadDecideStore } from '../batch/load-decide-store.ts'
import type { Change } from '../batch/load-decide-store.ts'
import type { Settled } from '../batch/batcher.ts'
import type { EnvelopeCipher } from '../crypto/envelope.ts'
import type { PublicEvent } from '../event/public-event.ts'
import { findEvents } from '../event/read-events.ts'
import type { Clock } from '../platform/clock.ts'
import { lineFallbackMs } from '../outbox/line.ts'
import { lineOf } from '../partner/call-slots.ts'
import type { CallLine, CallSlots, Holder } from '../partner/call-slots.ts'
import type { PartnerNames } from '../partner/names.ts'
import type { Database } from '../platform/database.ts'
import type { JobPayload, JobReport } from '../queue/jobs.ts'
import { decideStart } from './decide-delivery.ts'
import type { StartDecision } from './decide-delivery.ts'
import { endpointKeyOf } from './delivery.ts'
import type { DeliverySnapshot } from './delivery.ts'
import { loadSecrets, openSecret } from './endpoint-secrets.ts'
import type { SealedSecret } from './endpoint-secrets.ts'
import { loadDeliveries } from './load-deliveries.ts'
import type { DeliveryWork } from './load-deliveries.ts'
import { storeDeliveries } from './store-deliveries.ts'
import type { DeliveryWrite } from './store-deliveries.ts'

/** An attempt that has been written down and may be made now, or how the job ends without one. */
export type BegunDelivery =
  | ({ kind: 'ended'; line?: CallLine } & JobReport)
  /** The receiver's name must be looked up first: look it up, and begin again. */
  | { kind: 'look_up'; casinoId: string; url: string }
  | { kind: 'attempt'; attempt: Attempt }

export interface Attempt {
  delivery: Pick<DeliverySnapshot, 'id' | 'casinoId' | 'endpointId' | 'attempts' | 'attemptUntil'>
  url: string
  secrets: readonly string[]
  event: PublicEvent
}

/** `mayLookUp`: whether to say so when a name must be looked up, instead of beginning without. */
export interface BeginRequest {
  job: JobPayload
  holder: Holder
  mayLookUp: boolean
}

interface Loaded {
  works: ReadonlyMap<string, DeliveryWork>
  events: ReadonlyMap<string, PublicEvent>
  secretsOf: ReadonlyMap<string, SealedSecret[]>
}

interface Deps {
  database: Database
  clock: Clock
  cipher: EnvelopeCipher
  slots: Pick<CallSlots, 'take'>
  names: Pick<PartnerNames, 'known'>
}

/**
 * Begins deliveries: the attempt is committed before the call, so that a worker that dies in it leaves a trace, and two
 * workers do not call for the same delivery at once. Whoever gets an attempt has a slot of its endpoint.
 */
export function createBeginDeliveries({
  database,
  clock,
  cipher,
  slots,
  names,
}: Deps): (requests: readonly BeginRequest[]) => Promise<Settled<BegunDelivery>[]> {
  return async (requests) => {
    const begun = new Map<DeliveryWrite, BegunDelivery>()
    const change: Change<BeginRequest, Loaded, DeliveryWrite, BegunDelivery> = {
      load: (part) =>
        load(
          database,
          clock.now(),
          part.map(({ job }) => job),
        ),
      decide: ({ job, holder, mayLookUp }, { works, events, secretsOf }) => {
        const work = works.get(job.outboxId)
        if (work === undefined) return { answer: nothingToDo }
        const { delivery } = work
        const event = events.get(delivery?.eventId ?? '')
        const endpoint = delivery === undefined ? '' : endpointKeyOf(delivery)
        const sealed = secretsOf.get(endpoint) ?? []
        // What cannot be opened fails here, before an attempt is counted, and fails nobody else.
        const secrets = sealed.map((secret) => openSecret(cipher, secret))
        const line = delivery === undefined ? undefined : lineOfEndpoint(delivery)
        const decision = decideStart(
          delivery,
          clock.now(),
          () => line === undefined || slots.take(line, holder),
        )
        const url = delivery?.endpoint?.url
        if (decision.kind === 'attempt' && mayLookUp && delivery !== undefined && url !== undefined) {
          // One that leads nowhere is a failed attempt: an endpoint that stays so is switched off one day.
          const { casinoId } = delivery
          if (names.known(casinoId, url) === undefined) return { answer: { kind: 'look_up', casinoId, url } }
        }
        const write = toWrite(job, work, decision, clock.now())
        begun.set(write, toBegun(write, decision, url, secrets, event, line))
        return { write }
      },
      store: async (writes) => {
        const stored = await storeDeliveries(database, clock.now(), writes)
        return new Map(
          [...stored.keys()].flatMap((write) => {
            const answer = begun.get(write)
            return answer === undefined ? [] : [[write, answer] as const]
          }),
        )
      },
    }
    return loadDecideStore(change, requests)
  }
}

/** The calls of an endpoint, and those that wait for one. */
export function lineOfEndpoint({ casinoId, endpointId }: { casinoId: string; endpointId: string }): CallLine {
  return lineOf('webhook', casinoId, endpointId)
}

async function load(database: Database, now: Date, jobs: readonly JobPayload[]): Promise<Loaded> {
  const works = await loadDeliveries(database, jobs)
  const deliveries = [...works.values()].flatMap(({ delivery }) =>
    delivery?.state === 'pending' && delivery.endpoint?.isEnabled === true ? [delivery] : [],
  )
  if (deliveries.length === 0) return { works, events: new Map(), secretsOf: new Map() }
  const [events, secretsOf] = await Promise.all([
    findEvents(
      database,
      deliveries.map((delivery) => delivery.eventId),
    ),
    loadSecrets(database, now, deliveries),
  ])
  return { works, events, secretsOf }
}

const nothingToDo: BegunDelivery = { kind: 'ended', result: 'nothing_to_do', outcome: 'nothing_to_do' }

function toWrite(
  job: JobPayload,
  { delivery, dueAt }: DeliveryWork,
  decision: StartDecision,
  now: Date,
): DeliveryWrite {
  const isPending = delivery?.state === 'pending'
  const same = {
    job,
    delivery: isPending ? delivery : undefined,
    seenDueAt: null,
    state: 'pending',
    attempts: delivery?.attempts ?? 0,
    attemptUntil: delivery?.attemptUntil ?? null,
    nextAttemptAt: null,
    ended: null,
    work: { kind: 'delete' },
    endpoint: null,
  } as const
  switch (decision.kind) {
    case 'drop':
      return { ...same, state: 'failed', ended: { status: null, problem: 'endpoint_deleted' } }
    case 'give_up':
      return { ...same, state: 'failed', attemptUntil: null, ended: { status: null, problem: 'result_lost' } }
    case 'rest':
      return same
    case 'wait': {
      const { until } = decision
      return { ...same, seenDueAt: dueAt, nextAttemptAt: until, work: { kind: 'snooze', until } }
    }
    case 'line': {
      const until = new Date(now.getTime() + lineFallbackMs)
      const line = delivery === undefined ? undefined : lineOfEndpoint(delivery).key
      return { ...same, seenDueAt: dueAt, work: { kind: 'snooze', until, line } }
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

function toBegun(
  write: DeliveryWrite,
  decision: StartDecision,
  url: string | undefined,
  secrets: readonly string[],
  event: PublicEvent | undefined,
  line: CallLine | undefined,
): BegunDelivery {
  switch (decision.kind) {
    case 'drop':
      return nothingToDo
    case 'rest':
      return { kind: 'ended', result: 'done', outcome: 'endpoint_disabled' }
    case 'give_up':
      return { kind: 'ended', result: 'done', outcome: 'failed: result_lost' }
    case 'wait':
      return { kind: 'ended', result: 'snoozed', outcome: 'snoozed' }
    case 'line':
      return { kind: 'ended', result: 'snoozed', outcome: 'snoozed', ...(line === undefined ? {} : { line }) }
    case 'attempt': {
      const { delivery, attempts, attemptUntil } = write
      if (delivery === undefined || url === undefined || event === undefined)
        throw new Error('a delivery without its event or endpoint')
      return {
        kind: 'attempt',
        attempt: { delivery: { ...delivery, attempts, attemptUntil }, url, secrets, event },
      }
    }
  }
}
