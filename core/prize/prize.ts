import type { PrizeState } from './state.ts'

/** The fields of a prize that decisions read. */
export interface PrizeSnapshot {
  playerId: string
  kind: string
  state: PrizeState
  cashbackAmountMinor: bigint | null
  cashbackCurrency: string | null
  expiresAt: Date | null
}

/** A returned prize can be claimed for at least this long, even if it expired in the meantime. */
export const claimGraceDays = 7

/** Whether a prize can still be claimed: `won`, and not past its last day. */
export function isClaimable(prize: PrizeSnapshot, now: Date): boolean {
  return prize.state === 'won' && (prize.expiresAt === null || prize.expiresAt > now)
}
