import type { Database } from '../platform/database.ts'

/** Whether a command-line program has written an outcome with this text into the service's trail. */
export async function hasOutcome(database: Database, action: string, part: string): Promise<boolean> {
  const [row] = await database.$queryRaw<{ isThere: boolean }[]>`
    SELECT EXISTS (
      SELECT FROM audit_entry
       WHERE casino_id = '' AND actor = 'cli' AND action = ${action}::text AND strpos(outcome, ${part}::text) > 0
    ) AS "isThere"`
  return row?.isThere === true
}
