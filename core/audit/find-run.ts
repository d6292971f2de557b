import type { Database } from '../platform/database.ts'
import { textArray } from '../platform/sql.ts'
import type { AuditedRun } from './audited-run.ts'

/** One or more commands, with the same parameters. */
interface Runs extends Pick<AuditedRun, 'params'> {
  actions: readonly string[]
}

/** The last entry whose outcome has this text that such a run has written into the service's trail. */
export async function findLastRun(
  database: Database,
  { actions, params }: Runs,
  part: string,
): Promise<{ action: string; outcome: string } | undefined> {
  const [row] = await database.$queryRaw<{ action: string; outcome: string }[]>`
    SELECT action, outcome FROM audit_entry
     WHERE casino_id = '' AND actor = 'cli' AND action = ANY (${textArray(actions)})
       AND params = ${JSON.stringify(params)}::text AND strpos(outcome, ${part}::text) > 0
     ORDER BY casino_id DESC, id DESC LIMIT 1`
  return row
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
