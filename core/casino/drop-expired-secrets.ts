import { batchInput, instant, sql, text } from '../platform/sql.ts'
import { isNotSetAside, workAroundDamage } from '../set-aside/set-aside.ts'
import type { Found, SetAsideDeps } from '../set-aside/set-aside.ts'

/** The limit of one statement; the caller repeats it for the rest. */
const droppedAtOnceMax = 500

/** Deletes replaced secrets whose overlap is over; they are not in use any more. Returns the number deleted. */
export async function dropExpiredSecrets(deps: SetAsideDeps): Promise<number> {
  const { database, clock } = deps
  const now = clock.now()
  const isWanted = isNotSetAside('drop-secrets', now, {
    casinoId: sql`casino_setting.casino_id`,
    id: sql`casino_setting.name`,
  })
  const found = await database.$queryRaw<Found[]>`
    SELECT casino_id AS "casinoId", name AS id FROM casino_setting
     WHERE previous_expires_at <= ${instant(now)} AND ${isWanted}
     ORDER BY previous_expires_at
     LIMIT ${droppedAtOnceMax}::int`
  return workAroundDamage(
    deps,
    'drop-secrets',
    found,
    (some) => database.$executeRaw`
      WITH expired AS (
        SELECT setting.casino_id, setting.name
          FROM ${batchInput(some, {
            casino_id: text((setting) => setting.casinoId),
            name: text((setting) => setting.id),
          })}
          JOIN casino_setting AS setting ON setting.casino_id = input.casino_id AND setting.name = input.name
         WHERE setting.previous_expires_at <= ${instant(now)}
         ORDER BY setting.casino_id, setting.name
           FOR UPDATE OF setting SKIP LOCKED
      )
      UPDATE casino_setting AS setting
         SET previous_sealed_secret = NULL, previous_sealed_key = NULL, previous_sealed_key_id = NULL,
             previous_expires_at = NULL
        FROM expired WHERE setting.casino_id = expired.casino_id AND setting.name = expired.name`,
  )
}
