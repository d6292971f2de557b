import { batchInput, sql, text } from '../platform/sql.ts'
import { isNotSetAside, workAroundDamage } from '../set-aside/set-aside.ts'
import type { Found, SetAsideDeps } from '../set-aside/set-aside.ts'

/** One statement deletes this many in a few dozen milliseconds. */
const batchSizeMax = 1_000

/**
 * Deletes the oldest answers after `keepMs`, by the database's clock, which also timed their storing. Not by casino:
 * nothing waits for it, and the index for that would cost something in every request. Returns the number, and must be
 * called again while there are more. Any number of workers may run it at the same time: each skips locked rows and
 * continues with the next ones. No other code changes such old rows.
 */
export async function pruneAnswers(deps: SetAsideDeps, keepMs: number): Promise<number> {
  const { database, clock } = deps
  const isOld = sql`idempotency_record.created_at < now() - ${keepMs}::float8 * interval '1 millisecond'`
  const isWanted = isNotSetAside('prune-idempotency', clock.now(), {
    casinoId: sql`idempotency_record.casino_id`,
    id: sql`idempotency_record.key`,
  })
  const found = await database.$queryRaw<Found[]>`
    SELECT casino_id AS "casinoId", key AS id FROM idempotency_record
     WHERE ${isOld} AND ${isWanted}
     ORDER BY created_at
     LIMIT ${batchSizeMax}::int
       FOR UPDATE SKIP LOCKED`
  return workAroundDamage(
    deps,
    'prune-idempotency',
    found,
    (some) => database.$executeRaw`
      DELETE FROM idempotency_record WHERE ctid = ANY(ARRAY(
        SELECT idempotency_record.ctid
          FROM ${batchInput(some, {
            casino_id: text((answer) => answer.casinoId),
            key: text((answer) => answer.id),
          })}
          JOIN idempotency_record
            ON idempotency_record.casino_id = input.casino_id AND idempotency_record.key = input.key
         WHERE ${isOld}
           FOR UPDATE OF idempotency_record SKIP LOCKED
      ))`,
  )
}
