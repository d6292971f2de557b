import { RewardsError } from '../errors.ts'
import { isClaimable } from '../prize/prize.ts'
import type { PrizeSnapshot } from '../prize/prize.ts'

/**
 * Checks that this player may take this prize as cashback. Throws `prize_unknown`, `prize_not_owned` or
 * `prize_not_cashable`.
 */
export function decideCashback(playerId: string, prize: PrizeSnapshot | undefined, now: Date): void {
  if (prize === undefined) throw new RewardsError('prize_unknown')
  if (prize.playerId !== playerId) throw new RewardsError('prize_not_owned')
  if (prize.cashbackAmountMinor === null || prize.cashbackCurrency === null || !isClaimable(prize, now)) {
    throw new RewardsError('prize_not_cashable')
  }
}
