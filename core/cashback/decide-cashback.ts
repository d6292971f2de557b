import { RewardsError } from '../errors.ts'
import type { Money } from '../money.ts'
import { isClaimable } from '../prize/prize.ts'
import type { PrizeSnapshot } from '../prize/prize.ts'

/**
 * May this player take this prize as cashback? Returns the amount that the prize promises and the prize's revision, or
 * throws `prize_unknown`, `prize_not_owned` or `prize_not_cashable`.
 */
export function decideCashback(
  playerId: string,
  prize: PrizeSnapshot | undefined,
  now: Date,
): Money & { revision: number } {
  if (prize === undefined) throw new RewardsError('prize_unknown')
  if (prize.playerId !== playerId) throw new RewardsError('prize_not_owned')
  const { cashbackAmountMinor: amountMinor, cashbackCurrency: currency, revision } = prize
  if (amountMinor === null || currency === null || !isClaimable(prize, now)) {
    throw new RewardsError('prize_not_cashable')
  }
  return { amountMinor, currency, revision }
}
