import type { Database } from '../platform/database.ts'
import { instant } from '../platform/sql.ts'

/** One statement for so many; whoever calls goes on while there are more. */
const droppedAtOnceMax = 500

/** Takes the secrets away that were exchanged and whose overlap is over; nobody has used them since. Returns how many. */
export async function dropExpiredSecrets(database: Database, now: Date): Promise<number> {
  return database.$executeRaw`
    WITH expired AS (
      SELECT casino_id, name FROM casino_setting
       WHERE previous_expires_at <= ${instant(now)}
       ORDER BY previous_expires_at
       LIMIT ${droppedAtOnceMax}::int
         FOR UPDATE SKIP LOCKED
    )
    UPDATE casino_setting AS setting
       SET previous_sealed_secret = NULL, previous_sealed_key = NULL, previous_sealed_key_id = NULL,
           previous_expires_at = NULL
      FROM expired WHERE setting.casino_id = expired.casino_id AND setting.name = expired.name`
}
