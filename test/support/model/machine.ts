import { instant } from '../../../core/platform/sql.ts'
import type { Database } from '../../../core/platform/database.ts'

/** Wakes the work of one casino that is snoozed until then or earlier; the work of other casinos stays snoozed. */
export async function wakeCasino(database: Database, casinoId: string, until: Date): Promise<void> {
  await database.$executeRaw`
    UPDATE outbox SET due_at = now() - interval '1 second', snoozed_until = NULL
     WHERE snoozed_until <= ${instant(until)}
       AND object_id IN (SELECT id FROM prize_order WHERE casino_id = ${casinoId}::text
                          UNION ALL SELECT id FROM cashback WHERE casino_id = ${casinoId}::text
                          UNION ALL SELECT id FROM webhook_delivery WHERE casino_id = ${casinoId}::text)`
}
