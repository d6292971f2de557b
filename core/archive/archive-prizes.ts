import { sql } from '../platform/sql.ts'
import { inEachCasino } from '../set-aside/in-each-casino.ts'
import { isNotSetAside, workAroundDamage } from '../set-aside/set-aside.ts'
import type { SetAsideDeps } from '../set-aside/set-aside.ts'

/** One statement looks at this many, and moves them with all that belongs to them, in about a hundred milliseconds. */
const batchSizeMax = 50
/** The casinos of one run. Each gets one statement, so that a large one does not delay the others. */
const casinosMax = 100

/**
 * Moves prizes that have ended into the archive, with their orders, cashbacks and openings, once all of it is older than
 * `afterMs`, by the database's clock. The rule is in the migration that made `archive_prizes`: the service's role has no
 * right to delete these rows otherwise. Each statement moves its prizes completely or not at all. Any number of workers
 * may run it at the same time: each takes other casinos. Returns the number of prizes looked at, and must be called again
 * while there are more.
 */
export async function archivePrizes(deps: SetAsideDeps, afterMs: number): Promise<number> {
  const { database, clock } = deps
  const own = sql`prize_archive.casino_id`
  await database.$queryRaw<{ made: number }[]>`SELECT prepare_prize_archive() AS made`
  const due = await database.$queryRaw<{ casinoId: string; id: string }[]>`
    SELECT casino_id AS "casinoId", casino_id AS id FROM prize_archive
     WHERE due_at <= now() AND ${isNotSetAside('archive-prizes', clock.now(), { casinoId: own, id: own })}
     ORDER BY due_at, casino_id LIMIT ${casinosMax}::int`
  return inEachCasino(due, (casino) =>
    workAroundDamage(deps, 'archive-prizes', [casino], async () => {
      const [row] = await database.$queryRaw<{ looked_at: number; moved: number }[]>`
        SELECT looked_at, moved
          FROM archive_prizes(${casino.id}::text, now() - ${afterMs}::float8 * interval '1 millisecond',
                              ${batchSizeMax}::int)`
      return row?.looked_at ?? 0
    }),
  )
}
