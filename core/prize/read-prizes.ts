import { RewardsError } from '../errors.ts'
import { hasRange, listQuery, scanPage, toPage } from '../page.ts'
import type { ListRequest, Page, Scan } from '../page.ts'
import type { Database, Prisma } from '../platform/database.ts'
import { sql } from '../platform/sql.ts'
import { countStates } from '../platform/state-counts.ts'
import type { StateCounts } from '../platform/state-counts.ts'
import type { PrizeState } from './state.ts'

/** A prize as it is stored, without its internal fields. The part that its casino sees is its shape in the API. */
export type PrizeRecord = Omit<Prisma.PrizeModel, 'casinoId' | 'expiryWarnedAt' | 'stockReturned'>

/** Throws `prize_unknown`. */
export async function getPrize(database: Database, casinoId: string, id: string): Promise<PrizeRecord> {
  const prize = await findPrize(database, casinoId, id)
  if (prize === null) throw new RewardsError('prize_unknown')
  return prize
}

/** Live or archived. */
export function findPrize(database: Database, casinoId: string, id: string): Promise<PrizeRecord | null> {
  return database.everyPrize.findFirst({ where: { casinoId, id } })
}

/** Whether the casino gave a prize under this id that has left the database with its month of the archive. */
export async function isRemovedPrize(database: Database, casinoId: string, id: string): Promise<boolean> {
  return (await database.removedPrize.findUnique({ where: { casinoId_id: { casinoId, id } } })) !== null
}

/** A player's prizes; empty for an unknown player. */
export async function listPrizes(
  database: Database,
  filter: { casinoId: string; playerId: string; state: PrizeState | undefined },
  page: ListRequest,
): Promise<Page<PrizeRecord>> {
  const { casinoId, playerId, state } = filter
  if (state !== undefined || hasRange(page)) {
    const scan: Scan = {
      from: () => sql`every_prize AS prize`,
      id: sql`prize.id`,
      within: sql`prize.casino_id = ${casinoId}::text AND prize.player_id = ${playerId}::text`,
      columns: sql`prize.created_at, prize.state`,
      wanted: state === undefined ? sql`true` : sql`scanned.state = ${state}::text`,
    }
    return scanPage(database, page, scan, (ids) =>
      database.everyPrize.findMany({ where: { casinoId, id: { in: [...ids] } } }),
    )
  }
  const { where, ...part } = listQuery(page)
  const rows = await database.everyPrize.findMany({ where: { casinoId, playerId, ...where }, ...part })
  return toPage(rows, page)
}

/** The states of a player's prizes, of the newest ones. */
export function countPrizesOfPlayer(
  database: Database,
  { casinoId, playerId }: { casinoId: string; playerId: string },
): Promise<StateCounts> {
  return countStates(
    database,
    sql`SELECT state FROM every_prize WHERE casino_id = ${casinoId}::text AND player_id = ${playerId}::text ORDER BY id DESC`,
  )
}
