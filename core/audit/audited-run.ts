import type { Clock } from '../platform/clock.ts'
import { newId } from '../platform/ids.ts'
import type { AuditRecord, RecordAudit } from './audit.ts'

/** A command-line program that changes the database. */
export interface AuditedRun {
  /** The command's name, such as `keys:rewrap`. */
  action: string
  params: Readonly<Record<string, string>>
}

/** Writes a further entry of the run, in the trail of a casino, or with '' in the service's. */
export type RecordOfRun = (casinoId: string, outcome: string) => Promise<void>

/**
 * Carries out such a run with an audit entry before and after it; without the first entry nothing is done. A killed run
 * has no second entry. `outcomeOf` gives its outcome.
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
      // Most likely both use the same database.
      throw new Error(`${messageOf(error)} (and the audit entry could not be written)`, { cause: failure })
    }
    throw error
  }
  await record(casinoId, outcomeOf(result))
  return result
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
