import type { Database } from '../platform/database.ts'
import { batchInput, sql, text } from '../platform/sql.ts'
import { isNotSetAside } from '../set-aside/set-aside.ts'

/** A player to erase, with everything that was placed until then. */
export interface WaitingPlayer {
  casinoId: string
  playerId: string
  requestedAt: Date
}

/** The next players to erase, each casino with its share. */
interface WaitingPage {
  players: readonly WaitingPlayer[]
  /** Each casino's share of a total. */
  shareOf: (max: number) => number
  /** The next page continues after these players; in casinos that are not finished with them, it has the same ones. */
  goOn: (isUnfinished: (casinoId: string) => boolean) => void
}

/** The number of players examined per turn; a few index look-ups each. */
const playersAtOnceMax = 5_000
/** The number of casinos per turn, with one index look-up each; with more casinos, they take turns. */
const casinosAtOnceMax = 500

/** Cycles through the casinos, and through the players of each. */
export function createWaitingPages(): { next: (database: Database, now: Date) => Promise<WaitingPage> } {
  let afterCasinoId = ''
  const reached = new Map<string, string>()

  const next = async (database: Database, now: Date): Promise<WaitingPage> => {
    const casinoIds = await findWaitingCasinos(database, afterCasinoId)
    const shareOf = (max: number) => Math.max(1, Math.floor(max / Math.max(1, casinoIds.length)))
    const begins = casinoIds.map((casinoId) => ({ casinoId, after: reached.get(casinoId) ?? '' }))
    const players = await findWaitingPlayers(database, now, begins, shareOf(playersAtOnceMax))
    const goOn = (isUnfinished: (casinoId: string) => boolean) => {
      const countOf = countByCasino(players)
      const lastOf = new Map(players.map(({ casinoId, playerId }) => [casinoId, playerId]))
      for (const casinoId of casinoIds) {
        if (isUnfinished(casinoId)) continue
        const isEnd = (countOf.get(casinoId) ?? 0) < shareOf(playersAtOnceMax)
        const last = isEnd ? undefined : lastOf.get(casinoId)
        if (last === undefined) reached.delete(casinoId)
        else reached.set(casinoId, last)
      }
      afterCasinoId = (casinoIds.length < casinosAtOnceMax ? undefined : casinoIds.at(-1)) ?? ''
    }
    return { players, shareOf, goOn }
  }
  return { next }
}

export function countByCasino(found: readonly { casinoId: string }[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { casinoId } of found) counts.set(casinoId, (counts.get(casinoId) ?? 0) + 1)
  return counts
}

const isWaiting = sql`player.erase_requested_at IS NOT NULL AND player.erased_at IS NULL`

/** The next casinos with waiting players, with one index look-up each. */
async function findWaitingCasinos(database: Database, after: string): Promise<string[]> {
  const rows = await database.$queryRaw<{ casinoId: string }[]>`
    WITH RECURSIVE found AS (
      (SELECT casino_id FROM player WHERE ${isWaiting} AND casino_id > ${after}::text ORDER BY casino_id LIMIT 1)
       UNION ALL
      SELECT (SELECT player.casino_id FROM player WHERE ${isWaiting} AND player.casino_id > found.casino_id
               ORDER BY player.casino_id LIMIT 1)
        FROM found WHERE found.casino_id IS NOT NULL
    )
    SELECT casino_id AS "casinoId" FROM found WHERE casino_id IS NOT NULL LIMIT ${casinosAtOnceMax}::int`
  return rows.map(({ casinoId }) => casinoId)
}

/** Ordered by id in each casino. */
function findWaitingPlayers(
  database: Database,
  now: Date,
  begins: readonly { casinoId: string; after: string }[],
  perCasinoMax: number,
): Promise<WaitingPlayer[]> {
  const isWanted = isNotSetAside('erase-players', now, {
    casinoId: sql`player.casino_id`,
    id: sql`player.id`,
  })
  return database.$queryRaw<WaitingPlayer[]>`
    SELECT found.casino_id AS "casinoId", found.id AS "playerId", found.erase_requested_at AS "requestedAt"
      FROM ${batchInput(begins, {
        casino_id: text((begin) => begin.casinoId),
        after_id: text((begin) => begin.after),
      })}
     CROSS JOIN LATERAL (
       SELECT casino_id, id, erase_requested_at FROM player
        WHERE player.casino_id = input.casino_id AND player.id > input.after_id AND ${isWaiting} AND ${isWanted}
        ORDER BY player.id LIMIT ${perCasinoMax}::int
     ) AS found
     ORDER BY found.casino_id, found.id`
}
