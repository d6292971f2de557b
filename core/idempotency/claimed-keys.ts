import { Prisma } from '../platform/database.ts'
import { sql } from '../platform/sql.ts'
import { insertInto, sameColumns } from '../platform/sql-insert.ts'
import type { Operation } from './idempotency.ts'

/**
 * Steps of the statement of an operation that store its answers under the keys of `source` (casino_id, key, fingerprint):
 * `accepted` are the rows of `source` without a key, or whose key is now theirs. Two rows with the same key and different
 * contents may be in one input; the fingerprint tells whose the key became.
 */
export function claimedKeys(operation: Operation, source: string, response: Prisma.Sql): Prisma.Sql {
  const columns = {
    ...sameColumns('casino_id', 'key', 'fingerprint'),
    operation,
    response,
  }
  return sql`key_claimed AS (
      ${insertInto('idempotency_record', {
        from: sql`${Prisma.raw(source)} WHERE key IS NOT NULL ORDER BY casino_id, key`,
        columns,
      })}
      ON CONFLICT DO NOTHING
      RETURNING casino_id, key, fingerprint
    ),
    accepted AS (
      SELECT * FROM ${Prisma.raw(source)}
       WHERE key IS NULL
          OR (casino_id, key, fingerprint) IN (SELECT casino_id, key, fingerprint FROM key_claimed)
    )`
}
