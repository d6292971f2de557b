/**
 * The contract between those who ask for work and those who do it. A job's name is its queue's name, and worker/jobs.ts
 * says what does it. Names are never derived from code: they outlive a deployment.
 */
export const jobNames = [
  'fulfil-prize-order',
  'apply-shipment-news',
  'credit-cashback',
  'debit-cashback',
  'deliver-webhook',
] as const

export type JobName = (typeof jobNames)[number]

/** Ids only, never data: the processor loads what it needs, and nothing personal ever enters a queue. */
export interface JobPayload {
  /** The outbox row that asks for the work; it is deleted with the work's result. */
  outboxId: string
  /** What the work is about: the id of an order or of a cashback. */
  objectId: string
}

/** What came of a job: it changed something, there was nothing left to do, or it goes on later. */
export type WorkResult = 'done' | 'nothing_to_do' | 'snoozed'

/** What a job says of itself when it ends; people read the outcome beside the job. */
export interface JobReport {
  result: WorkResult
  /** Made by `describeOutcome`. */
  outcome: string
}

/**
 * `credited`, or `unknown: status_503`: a code, and another one that says why. It is kept with the job, so what is no code
 * of ours is left out: it might be a partner's words, or personal.
 */
export function describeOutcome(kind: string, why?: string | null): string {
  return [kind, why ?? ''].filter((code) => /^[a-z0-9_]{1,64}$/.test(code)).join(': ')
}

export function isOutcome(value: unknown): value is string {
  return typeof value === 'string' && /^[a-z0-9_]{1,64}(: [a-z0-9_]{1,64})?$/.test(value)
}

/** Work that is written down in the outbox and due. */
export interface DueWork extends JobPayload {
  jobName: JobName
}

/**
 * The same row always gives the same job id, so handing a row over twice makes one job. BullMQ refuses ids with a colon
 * and ids of digits only; and since it repeats the id in every key and command, a short one is worth having.
 */
export function jobIdOf({ outboxId }: JobPayload): string {
  return `o${BigInt(outboxId).toString(36)}`
}

/** Narrows what a queue hands out. Throws on anything that is not a payload: such a job can never succeed. */
export function parseJobPayload(data: unknown): JobPayload {
  if (typeof data === 'object' && data !== null && 'outboxId' in data && 'objectId' in data) {
    const { outboxId, objectId } = data
    if (typeof outboxId === 'string' && /^\d{1,19}$/.test(outboxId) && typeof objectId === 'string') {
      return { outboxId, objectId }
    }
  }
  throw new Error('not a job payload')
}

export function isJobName(name: string): name is JobName {
  return (jobNames as readonly string[]).includes(name)
}
