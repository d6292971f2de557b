import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'

/** The last hour is shown; the rest of a day helps after an incident. */
const keepMs = 24 * 3_600_000

/** Removes the rows of processes that are older than a day: few at a time, since each process writes one a minute. */
export async function pruneMinutes({
  database,
  clock,
}: {
  database: Database
  clock: Clock
}): Promise<number> {
  await database.processMinute.deleteMany({
    where: { minute: { lt: new Date(clock.now().getTime() - keepMs) } },
  })
  return 0
}
