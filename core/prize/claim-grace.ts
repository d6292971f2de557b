import type { Prisma } from '../platform/database.ts'
import { instant, sql } from '../platform/sql.ts'
import { claimGraceDays } from './prize.ts'

const dayMs = 24 * 3_600_000

/**
 * Columns to set when a statement moves prizes to the state `prize_to`: a returned prize that has expired, or nearly,
 * can be claimed for some days more, and its player is warned again.
 */
export function claimGrace(now: Date): Prisma.Sql {
  const until = new Date(now.getTime() + claimGraceDays * dayMs)
  const isExtended = sql`prize_to = 'won' AND prize.expires_at < ${instant(until)}`
  return sql`expires_at = CASE WHEN ${isExtended} THEN ${instant(until)} ELSE prize.expires_at END,
             expiry_warned_at = CASE WHEN ${isExtended} THEN NULL ELSE prize.expiry_warned_at END`
}
