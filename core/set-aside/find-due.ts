import type { Database, Prisma } from '../platform/database.ts'
import type { Found } from './set-aside.ts'

/**
 * The due rows for one statement of a loop: a share per casino, longest waiting first, so that a casino with a million
 * rows does not block the others. If there are more casinos than rows in a statement, the ones that have waited longest
 * come first.
 *
 * `casinos` follows FROM, named `input`, with a `casino_id`. `due` selects `casino_id`, `id` and `due_at` for a row of
 * it, and needs an index in the order of `due_at`.
 */
export function findDue(
  database: Database,
  { casinos, due, max }: { casinos: Prisma.Sql; due: Prisma.Sql; max: number },
): Promise<Found[]> {
  return database.$queryRaw<Found[]>`
    WITH waiting AS (
      SELECT input.*, first.due_at
        FROM ${casinos}
       CROSS JOIN LATERAL (${due} ORDER BY due_at LIMIT 1) AS first
       ORDER BY first.due_at LIMIT ${max}::int
    )
    SELECT due.casino_id AS "casinoId", due.id
      FROM waiting AS input
     CROSS JOIN LATERAL (
       ${due} ORDER BY due_at LIMIT greatest(${max}::int / (SELECT count(*) FROM waiting), 1)
     ) AS due`
}
