import type { Prisma } from '../platform/database.ts'
import { sql } from '../platform/sql.ts'

/**
 * A step, for `WITH RECURSIVE`, of a key and all keys that came of it, of those, and so on: those that `ends` says.
 * `made` is what a key made; `held` is also what it rotated, since its holder was shown both.
 *
 * What a key made before it was rotated its successor has made too, so the keys it replaced are there as well, for what
 * they made; they themselves do not end with it. `keysPerDayMax` bounds how many there are.
 */
export function keyLine(keyId: string, which: 'made' | 'held'): Prisma.Sql {
  return sql`line AS (
      SELECT ${keyId}::text AS id, true AS ends
      UNION
      SELECT next.id, next.ends
        FROM line
       CROSS JOIN LATERAL (
         SELECT made.id, true AS ends FROM api_key AS made WHERE made.created_by = line.id
         UNION ALL
         SELECT rotated.id, true
           FROM api_key AS rotated WHERE rotated.rotated_by = line.id AND line.ends AND ${which}::text = 'held'
         UNION ALL
         SELECT successor.rotated_from, false
           FROM api_key AS successor WHERE successor.id = line.id AND successor.rotated_from IS NOT NULL
       ) AS next
    )`
}
