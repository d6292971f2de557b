import type { Clock } from '../platform/clock.ts'
import { newId } from '../platform/ids.ts'
import type { AuditRecord, RecordAudit } from './audit.ts'

/** A program that somebody runs beside the service, and that changes what is in the database. */
export interface AuditedRun {
  /** As it is typed, such as `keys:rewrap`. */
  action: string
  params: Readonly<Record<string, string>>
}

/** Writes a further entry of the same run, in the trail of a casino, or with '' in the service's. */
export type RecordOfRun = (casinoId: string, outcome: string) => Promise<void>

/**
 * Carries out such a run, and writes down before and after it that it was: without the first entry nothing is done. One
 * that was killed has no second. `outcomeOf` says what came of it.
 */
export async function auditedRun<Result>(
  { clock, recordAudit }: { clock: Clock; recordAudit: RecordAudit },
  { action, params }: AuditedRun,
  casinoId: string,
  run: (record: RecordOfRun) => Promise<Result>,
  outcomeOf: (result: Result) => string,
): Promise<Result> {
  const what: Pick<AuditRecord, 'actor' | 'address' | 'action' | 'params' | 'reason' | 'requestId'> = {
    actor: 'cli',
    address: null,
    action,
    params: JSON.stringify(params),
    reason: null,
    requestId: newId('req'),
  }
  const record: RecordOfRun = (trail, outcome) => {
    const at = clock.now()
    return recordAudit({ ...what, id: newId('aud', at), casinoId: trail, at, outcome })
  }
  await record(casinoId, 'requested')
  let result: Result
  try {
    result = await run(record)
  } catch (error) {
    try {
      await record(casinoId, 'stopped')
    } catch (failure) {
      // Most likely both are the same database.
      throw new Error(`${messageOf(error)} (and that could not be written down)`, { cause: failure })
    }
    throw error
  }
  await record(casinoId, outcomeOf(result))
  return result
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
