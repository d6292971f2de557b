import type { Prisma } from '../platform/database.ts'
import { sql, textArray } from '../platform/sql.ts'
import { isChosen, waitingCasinosMax, waitingMax, waitsLookedAtMax } from '../platform/waiting-work.ts'
import type { CasinoChoice } from '../platform/waiting-work.ts'

/**
 * SQL: by casino and state, how many objects are in these states, and since when the oldest is, by its history. A casino's
 * first objects in a state are looked at for that, since ids begin with their time. The table needs an index on
 * (casino_id, state, id).
 */
export function waitingInStates({
  table,
  objectType,
  states,
  casinos,
}: {
  table: Prisma.Sql
  objectType: 'prize_order' | 'cashback'
  states: readonly string[]
  casinos: CasinoChoice
}): Prisma.Sql {
  return sql`
    SELECT casino.id AS "casinoId", waiting.state, counted.count, oldest.since AS "oldestAt"
      FROM casino
     CROSS JOIN unnest(${textArray(states)}) AS waiting (state)
     CROSS JOIN LATERAL (
       SELECT count(*)::int AS count
         FROM (
           SELECT FROM ${table} AS object
            WHERE object.casino_id = casino.id AND object.state = waiting.state LIMIT ${waitingMax + 1}::int
         ) AS first
     ) AS counted
     CROSS JOIN LATERAL (
       SELECT min(entered.created_at) AS since
         FROM (
           SELECT id FROM ${table} AS object
            WHERE object.casino_id = casino.id AND object.state = waiting.state
            ORDER BY id LIMIT ${waitsLookedAtMax}::int
         ) AS first
        CROSS JOIN LATERAL (
          SELECT created_at FROM event
           WHERE event.casino_id = casino.id AND object_type = ${objectType}::text AND object_id = first.id
             AND to_state = waiting.state AND from_state IS DISTINCT FROM to_state
           ORDER BY sequence DESC LIMIT 1
        ) AS entered
     ) AS oldest
     WHERE ${isChosen(casinos)} AND oldest.since IS NOT NULL
     ORDER BY oldest.since LIMIT ${waitingCasinosMax}::int`
}
