import type { Database } from '../platform/database.ts'
import type { AuditedRun } from './audited-run.ts'

/** The last outcome with this text that a command-line program with these parameters has written into the service's trail. */
export async function findLastOutcome(
  database: Database,
  { action, params }: AuditedRun,
  part: string,
): Promise<string | undefined> {
  const [row] = await database.$queryRaw<{ outcome: string }[]>`
    SELECT outcome FROM audit_entry
     WHERE casino_id = '' AND actor = 'cli' AND action = ${action}::text AND params = ${JSON.stringify(params)}::text
       AND strpos(outcome, ${part}::text) > 0
     ORDER BY casino_id DESC, id DESC LIMIT 1`
  return row?.outcome
}

/** Whether a command-line program has written an outcome with this text into the service's trail. */
export async function hasOutcome(database: Database, action: string, part: string): Promise<boolean> {
  const [row] = await database.$queryRaw<{ isThere: boolean }[]>`
    SELECT EXISTS (
      SELECT FROM audit_entry
       WHERE casino_id = '' AND actor = 'cli' AND action = ${action}::text AND strpos(outcome, ${part}::text) > 0
    ) AS "isThere"`
  return row?.isThere === true
}
