import { writtenEvents } from '../event/written-events.ts'
import { Prisma } from '../platform/database.ts'
import { instant, sql } from '../platform/sql.ts'

/**
 * Steps of a statement that expires the prizes of `source` (casino_id, id, revision, returns_stock), which has locked
 * them.
 */
export function expiredPrizes(source: string, now: Date): Prisma.Sql {
  const expiring = Prisma.raw(source)
  return sql`prize_expired AS (
      UPDATE prize SET state = 'expired', stock_returned = ${expiring}.returns_stock, revision = prize.revision + 1,
                       updated_at = ${instant(now)}
        FROM ${expiring} WHERE prize.casino_id = ${expiring}.casino_id AND prize.id = ${expiring}.id
    ),
    event_written AS (
      ${writtenEvents(instant(now), {
        from: expiring,
        objectType: 'prize',
        objectId: sql`id`,
        sequence: sql`revision + 1`,
        type: 'prize.expired',
        fromState: 'won',
        toState: 'expired',
        actor: 'worker',
        data: sql`jsonb_build_object('stock_returned', returns_stock)`,
      })}
    )`
}
