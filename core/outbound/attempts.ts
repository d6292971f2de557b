import { createBatcher } from '../batch/batcher.ts'
import type { Settled } from '../batch/batcher.ts'
import { loadDecideStore } from '../batch/load-decide-store.ts'
import type { Change, Decision, Store } from '../batch/load-decide-store.ts'
import type { Clock } from '../platform/clock.ts'
import { classifyFailure } from '../platform/database.ts'
import type { JobPayload, JobReport } from '../queue/jobs.ts'
import { admit, lookUp } from './admission.ts'
import type { AdmissionDeps, LookUp, PlannedCall } from './admission.ts'
import type { CallLine } from './call-line.ts'
import type { Holder } from './call-slots.ts'
import { casinoLanes } from './casino-lanes.ts'
import { makeCall, withoutTurn } from './make-call.ts'
import type { Attempt, CallOf, Ended } from './make-call.ts'

/** Does the work of one job, at most once per run. Each run is a holder of a slot. */
export type RunWork = (job: JobPayload, holder: Holder) => Promise<JobReport>

/** The inputs of decisions, beside the loaded data; `random` is from 0 to 1. */
export interface Moment {
  now: Date
  random: number
}

/** The next step of a work. */
export type Step<Write> = { report: JobReport } | { write: Write; call?: PlannedCall<Write> }

/** The job's result without a call, or the attempt that has begun. */
export type Begun<Made> = { report: JobReport } | { attempt: Made }

type RunUnloaded = (jobs: readonly JobPayload[]) => Promise<ReadonlyMap<string, JobReport>>

/** The data that decisions see, and the data that only the call needs: the client, its secrets, the content. */
export interface LoadedWork<Work, Caller> {
  work: Work
  caller: Caller
}

/** A kind of work that calls another system. This is its specific part; the mechanism does the rest. */
export interface Outbound<
  Work,
  Caller,
  Write,
  Made extends Attempt,
  Outcome,
  Loaded,
  Result,
  Recorded,
> extends CallOf<Caller, Made, Outcome> {
  /** The number of waiting inputs that start a batch while another is in flight; see `createBatcher`. */
  worthwhileSize?: number
  /**
   * Takes works that need not be loaded one step further, and returns their reports by outbox id. The others are loaded;
   * if this certainly had no effect, all are.
   */
  runUnloaded?: RunUnloaded
  /** By outbox id. Finished work is not found; work that cannot be read fails alone. */
  load: (jobs: readonly JobPayload[]) => Promise<ReadonlyMap<string, Settled<LoadedWork<Work, Caller>>>>
  /** Pure. */
  decide: (job: JobPayload, work: Work, at: Moment) => Step<Write>
  /** Writes in batches, guarded; see `Change`. */
  store: Store<Write, Begun<Made>>
  /** Records results in batches; `decide` is pure. */
  record: {
    load: (ended: readonly Ended<Made, Outcome>[]) => Promise<Loaded>
    decide: (ended: Ended<Made, Outcome>, loaded: Loaded, at: Moment) => Decision<Result, Recorded>
    store: Store<Result, Recorded>
  }
  /** Records the result and reports it. */
  finish: (ended: Ended<Made, Outcome>, record: () => Promise<Recorded>) => Promise<JobReport>
}

export interface AttemptsDeps extends AdmissionDeps {
  clock: Clock
}

/** `mayLookUp`: whether to return early if a name must be looked up, or to attempt without. */
interface BeginRequest {
  job: JobPayload
  holder: Holder
  mayLookUp: boolean
  /** From 0 to 1. */
  random: number
}

interface RecordRequest<Made, Outcome> {
  ended: Ended<Made, Outcome>
  /** From 0 to 1. */
  random: number
}

/** A request's result, as far as it depends on the work alone, and the caller for its attempt. */
interface Wanted<Write, Caller> {
  request: BeginRequest
  caller: Caller
  step: { write: Write; call?: PlannedCall<Write> }
}

/** A job's result without a call, or the call to be made. */
type BegunCall<Made, Caller> = { report: JobReport } | { attempt: Made; caller: Caller }

const nothingToDo: JobReport = { result: 'nothing_to_do', outcome: 'nothing_to_do' }

/**
 * Takes each work one step further. Steps without a call are one batched statement. For a call, the attempt is
 * committed before it and its result recorded after it, both in batches. The call itself is outside any batch and
 * transaction, in a slot of its partner, so a slow partner delays only its own casino. A crash in between leaves a
 * lease.
 */
export function createAttempts<Work, Caller, Write, Made extends Attempt, Outcome, Loaded, Result, Recorded>(
  kind: Outbound<Work, Caller, Write, Made, Outcome, Loaded, Result, Recorded>,
  deps: AttemptsDeps,
): RunWork {
  const { clock, random, slots } = deps
  const beginning: Change<
    BeginRequest,
    { works: Works<Work, Caller>; now: Date },
    Wanted<Write, Caller>,
    BegunCall<Made, Caller> | LookUp
  > = {
    load: async (requests) => {
      const works = await kind.load(requests.map(({ job }) => job))
      return { works, now: clock.now() }
    },
    decide: (request, { works, now }) => {
      const found = works.get(request.job.outboxId)
      if (found === undefined) return { answer: { report: nothingToDo } }
      if ('error' in found) throw found.error
      const { work, caller } = found.value
      const step = kind.decide(request.job, work, { now, random: request.random })
      return 'report' in step ? { answer: step } : { write: { request, step, caller } }
    },
    store: (wanted) => storeAdmitted(kind, deps, wanted),
  }
  const recording: Change<RecordRequest<Made, Outcome>, { loaded: Loaded; now: Date }, Result, Recorded> = {
    load: async (requests) => {
      const loaded = await kind.record.load(requests.map(({ ended }) => ended))
      return { loaded, now: clock.now() }
    },
    decide: ({ ended, random: chance }, { loaded, now }) =>
      kind.record.decide(ended, loaded, { now, random: chance }),
    store: (results) => kind.record.store(results),
  }
  const beginAll = async (
    requests: readonly BeginRequest[],
  ): Promise<Settled<BegunCall<Made, Caller> | LookUp>[]> => {
    const reports = await reportsWithoutLoad(kind, deps, requests)
    if (reports === undefined) return loadDecideStore(beginning, requests)
    const left = requests.filter(({ job }) => !reports.has(job.outboxId))
    const begun = await loadDecideStore(beginning, left)
    const results = new Map(left.map((request, index) => [request, begun[index]]))
    return requests.map((request) => {
      const report = reports.get(request.job.outboxId)
      if (report !== undefined) return { value: { report } }
      return results.get(request) ?? { error: new Error('a batch lost a result') }
    })
  }
  const begin = createBatcher({
    name: `begin ${kind.partner}`,
    process: beginAll,
    exclusiveKeyOf: ({ job }) => job.objectId,
    ...casinoLanes(({ job }: BeginRequest) => job),
    ...(kind.worthwhileSize === undefined ? {} : { worthwhileSize: kind.worthwhileSize }),
  })
  const record = createBatcher({
    name: `record ${kind.partner}`,
    process: (requests: readonly RecordRequest<Made, Outcome>[]) => loadDecideStore(recording, requests),
    exclusiveKeyOf: ({ ended }) => ended.job.objectId,
    ...casinoLanes(({ ended }: RecordRequest<Made, Outcome>) => ended.job),
  })
  return async (job, holder) => {
    try {
      let begun = await begin.run({ job, holder, mayLookUp: true, random: random() })
      if ('lookUp' in begun) {
        await lookUp(kind.partner, deps, begun)
        begun = await begin.run({ job, holder, mayLookUp: false, random: random() })
      }
      if ('lookUp' in begun) throw new Error('asked to look up a name a second time')
      if ('report' in begun) return begun.report
      const { attempt } = begun
      const mayCall = await slots.turn(holder)
      const made = mayCall ? await makeCall(kind, deps, job, begun) : withoutTurn(attempt, clock.now())
      const ended = { job, ...made }
      // The next holder may call while the result is recorded.
      slots.release(holder)
      const report = await kind.finish(ended, () => record.run({ ended, random: random() }))
      if (!mayCall) slots.noteWaiting(attempt.line)
      return report
    } finally {
      slots.release(holder)
    }
  }
}

/** By outbox id; undefined if all works must be loaded. */
async function reportsWithoutLoad(
  kind: { partner: string; runUnloaded?: RunUnloaded },
  { log }: AttemptsDeps,
  requests: readonly BeginRequest[],
): Promise<ReadonlyMap<string, JobReport> | undefined> {
  try {
    return await kind.runUnloaded?.(requests.map(({ job }) => job))
  } catch (error) {
    if (classifyFailure(error) === 'unknown') throw error
    log.warn(
      { err: error, partner: kind.partner, works: requests.length },
      'works could not be done unloaded',
    )
    return undefined
  }
}

type Works<Work, Caller> = ReadonlyMap<string, Settled<LoadedWork<Work, Caller>>>

/** An attempt holds a slot of its partner until it gives it back. */
async function storeAdmitted<Write, Caller, Made>(
  kind: { store: Store<Write, Begun<Made>> },
  deps: AttemptsDeps,
  all: readonly Wanted<Write, Caller>[],
): Promise<ReadonlyMap<Wanted<Write, Caller>, BegunCall<Made, Caller> | LookUp>> {
  const answers = new Map<Wanted<Write, Caller>, BegunCall<Made, Caller> | LookUp>()
  const admitted = new Map<Write, { wanted: Wanted<Write, Caller>; line: CallLine | undefined }>()
  const now = deps.clock.now()
  for (const wanted of all) {
    const admission = admit(deps, wanted.step, wanted.request, now)
    if ('lookUp' in admission) answers.set(wanted, admission)
    else admitted.set(admission.write, { wanted, line: admission.line })
  }
  if (admitted.size === 0) return answers
  for (const [write, begun] of await kind.store([...admitted.keys()])) {
    const stored = admitted.get(write)
    if (stored === undefined) continue
    const { caller } = stored.wanted
    answers.set(stored.wanted, 'report' in begun ? begun : { ...begun, caller })
    if (stored.line !== undefined) deps.slots.noteWaiting(stored.line)
  }
  return answers
}
