import type { Prisma } from '../platform/database.ts'
import { sql } from '../platform/sql.ts'

/**
 * A step, for `WITH RECURSIVE`, of a key and all keys derived from it, directly or not; `ends` selects those to end.
 * `made` covers keys that it created; `held` also covers its rotations, because its holder saw those keys too.
 *
 * Keys that a key created before its rotation count as created by its successor too, so the replaced keys are included
 * with the keys that they created; they themselves do not end with it. `keysPerDayMax` limits their number.
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
