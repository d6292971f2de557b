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
  const afterId = page.afterId ?? null
  const rows = await database.$queryRaw<PublicSeed[]>`
    SELECT id, state, commitment, revealed_seed AS "revealedSeed", created_at AS "createdAt",
           activated_at AS "activatedAt", retired_at AS "retiredAt", revealed_at AS "revealedAt"
      FROM server_seed
     WHERE casino_id = ${casinoId}::text AND (${afterId}::text IS NULL OR id < ${afterId}::text)
     ORDER BY casino_id DESC, id DESC
     LIMIT ${page.limit + 1}::int`
  return toPage(rows, page)
}
