import { writtenEvents } from '../event/written-events.ts'
import type { WrittenEvent } from '../event/written-events.ts'
import { sql, timed } from '../platform/sql.ts'
import { insertInto, sameColumns } from '../platform/sql-insert.ts'

const prizeWon: WrittenEvent = {
  from: sql`accepted`,
  objectType: 'prize',
  objectId: sql`prize_id`,
  sequence: sql`1`,
  type: 'prize.won',
  toState: 'won',
  actor: sql`actor`,
  requestId: sql`request_id`,
}

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

/**
 * Steps of a statement that gives players the prizes of `accepted` (casino_id, prize_id, player_id, item_id, item_name,
 * kind, cashback_amount_minor, cashback_currency, opening_id, expires_at, actor, request_id), and begins their
 * histories.
 */
export const wonPrizes = timed(
  (now) => sql`prize_won AS (
      ${insertInto('prize', {
        from: sql`accepted`,
        columns: { ...prizeColumns, created_at: now, updated_at: now },
      })}
    ),
    event_written AS (
      ${writtenEvents(now, prizeWon)}
    )`,
)
