import type { AuditRecord, RecordAudit } from '../core/audit/audit.ts'
import { holdsKey } from '../core/casino/find-key.ts'
import { RewardsError } from '../core/errors.ts'
import type { Clock } from '../core/platform/clock.ts'
import { newId } from '../core/platform/ids.ts'
import type { Logger } from '../core/platform/logger.ts'
import type { ReadLike } from './audited-reads.ts'
import type { EndpointReply } from './endpoint.ts'
import { errorMeanings } from './error-response.ts'
import type { ReadBody } from './parse-input.ts'

/** The actor and the action, as far as they are known before it is carried out. */
export type AuditedAction = Omit<AuditRecord, 'id' | 'at' | 'outcome'>

interface Deps {
  clock: Clock
  log: Logger
  recordAudit: RecordAudit
}

/**
 * Carries an action out and records it. A change is also recorded before it is made, so that every change leaves a
 * trace: if the record cannot be stored, nothing is done. A read returns data only if it, or a similar read
 * shortly before (`read`, undefined for a change), has been recorded.
 */
export async function audited(
  deps: Deps,
  action: AuditedAction,
  read: ReadLike | undefined,
  run: () => Promise<EndpointReply>,
): Promise<EndpointReply> {
  const record = (outcome: string) => recordOutcome(deps, action, outcome)
  if (read === undefined) await record('requested')
  const result = await run().then(
    (reply) => ({ reply }),
    (error: unknown) => ({ error }),
  )
  const outcome = 'reply' in result ? outcomeOfReply(result.reply) : outcomeOf(result.error)
  const isRefused = 'error' in result
  try {
    if (read?.isRecorded(isRefused) !== true) {
      await record(outcome)
      read?.recorded(isRefused)
    }
  } catch (error) {
    if (read !== undefined) throw error
    // The request is on record, and its result stands in the history of the changed objects.
    deps.log.error(
      { err: error, requestId: action.requestId },
      'cannot record the outcome of an audited action',
    )
  }
  if ('error' in result) throw result.error
  return result.reply
}

/** Writes one entry. */
export function recordOutcome(
  { clock, recordAudit }: Pick<Deps, 'clock' | 'recordAudit'>,
  action: AuditedAction,
  outcome: string,
): Promise<void> {
  const at = clock.now()
  return recordAudit({ ...action, id: newId('aud', at), at, outcome })
}

/** An answer that repeats that of an earlier request under the same key did nothing now. */
function outcomeOfReply({ status = 200, headers, auditNote }: EndpointReply): string {
  if (headers?.['Idempotency-Replayed'] !== undefined) return `${String(status)} replayed`
  return auditNote === undefined ? String(status) : `${String(status)} ${auditNote}`
}

export function outcomeOf(error: unknown): string {
  const code = error instanceof RewardsError ? error.code : 'internal'
  return `${errorMeanings[code].status} ${code}`
}

const textMax = 500

/**
 * The `reason` of a body that is not validated yet: for the record it is cut and cleaned, never refused. An invisible
 * reason counts as missing. One with an API key in it is left out here; the body's validation refuses it.
 */
export function reasonIn(body: ReadBody): string | null {
  if (body.kind !== 'object') return null
  const { reason } = body.value
  if (holdsKey(reason)) return null
  return typeof reason === 'string' && isVisible(reason) ? storable(reason).slice(0, textMax) : null
}

/** Whether the text has a visible character. */
export function isVisible(text: string): boolean {
  return /[\p{L}\p{N}\p{S}\p{P}]/u.test(text)
}

/** The path's parameters as JSON, cut if they are very long. JSON escapes what a database cannot hold. */
export function paramsIn(params: Readonly<Record<string, string>>): string {
  const short = Object.entries(params).map(([name, value]) => [name, value.slice(0, textMax)] as const)
  return JSON.stringify(Object.fromEntries(short))
}

/** Never a valid id of a casino, but the database takes it. */
export function storable(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8').replaceAll('\0', '\uFFFD')
}
