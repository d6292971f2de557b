import type { PrizeState } from './state.ts'

/** What the decisions about a prize need to know of it. */
export interface PrizeSnapshot {
  playerId: string
  kind: string
  state: PrizeState
  revision: number
  cashbackAmountMinor: bigint | null
  cashbackCurrency: string | null
  expiresAt: Date | null
}

/** A prize that was given back can be claimed for at least this long, even if its time ran out meanwhile. */
export const claimGraceDays = 7

/** A prize that may still be claimed: won, and not past its last day. */
export function isClaimable(prize: PrizeSnapshot, now: Date): boolean {
  return prize.state === 'won' && (prize.expiresAt === null || prize.expiresAt > now)
}
