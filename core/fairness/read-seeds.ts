import { RewardsError } from '../errors.ts'
import { toPage } from '../page.ts'
import type { Page, PageRequest } from '../page.ts'
import type { Database } from '../platform/database.ts'

/** The public view of a seed: the seed itself is null while it is in use. */
export interface PublicSeed {
  id: string
  state: 'next' | 'active' | 'retired' | 'revealed'
  commitment: string
  /** 32 bytes in hexadecimal. */
  revealedSeed: string | null
  createdAt: Date
  activatedAt: Date | null
  retiredAt: Date | null
  revealedAt: Date | null
}

/** A casino's seeds, newest first: players want to see the active one and the next. */
export async function listSeeds(
  database: Database,
  casinoId: string,
  page: PageRequest,
): Promise<Page<PublicSeed>> {
  const { afterId, limit } = page
  const rows = await database.serverSeed.findMany({
    where: { casinoId, ...(afterId === undefined ? {} : { id: { lt: afterId } }) },
    select: publicColumns,
    orderBy: { id: 'desc' },
    take: limit + 1,
  })
  return toPage(rows.map(toPublicSeed), page)
}

/** A seed of a casino. Throws `seed_unknown`. */
export async function getSeed(database: Database, casinoId: string, seedId: string): Promise<PublicSeed> {
  const row = await database.serverSeed.findUnique({
    where: { id: seedId, casinoId },
    select: publicColumns,
  })
  if (row === null) throw new RewardsError('seed_unknown')
  return toPublicSeed(row)
}

const publicColumns = {
  id: true,
  state: true,
  commitment: true,
  revealedSeed: true,
  createdAt: true,
  activatedAt: true,
  retiredAt: true,
  revealedAt: true,
} as const

/** A check on the column allows no other states. */
function toPublicSeed(row: Omit<PublicSeed, 'state'> & { state: string }): PublicSeed {
  return { ...row, state: row.state as PublicSeed['state'] }
}
