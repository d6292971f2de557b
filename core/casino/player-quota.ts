import { monotonicMs } from '../platform/clock.ts'
import { singleRow } from '../platform/single-row.ts'
import { textArray } from '../platform/sql.ts'
import { findQuotas, quotaExceeded } from './reserve-quota.ts'
import type { QuotaDeps } from './reserve-quota.ts'

/** Admits a request that names players who may be new to the casino. Throws `quota_exceeded`. */
export type AdmitPlayers = (casinoId: string, playerIds: readonly string[]) => Promise<void>

interface Count {
  players: number
  /** Players in requests that this process has admitted since the count: at most this many are new. */
  named: number
  countedAtMs: number
  /** Read with the count; a changed setting takes effect at the next one. */
  most: number
}

/** Counting reads an index entry per player: a second for five million, so it is done seldom. */
const recountAfterMs = 10 * 60_000
const casinosMax = 10_000

/**
 * Limits the players that a casino creates by the management API. Openings create players too, and are never refused
 * for it. Approximate: each process counts now and then and adds what it has admitted since, so several processes may
 * together admit more. A request with only known players is never refused.
 */
export function createAdmitPlayers(deps: QuotaDeps): AdmitPlayers {
  const counts = new Map<string, Promise<Count>>()

  function recount(casinoId: string): Promise<Count> {
    const counting = countPlayers(deps, casinoId)
    if (counts.size >= casinosMax) counts.clear()
    counts.set(casinoId, counting)
    counting.catch(() => counts.delete(casinoId)) // the caller gets the error; the next one tries again
    return counting
  }

  return async (casinoId, playerIds) => {
    const ids = new Set(playerIds)
    let count = await (counts.get(casinoId) ?? recount(casinoId))
    const isOld = monotonicMs() - count.countedAtMs > recountAfterMs
    if (isOld) count = await recount(casinoId)
    if (count.players + count.named + ids.size > count.most) {
      if (count.named > 0) count = await recount(casinoId)
      const added = await countNew(deps, casinoId, [...ids])
      if (added > 0 && count.players + count.named + added > count.most) {
        throw quotaExceeded('players', count.most)
      }
      count.named += added
    } else {
      count.named += ids.size
    }
  }
}

async function countPlayers(deps: QuotaDeps, casinoId: string): Promise<Count> {
  const { players: most } = await findQuotas(deps, casinoId)
  const { players } = singleRow(
    await deps.database.$queryRaw<{ players: number }[]>`
      SELECT count(*)::float8 AS players
        FROM (SELECT FROM player WHERE casino_id = ${casinoId}::text LIMIT ${most}::bigint + 1) AS counted`,
  )
  return { players, named: 0, countedAtMs: monotonicMs(), most }
}

/** By raw SQL: Prisma would send another statement for each number of ids. */
async function countNew({ database }: QuotaDeps, casinoId: string, ids: readonly string[]): Promise<number> {
  const { known } = singleRow(
    await database.$queryRaw<{ known: number }[]>`
      SELECT count(*)::int AS known FROM player WHERE casino_id = ${casinoId}::text AND id = ANY(${textArray(ids)})`,
  )
  return ids.length - known
}
