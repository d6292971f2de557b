import { timedEvents } from '../event/written-events.ts'
import type { Prisma } from '../platform/database.ts'
import { sql, timed } from '../platform/sql.ts'
import { insertInto, sameColumns } from '../platform/sql-insert.ts'

const winsWritten = timedEvents({
  from: sql`accepted`,
  objectType: 'prize',
  objectId: sql`prize_id`,
  sequence: sql`1`,
  type: 'prize.won',
  toState: 'won',
  actor: sql`actor`,
  requestId: sql`request_id`,
  traceparent: sql`traceparent`,
})

const prizeColumns = {
  id: sql`prize_id`,
  ...sameColumns(
    'casino_id',
    'player_id',
    'item_id',
    'item_name',
    'kind',
    'cashback_amount_minor',
    'cashback_currency',
    'opening_id',
    'expires_at',
  ),
  state: 'won',
}

const prizesInserted = timed((now) =>
  insertInto('prize', {
    from: sql`accepted`,
    columns: { ...prizeColumns, created_at: now, updated_at: now },
  }),
)

/**
 * Steps of a statement that gives players the prizes of `accepted` (casino_id, prize_id, player_id, item_id, item_name,
 * kind, cashback_amount_minor, cashback_currency, opening_id, expires_at, actor, request_id; in a traced
 * batch also traceparent), and begins their histories.
 */
export function wonPrizes(now: Date): Prisma.Sql {
  return sql`prize_won AS (
      ${prizesInserted(now)}
    ),
    event_written AS (
      ${winsWritten(now)}
    )`
}
