import type { Database } from '../../core/platform/database.ts'
import type { RunningLoop } from '../../core/platform/lifecycle.ts'
import { singleRow } from '../../core/platform/single-row.ts'
import { lastEventId } from '../../core/webhook/fan-out.ts'

/** The work that there is for the loops that look often. */
export interface FoundWork {
  /** Work of the outbox is due. */
  isDue: boolean
  /** Work waits in a line. */
  isInLine: boolean
  lastEventId: bigint
}

/** Whether a loop's rest is over, by the work found now, and by that of the last look that asked for this loop, if any. */
export type IsRestOver = (found: FoundWork, before: FoundWork | undefined) => boolean

/** A loop that may rest. */
export type Rester = Pick<RunningLoop, 'isResting' | 'wake'> & { isOver: IsRestOver }

/** The longest time until a loop that rests notices work. */
export const watchForWorkIdleMs = 1_000

/**
 * Wakes the loops that rest while there is work for them. So an idle worker needs one statement with three look-ups where
 * each loop would need its own. A loop that leaves due work to others, as work set aside, does not rest meanwhile. Always
 * gives 0: the next look can wait.
 */
export function createWatchForWork(database: Database, resters: readonly Rester[]): () => Promise<number> {
  /** Only of loops that were asked for: one that was not resting may have begun its turn before an event came. */
  const lastFound = new Map<Rester, FoundWork>()
  return async () => {
    if (!resters.some(({ isResting }) => isResting())) return 0
    const found = await findWork(database)
    for (const rester of resters.filter(({ isResting }) => isResting())) {
      if (rester.isOver(found, lastFound.get(rester))) rester.wake()
      lastFound.set(rester, found)
    }
    return 0
  }
}

async function findWork(database: Database): Promise<FoundWork> {
  return singleRow(
    await database.$queryRaw<FoundWork[]>`
      SELECT EXISTS (SELECT FROM outbox WHERE due_at <= now()) AS "isDue",
             EXISTS (SELECT FROM outbox WHERE line IS NOT NULL) AS "isInLine",
             ${lastEventId} AS "lastEventId"`,
  )
}
