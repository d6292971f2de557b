import { RewardsError } from '../errors.ts'
import { listQuery, toPage } from '../page.ts'
import type { ListRequest, Page } from '../page.ts'
import type { Database } from '../platform/database.ts'
import type { PrizeState } from './state.ts'

/** A prize as its casino looks at it. */
export interface PrizeRecord {
  id: string
  playerId: string
  itemId: string
  itemName: string
  kind: string
  cashbackAmountMinor: bigint | null
  cashbackCurrency: string | null
  state: string
  /** The opening that it was won by; null when the casino gave it. */
  openingId: string | null
  expiresAt: Date | null
  createdAt: Date
  updatedAt: Date
}

/** Throws `prize_unknown`. */
export async function getPrize(database: Database, casinoId: string, id: string): Promise<PrizeRecord> {
  const prize = await database.prize.findUnique({ where: { casinoId_id: { casinoId, id } } })
  if (prize === null) throw new RewardsError('prize_unknown')
  return prize
}

/** A player's prizes; of a player whom we do not know, none. */
export async function listPrizes(
  database: Database,
  filter: { casinoId: string; playerId: string; state: PrizeState | undefined },
  page: ListRequest,
): Promise<Page<PrizeRecord>> {
  const { where, ...part } = listQuery(page)
  const rows = await database.prize.findMany({
    where: {
      casinoId: filter.casinoId,
      playerId: filter.playerId,
      ...(filter.state === undefined ? {} : { state: filter.state }),
      ...where,
    },
    ...part,
  })
  return toPage(rows, page)
}
