/**
 * The contract between producers and workers. A job's name is its queue's name, and worker/jobs.ts maps it to its
 * processor. Names are never derived from code: they outlive a deployment.
 */
export const jobNames = [
  'fulfil-prize-order',
  'apply-shipment-news',
  'credit-cashback',
  'debit-cashback',
  'deliver-webhook',
  'carry-out-act',
] as const

export type JobName = (typeof jobNames)[number]

/** Ids only, never data: the processor loads what it needs, and nothing personal ever enters a queue. */
export interface JobPayload {
  /** The outbox row of the work, which is deleted together with storing the result. */
  outboxId: string
  /** The object of the work: the id of an order or of a cashback. */
  objectId: string
  /**
   * The casino of the work: casinos share workers fairly. It also says whether the work may be done without loading it,
   * but only as a hint: the statement checks the object's own casino. Absent if an earlier release has caused the work.
   */
  casinoId?: string
  /** Where the work was caused: its job continues that trace. Absent if it was not traced. */
  traceparent?: string
}

/**
 * Several works with one job, under load: a queue costs CPU by the job. Each work is still carried out, counted and
 * logged by itself, and one that fails gets a job of its own.
 */
export interface SharedPayload extends JobPayload {
  /** The others. A worker of a release without shared jobs does the first work, and the relay brings back these. */
  works: readonly JobPayload[]
}

export type JobData = JobPayload | SharedPayload

/** The outcome of a job: it changed something, there was nothing left to do, or it continues later. */
export type WorkResult = 'done' | 'nothing_to_do' | 'snoozed'

/** A job's result, shown to operators. */
export interface JobReport {
  result: WorkResult
  /** Made by `describeOutcome`. */
  outcome: string
}

/**
 * `credited`, or `unknown: status_503`: a code, and a second one with the reason. It is kept with the job, so anything
 * other than our own codes is left out: it might be a partner's text, or personal data.
 */
export function describeOutcome(kind: string, why?: string | null): string {
  return [kind, why ?? ''].filter((code) => /^[a-z0-9_]{1,64}$/.test(code)).join(': ')
}

/** `delivered ×14, retry: refused ×2`: the outcomes of the works of a shared job, each with its number. */
export function summariseOutcomes(outcomes: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const outcome of outcomes) counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
  return [...counts].map(([outcome, count]) => `${outcome} ×${count}`).join(', ')
}

/** An outcome, or a summary of several. */
export function isOutcome(value: unknown): value is string {
  return typeof value === 'string' && value.split(', ').every((part) => outcomePattern.test(part))
}

const outcomePattern = /^[a-z0-9_]{1,64}(: [a-z0-9_]{1,64})?( ×\d+)?$/

/** Due work from the outbox. */
export interface DueWork extends JobPayload {
  jobName: JobName
}

/**
 * A row's own job always has the same id, so adding it twice makes one job. BullMQ refuses ids with a colon and ids of
 * digits only. It repeats the id in every key and command, so a short one is worthwhile.
 */
export function jobIdOf({ outboxId }: JobPayload): string {
  return `o${BigInt(outboxId).toString(36)}`
}

/**
 * Of a job that several works share: by its first work and their number. Where that is an earlier job's, nothing is
 * added, and the relay brings the works back.
 */
export function sharedJobIdOf(works: readonly [JobPayload, ...JobPayload[]]): string {
  return `s${works.length}${jobIdOf(works[0])}`
}

/** The works of a queue's payload, at least one. Throws on an invalid payload: such a job can never succeed. */
export function parseJobData(data: unknown): JobPayload[] {
  const works = typeof data === 'object' && data !== null && 'works' in data ? data.works : []
  if (!Array.isArray(works)) throw new Error('not a job payload')
  return [data, ...(works as readonly unknown[])].map(parseWork)
}

function parseWork(data: unknown): JobPayload {
  if (typeof data === 'object' && data !== null && 'outboxId' in data && 'objectId' in data) {
    const { outboxId, objectId } = data
    const casinoId = 'casinoId' in data ? data.casinoId : undefined
    const traceparent = 'traceparent' in data ? data.traceparent : undefined
    if (typeof outboxId === 'string' && /^\d{1,19}$/.test(outboxId) && typeof objectId === 'string') {
      return { outboxId, objectId, ...originOf(casinoId, traceparent) }
    }
  }
  throw new Error('not a job payload')
}

/** Text that the database can hold: the casino is looked up. */
const casinoIdPattern = /^[^\p{Cc}\p{Cs}]{1,128}$/u

/** Those properties of a payload that are known. */
export function originOf(
  casinoId: unknown,
  traceparent: unknown,
): Pick<JobPayload, 'casinoId' | 'traceparent'> {
  return {
    ...(typeof casinoId === 'string' && casinoIdPattern.test(casinoId) ? { casinoId } : {}),
    ...(typeof traceparent === 'string' ? { traceparent } : {}),
  }
}

export function isJobName(name: string): name is JobName {
  return (jobNames as readonly string[]).includes(name)
}
