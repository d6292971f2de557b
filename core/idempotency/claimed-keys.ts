import { Prisma } from '../platform/database.ts'
import { sql } from '../platform/sql.ts'
import { insertInto, sameColumns } from '../platform/sql-insert.ts'
import type { Operation } from './idempotency.ts'

/**
 * Steps of an operation's statement that store its answers under the keys of `source` (casino_id, key, fingerprint):
 * `accepted` are the rows of `source` without a key, or that have claimed it. One input may have two rows with the same
 * key and different contents; the fingerprint tells which one claimed it.
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
