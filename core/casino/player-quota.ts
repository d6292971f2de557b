import { monotonicMs } from '../platform/clock.ts'
import { singleRow } from '../platform/single-row.ts'
import { textArray } from '../platform/sql.ts'
import { findQuotas, quotaExceeded } from './reserve-quota.ts'
import type { QuotaDeps } from './reserve-quota.ts'

/** Lets a request go on that names players, some of which may be new to the casino. Throws `quota_exceeded`. */
export type AdmitPlayers = (casinoId: string, playerIds: readonly string[]) => Promise<void>

interface Count {
  players: number
  /** Named since then by what this process let go on: at most as many are new. */
  named: number
  countedAtMs: number
  /** Of the same time; a change of the setting takes as long. */
  most: number
}

/** Counting reads an entry of an index for each player: a second for five million, so it is done seldom. */
const recountAfterMs = 10 * 60_000
const casinosMax = 10_000

/**
 * Keeps a casino from having players without end by the management API. Openings make players too and are never refused
 * for it. It is approximate: each process counts now and then, and adds what it has let go on since; so several processes
 * may together let more go on. A request that names only players who are there already is never refused.
 */
export function createAdmitPlayers(deps: QuotaDeps): AdmitPlayers {
  const counts = new Map<string, Promise<Count>>()

  function recount(casinoId: string): Promise<Count> {
    const counting = countPlayers(deps, casinoId)
    if (counts.size >= casinosMax) counts.clear()
    counts.set(casinoId, counting)
    counting.catch(() => counts.delete(casinoId)) // who asked hears of the error; the next one tries again
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

async function countNew({ database }: QuotaDeps, casinoId: string, ids: readonly string[]): Promise<number> {
  const { known } = singleRow(
    await database.$queryRaw<{ known: number }[]>`
      SELECT count(*)::int AS known FROM player WHERE casino_id = ${casinoId}::text AND id = ANY(${textArray(ids)})`,
  )
  return ids.length - known
}
